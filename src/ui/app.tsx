import '@fontsource-variable/inter';
import './theme.css';
import styles from './app.module.css';
import { useApp } from './app-context.ts';
import { ChatPane } from './chat/chat-pane.tsx';
import { Guarded } from './parts/failure.tsx';
import { PHONE, useMedia } from './parts/hooks.ts';
import { TooltipProvider } from './parts/tooltip.tsx';
import { Conversations } from './shell/conversations.tsx';
import { Dialogs } from './shell/dialogs.tsx';
import { useDroppedFiles } from './shell/dropped-files.ts';
import { Header } from './shell/header.tsx';
import { useKeptView } from './shell/kept-view.ts';
import { Problems, Toast } from './shell/notices.tsx';
import { ForestPane, InspectorPane, TabBar, useInspectorRoom } from './shell/panes.tsx';
import { useTheme } from './shell/theme.tsx';
import { useShortcuts } from './shell/use-shortcuts.ts';
import { Timeline } from './timeline/timeline.tsx';

/** The whole page. */
export const AppView = () => {
  const phone = useMedia(PHONE);
  useTheme();
  useKeptView();
  useShortcuts();
  useInspectorRoom();
  useDroppedFiles();
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
