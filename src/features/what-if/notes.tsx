import { ChevronRight, Info, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { counted } from '../../ui/parts/format.ts';
import { leftOutWords, notesOn } from './note-words.ts';
import styles from './notes.module.css';
import type { Outcome } from './what-if-run.ts';

export const Notes = ({ outcome }: { outcome: Outcome }) => {
  const notes = useMemo(() => notesOn(outcome), [outcome]);
  const { leftOut } = outcome.rerun;
  if (notes.length === 0 && leftOut.length === 0) return null;
  return (
    <div className={styles.notes}>
      {notes.map(({ text, alert }) => (
        <p key={text} data-alert={alert}>
          {alert ? <TriangleAlert size={14} aria-hidden /> : <Info size={14} aria-hidden />}
          {text}
        </p>
      ))}
      {leftOut.length > 0 && (
        <details>
          <summary>
            <ChevronRight size={14} aria-hidden />
            {counted(leftOut.length, 'edit by hand is', 'edits by hand are')} not in it
          </summary>
          <ul>
            {leftOut.map((one) => (
              <li key={`${one.seq} ${one.what}`}>{leftOutWords(outcome.origin.forest, one)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};
