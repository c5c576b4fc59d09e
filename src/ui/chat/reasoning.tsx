import { ChevronRight } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { counted } from '../parts/format.ts';
import styles from './reasoning.module.css';

/** While it thinks, words are counted in steps: a figure that races is only noise. */
const STEP = 10;

/** What a thinking model wrote before it answered: folded away until the person opens it, and then open as it grows. */
export const Reasoning = ({ text, thinking }: { text: string; thinking: boolean }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const words = useMemo(() => text.match(/\S+/g)?.length ?? 0, [text]);
  return (
    <div className={styles.reasoning}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={13} className={styles.mark} aria-hidden />
        {thinking ? thinkingWords(words) : `Thought for ${counted(words, 'word')}`}
      </button>
      {open && (
        <p id={id} className={styles.text}>
          {text}
        </p>
      )}
    </div>
  );
};

const thinkingWords = (words: number): string => {
  const told = words - (words % STEP);
  return told === 0 ? 'Thinking…' : `Thinking… ${counted(told, 'word')} so far`;
};
