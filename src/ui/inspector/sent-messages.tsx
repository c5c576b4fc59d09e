import type { ChatMessage } from '../../domain/context.ts';
import { counted } from '../parts/format.ts';
import { byteCount, exactBytes } from './byte-count.ts';
import styles from './context.module.css';
import { CopyButton } from './copy-button.tsx';
import { Limited } from './limited.tsx';
import { Section } from './section.tsx';

/** Messages shown before the person asks for all. */
const FIRST = 60;

/** The messages, byte for byte. */
export const SentMessages = ({ messages }: { messages: readonly ChatMessage[] }) => (
  <Section title="Messages" aside={`${counted(messages.length, 'message')} · ${exactBytes(byteCount(messages))}`}>
    <Limited items={messages} first={FIRST}>
      {(message, index) => <Message key={index} message={message} />}
    </Limited>
    <CopyButton label="Copy messages" text={() => JSON.stringify(messages, null, 2)} />
  </Section>
);

const Message = ({ message }: { message: ChatMessage }) => (
  <li className={styles.message} data-role={message.role}>
    <span className={styles.role}>
      {message.role} <span className={styles.bytes}>{exactBytes(byteCount([message]))}</span>
    </span>
    <pre className={styles.pre}>{message.content}</pre>
  </li>
);
