import { useFeatures } from './commands/feature.ts';
import '@fontsource-variable/inter';
import './theme.css';
import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DialogName } from '../app/features.ts';
import { coveringDialog, paneInView } from '../app/state.ts';
import styles from './app.module.css';
import { ShownMoment, useActions, useApp, useAppState } from './app-context.ts';
import { ChatPane } from './chat/chat-pane.tsx';
import { memoByFeatures } from './commands/feature.ts';
import { dialogStays, mayReplaceDialogs } from './parts/dialog.tsx';
import { droppedItems, PHONE, useFocusKept, useMedia } from './parts/hooks.ts';
import { DialogErrorBoundary, lazyPart, PartErrorBoundary } from './parts/lazy-parts.tsx';
import { ConversationsPane, FloatingConversations, useConversationList } from './shell/conversations.tsx';
import { Header } from './shell/header.tsx';
import { useKeptView } from './shell/kept-view.ts';
import { Problems, Toast } from './shell/notices.tsx';
import { ForestPane, InspectorPane, TabBar, useInspectorRoom } from './shell/panes.tsx';
import { useShortcuts } from './shell/shortcuts.ts';
import { useTheme } from './shell/theme.tsx';

/** The whole page. */
export const AppView = () => {
  const phone = useMedia(PHONE);
  useTheme();
  useKeptView();
  useShortcuts();
  useInspectorRoom();
  useDroppedFiles();
  useFocusKept();
  return (
    <ShownMoment>
      <div className={styles.page}>
        <SkipLink />
        <Header />
        <Problems />
        <Layout key={String(phone)} phone={phone} />
      </div>
      <Dialogs />
      <Toast />
    </ShownMoment>
  );
};

/** The chat with the message may be folded away, or behind another pane. */
const SkipLink = () => {
  const { session } = useActions();
  const state = useAppState();
  const showChat = () => session(paneInView('chat', state().session));
  return (
    // biome-ignore lint/a11y/useValidAnchor: the browser goes there next
    <a
      className={styles.skip}
      href="#message"
      onClick={(event) => {
        flushSync(showChat);
        // Nothing can be written in the past, and what is disabled takes no focus.
        if (state().past === null) return;
        event.preventDefault();
        document.querySelector<HTMLElement>('[data-pane="chat"]')?.focus();
      }}
    >
      Skip to the message
    </a>
  );
};

/** If the layout is swapped under an open dialog, the new one must be hidden from screen readers like the old one was. */
const Layout = ({ phone }: { phone: boolean }) => {
  const isCovered = useApp((state) => coveringDialog(state.session) !== null);
  const [cameCovered] = useState(isCovered);
  return (
    <div className={styles.layout} aria-hidden={(cameCovered && isCovered) || undefined}>
      {phone ? <OnePane /> : <ThreePanes />}
      {phone && <TabBar />}
    </div>
  );
};

// Not needed for the first paint; a plain line until then.
const PaneBorder = lazyPart(async () => (await import('./shell/pane-border.tsx')).PaneBorder);

// Like the canvas, not needed for the first paint.
const Timeline = lazyPart(async () => (await import('./timeline/timeline.tsx')).Timeline);

const Border = (props: ComponentProps<typeof PaneBorder>) => (
  <Suspense fallback={<div className={styles.border} />}>
    <PaneBorder {...props} />
  </Suspense>
);

const Chat = () => (
  <PartErrorBoundary part="The chat">
    <ChatPane />
  </PartErrorBoundary>
);

const Footer = () => (
  <footer className={styles.timeline}>
    <PartErrorBoundary part="The timeline">
      <Suspense fallback={<div className={styles.timelineRoom} />}>
        <Timeline />
      </Suspense>
    </PartErrorBoundary>
  </footer>
);

