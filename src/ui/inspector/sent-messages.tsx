import { useMemo } from 'react';
import type { ChatMessage, Context } from '../../domain/context.ts';
import type { Forest } from '../../domain/forest.ts';
import { contextMessages } from '../../engine/context-text.ts';
import { counted } from '../parts/numbers.ts';
import styles from './context.module.css';
import { CopyButton } from './copy-button.tsx';
import { Limited } from './limited.tsx';
import { Section } from './section.tsx';

/** Messages shown before the person asks for all. */
const FIRST = 60;

/** The messages, byte for byte. */
export const SentMessages = ({ forest, context }: { forest: Forest; context: Context }) => {
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  return (
    <Section title="Messages" aside={counted(messages.length, 'message')}>
      <Limited items={messages} first={FIRST}>
        {(message, index) => <Message key={index} message={message} />}
      </Limited>
      <CopyButton label="Copy messages" text={() => JSON.stringify(messages, null, 2)} />
    </Section>
  );
};

const Message = ({ message: { role, content } }: { message: ChatMessage }) => (
  <li className={styles.message} data-role={role}>
    <span className={styles.role}>{role}</span>
    <pre className={styles.pre}>{content}</pre>
  </li>
);
