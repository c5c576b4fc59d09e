import { type CSSProperties, memo, useMemo, useState } from 'react';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { ComparePolicy } from './compare-policy.tsx';
import { CompareRowView } from './compare-row.tsx';
import { compareRows } from './compare-rows.ts';
import styles from './compare-table.module.css';

type Which = 'all' | 'differs';

interface Props {
  readonly contexts: readonly PolicyContext[];
  /** The topic of the turn, for the colour of its path. */
  readonly topic: number;
  /** Opens the memory of a policy that has one. */
  readonly onMemory: (policy: string) => void;
}

/** Contexts as columns, what they may hold as rows; each row unfolds to the words that each of them sends. */
export const CompareTable = memo(({ contexts, topic, onMemory }: Props) => {
  const rows = useMemo(() => compareRows(contexts), [contexts]);
  const [which, setWhich] = useState<Which>('all');
  const most = Math.max(1, ...contexts.map(({ context }) => context.tokens));
  const shown = which === 'all' ? rows : rows.filter(({ differs }) => differs);
  return (
    <>
      <div className={styles.tools}>
        <Segmented
          label="Rows"
          options={[
            { value: 'all', label: `All ${rows.length}` },
            { value: 'differs', label: `Only what differs, ${rows.filter(({ differs }) => differs).length}` },
          ]}
          value={which}
          onChange={setWhich}
        />
        <span className={styles.hint}>Unfold a row to read what each policy sends of it.</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Contexts by policy" tabIndex={0}>
        <table className={styles.table} style={{ '--columns': contexts.length } as CSSProperties}>
          <thead>
            <tr>
              <th scope="col" className={styles.corner}>
                <span className="visually-hidden">{counted(rows.length, 'part')}</span>
              </th>
              {contexts.map((one) => (
                <th key={one.policy} scope="col">
                  <ComparePolicy compared={one} most={most} topic={topic} onMemory={onMemory} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <CompareRowView key={row.key} row={row} policies={contexts} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
});