const ThreePanes = () => {
  const folded = useApp((state) => state.session.folded);
  const widths = useApp((state) => state.session.widths);
  const list = useConversationList();
  const withList = list.stays && list.shown;
  const shown = {
    chat: !folded.includes('chat'),
    forest: !folded.includes('forest'),
    inspector: !folded.includes('inspector'),
  };
  return (
    <>
      <div className={styles.withList}>
        {withList && (
          <div className={styles.list} style={{ width: widths.list }}>
            <PartErrorBoundary part="The list of conversations">
              <ConversationsPane />
            </PartErrorBoundary>
          </div>
        )}
        <main className={styles.panes} data-without-forest={!shown.forest}>
          {withList && <Border pane="list" name="list of conversations" side="left" />}
          {shown.chat && (
            <div id="pane-chat" className={styles.chat} style={{ width: widths.chat }}>
              <Chat />
            </div>
          )}
          {shown.chat && shown.forest && <Border pane="chat" name="chat" side="left" />}
          {shown.forest && (
            <div className={styles.forest}>
              <ForestPane />
            </div>
          )}
          {shown.inspector && (shown.chat || shown.forest) && <Border pane="inspector" name="inspector" side="right" />}
          {shown.inspector && (
            <div id="pane-inspector" className={styles.inspector} style={{ width: widths.inspector }}>
              <InspectorPane />
            </div>
          )}
        </main>
      </div>
      <Footer />
    </>
  );
};

/** The chat stays mounted behind the others, to keep its scroll position. */
const OnePane = () => {
  const pane = useApp((state) => state.session.pane);
  return (
    <>
      <main className={styles.one}>
        <div className={styles.layer} data-hidden={pane !== 'chat'}>
          <Chat />
        </div>
        {pane === 'forest' && (
          <div className={styles.layer}>
            <ForestPane />
          </div>
        )}
        {pane === 'inspector' && (
          <div className={styles.layer}>
            <InspectorPane />
          </div>
        )}
      </main>
      {pane === 'forest' && <Footer />}
    </>
  );
};

// Dialogs are not needed for the first paint.
const dialogsOf = memoByFeatures(
  (features) =>
    new Map(
      features
        .flatMap(({ dialogs }) => Object.entries(dialogs))
        .map(([name, load]) => [name as DialogName, lazyPart(load)]),
    ),
);

/** The open dialog, if any. */
const Dialogs = () => {
  const { session } = useActions();
  const open = useApp((state) => state.session.dialog);
  const backTo = useApp((state) => state.session.backTo);
  const close = () => session({ dialog: backTo, backTo: null });
  return (
    <DialogErrorBoundary open={open} onClose={close}>
      <FloatingConversations />
      {open !== null && <OpenDialog key={open} name={open} onClose={close} />}
    </DialogErrorBoundary>
  );
};

/** The list of conversations is not among them: it is part of the shell. */
const OpenDialog = ({ name, onClose }: { name: DialogName; onClose: () => void }) => {
  const Open = dialogsOf(useFeatures()).get(name);
  const argument = useApp((state) => state.session.with);
  if (Open === undefined) return null;
  return (
    <Suspense fallback={null}>
      {/* What the argument is was checked where the dialog was opened. */}
      <Open with={argument as never} onClose={onClose} />
    </Suspense>
  );
};

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Shows the import overlay while files are held over the page. */
const showWouldImport = (would: boolean): void => {
  document.documentElement.toggleAttribute('data-dropping', would);
};

/** Imports files and folders dropped anywhere; otherwise the browser would leave the page to show them. */
const useDroppedFiles = (): void => {
  const { session } = useActions();
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // The element under the pointer may take them.
      showWouldImport(!event.defaultPrevented && !dialogStays());
      event.preventDefault();
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) showWouldImport(false);
    };
    const drop = (event: DragEvent) => {
      showWouldImport(false);
      // As above.
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer === null || !mayReplaceDialogs()) return;
      session({ dialog: 'import', with: droppedItems(event.dataTransfer) });
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [session]);
};
