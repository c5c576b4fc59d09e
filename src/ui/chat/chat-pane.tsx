import { Breadcrumb } from './breadcrumb.tsx';
import styles from './chat-pane.module.css';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { LanguageLine } from './language-line.tsx';
import { PastBar } from './past-bar.tsx';
import { ReplayBar } from './replay-bar.tsx';

export const ChatPane = () => (
  <section aria-label="Chat" data-pane="chat" tabIndex={-1} className={styles.chat}>
    <Breadcrumb />
    <Conversation />
    <ReplayBar />
    <PastBar />
    <LanguageLine />
    <Composer />
  </section>
);
