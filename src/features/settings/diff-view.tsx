import { useMemo } from 'react';
import { changedLinesWords, type DiffPiece, lineDiff } from '../../ui/parts/text-diff.ts';
import styles from './diff.module.css';

/** Lines of context around a difference. */
const AROUND = 2;

const SIGN = { same: ' ', added: '+', removed: '−' } as const;
const SAID = { same: '', added: 'added: ', removed: 'removed: ' } as const;

/** The lines that differ, with some around them. */
export const DiffView = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const kept = useMemo(() => near(lines), [lines]);
  return (
    <div className={styles.diff} role="group" aria-label={`${label}: ${changedLinesWords(lines)}`}>
      {kept.map((line, index) =>
        line === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className={styles.gap} aria-hidden>
            ⋯
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className={styles.line} data-kind={line.kind}>
            <span aria-hidden>{SIGN[line.kind]}</span>
            <code>
              <span className="visually-hidden">{SAID[line.kind]}</span>
              {line.text || ' '}
            </code>
          </div>
        ),
      )}
    </div>
  );
};

/** Without what is far from any difference; null stands for a gap. */
const near = (lines: readonly DiffPiece[]): (DiffPiece | null)[] => {
  const wanted = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, at) => {
    if (wanted[at] === true) return [line];
    return at === 0 || wanted[at - 1] === true ? [null] : [];
  });
};
