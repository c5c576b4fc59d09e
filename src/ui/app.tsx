import '@fontsource-variable/inter';
import './theme.css';
import { useEffect, useLayoutEffect, useRef } from 'react';
import styles from './app.module.css';
import { useActions, useApp, useAppState } from './app-context.ts';
import { ChatPane } from './chat/chat-pane.tsx';
import { Guarded } from './parts/failure.tsx';
import { TooltipProvider } from './parts/tooltip.tsx';
import { Conversations } from './shell/conversations.tsx';
import { Dialogs } from './shell/dialogs.tsx';
import { ForestPane } from './shell/forest-pane.tsx';
import { Header } from './shell/header.tsx';
import { InspectorPane } from './shell/inspector-pane.tsx';
import { Problems } from './shell/problems.tsx';
import { TabBar } from './shell/tab-bar.tsx';
import { applyTheme, storedTheme } from './shell/theme-choice.ts';
import { Toast } from './shell/toast.tsx';
import { COMPACT, PHONE, useMedia } from './shell/use-media.ts';
import { useShortcuts } from './shell/use-shortcuts.ts';
import { Timeline } from './timeline/timeline.tsx';

/** The whole page. */
export const AppView = () => {
  const phone = useMedia(PHONE);
  useTheme();
  useShortcuts();
  useInspectorRoom();
  return (
    <TooltipProvider>
      <div className={styles.page}>
        <a className={styles.skip} href="#message">
          Skip to the message
        </a>
        <Header />
        <Problems />
        {phone ? <OnePane /> : <ThreePanes />}
        {phone && <TabBar />}
      </div>
      <Conversations />
      <Guarded part="The dialog">
        <Dialogs />
      </Guarded>
      <Toast />
    </TooltipProvider>
  );
};

const Chat = () => (
  <Guarded part="The chat">
    <ChatPane />
  </Guarded>
);

const Footer = () => (
  <footer className={styles.timeline}>
    <Guarded part="The timeline">
      <Timeline />
    </Guarded>
  </footer>
);

const ThreePanes = () => {
  const folded = useApp((state) => state.session.folded);
  const shown = {
    chat: !folded.includes('chat'),
    forest: !folded.includes('forest'),
    inspector: !folded.includes('inspector'),
  };
  return (
    <>
      <main className={styles.panes} data-without-forest={!shown.forest}>
        {shown.chat && (
          <div className={styles.chat}>
            <Chat />
          </div>
        )}
        {shown.forest && (
          <div className={styles.forest}>
            <ForestPane />
          </div>
        )}
        {shown.inspector && (
          <div className={styles.inspector}>
            <InspectorPane />
          </div>
        )}
      </main>
      <Footer />
    </>
  );
};

/** The chat stays mounted behind the others, so that it keeps its place. */
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

/** Starts with the choice of the last visit; every later one is shown and kept. */
const useTheme = (): void => {
  const { session } = useActions();
  const theme = useApp((state) => state.session.theme);
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (restored.current) return applyTheme(theme);
    restored.current = true;
    const stored = storedTheme();
    if (stored === theme) return applyTheme(theme);
    session({ theme: stored });
  }, [theme, session]);
};

/** Where the inspector would cover the forest it starts folded away; with room again it comes back. */
const useInspectorRoom = (): void => {
  const { session } = useActions();
  const state = useAppState();
  const compact = useMedia(COMPACT);
  useEffect(() => {
    if (!compact) return;
    session({ folded: [...new Set([...state().session.folded, 'inspector' as const])] });
    return () => session({ folded: state().session.folded.filter((pane) => pane !== 'inspector') });
  }, [compact, session, state]);
};
