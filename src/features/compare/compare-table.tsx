import { ChevronRight } from 'lucide-react';
import { type CSSProperties, memo, useMemo, useState } from 'react';
import { baselineOf } from '../../domain/context.ts';
import { plural } from '../../domain/numbers.ts';
import { contextMessages } from '../../engine/context/context-text.ts';
import type { PolicyContext } from '../../engine/history/past-contexts.ts';
import { asSentence } from '../../engine/model-failure.ts';
import { byteCount, contextParts, exactBytes, groupParts } from '../../ui/inspector/context-parts.ts';
import { fallbackWords } from '../../ui/inspector/decision-words.ts';
import { LabelledText, PartMark, TokenBar } from '../../ui/inspector/part-row.tsx';
import { CopyButton } from '../../ui/inspector/section.tsx';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { count, counted, savingLabel } from '../../ui/parts/format.ts';
import { isMemory } from '../../ui/parts/policies.tsx';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Badge, Ellipsis, Muted } from '../../ui/parts/text.tsx';
import { turnsIn } from '../../ui/parts/turn-words.ts';
import styles from './compare-table.module.css';
import { type ComparedContexts, type ContextRow, cellWords, contextComparisonRows } from './context-rows.ts';

type Which = 'all' | 'differs';

interface CompareTableProps {
  readonly contexts: readonly PolicyContext[];
  /** The topic of the turn, which determines the colour of its path. */
  readonly topic: number;
  /** Opens the memory of a policy, if it has one. */
  readonly onMemory: (policy: string) => void;
}

/** A table with contexts as columns and what they may contain as rows; each row expands to the text that each context sends. */
export const CompareTable = memo(({ contexts, topic, onMemory }: CompareTableProps) => {
  const rows = useMemo(() => contextComparisonRows(contexts), [contexts]);
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
        <Muted as="span" faint className={styles.hint}>
          Expand a row to read what each policy sends.
        </Muted>
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

interface ComparePolicyProps {
  readonly compared: PolicyContext;
  /** Tokens of the largest context, so that the bars share a scale. */
  readonly most: number;
  readonly topic: number;
  readonly onMemory: (policy: string) => void;
}

/** The column header of a policy: the cost of its context, as a bar and in figures. */
const ComparePolicy = ({ compared, most, topic, onMemory }: ComparePolicyProps) => {
  const { policy, sent, context, forest, withoutSimilarity } = compared;
  const groups = useMemo(() => groupParts(forest, contextParts(forest, context)), [forest, context]);
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  const { tokens } = context;
  return (
    <div className={styles.policy}>
      <span className={styles.name}>
        {policy}
        {sent && <Badge>sent</Badge>}
      </span>
      <span className={styles.figures}>
        <b>{count(tokens)}</b> tokens <span className={styles.saving}>{savingLabel(tokens, baselineOf(context))}</span>
      </span>
      <div style={{ width: `${(100 * tokens) / most}%` }}>
        <TokenBar groups={groups} topic={topic} />
      </div>
      <span className={styles.small}>
        {exactBytes(byteCount(messages))}
        <CopyButton label="Copy" text={() => JSON.stringify(messages, null, 2)} />
      </span>
      {isMemory(policy) && (
        <span>
          <Button
            size="small"
            data-memory={policy}
            aria-label={`Its memory: ${policy}`}
            onClick={() => onMemory(policy)}
          >
            Its memory
          </Button>
        </span>
      )}
      {context.fallbacks?.map((one) => (
        <span key={`${one.from} ${one.why}`} className={styles.small}>
          {fallbackWords(one)}
        </span>
      ))}
      {withoutSimilarity !== null && (
        <span className={styles.small}>
          By recency only, because similarity could not be computed ({withoutSimilarity}).
        </span>
      )}
    </div>
  );
};

interface CompareRowProps {
  readonly row: ContextRow;
  readonly policies: readonly PolicyContext[];
}

/** What each policy sends of one item; expanded, the exact text. */
const CompareRowView = ({ row, policies }: CompareRowProps) => {
  const [open, setOpen] = useState(false);
  const { label, cells, differs } = row;
  const begins = cells.find((cell) => cell !== null)?.said[0]?.content.slice(0, 120);
  return (
    <>
      <tr data-differs={differs || undefined}>
        <th scope="row">
          <button type="button" className={styles.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
            <ChevronRight size={13} aria-hidden />
            <Ellipsis fit className={styles.label}>
              {label} <span className={styles.begins}>{begins}</span>
            </Ellipsis>
          </button>
        </th>
        {cells.map((cell, column) => (
          <td key={policies[column]?.policy} data-lacks={cell === null || undefined}>
            {cell === null ? (
              <>
                <span aria-hidden="true">–</span>
                <span className="visually-hidden">{row.key === 'left-out' ? 'nothing left out' : 'not sent'}</span>
              </>
            ) : (
              <span className={styles.cell}>
                <PartMark kind={cell.kind} topic={cell.topic} />
                <span className={styles.how}>{cellWords(cell)}</span>
                <span className={styles.tokens}>{count(cell.tokens)}</span>
              </span>
            )}
          </td>
        ))}
      </tr>
      {open && (
        <tr className={styles.texts}>
          <th scope="row">
            <span className="visually-hidden">Text of {label}</span>
          </th>
          {cells.map((cell, column) => (
            <td key={policies[column]?.policy} data-lacks={cell === null || undefined}>
              {cell === null ? (
                <span className={styles.how}>{row.key === 'left-out' ? 'nothing left out' : 'not sent'}</span>
              ) : (
                <>
                  {cell.turns !== undefined && cell.turns.length > 0 && (
                    <span className={styles.how}>Nothing of {turnsIn(cell.turns)}.</span>
                  )}
                  {cell.said.map(({ role, content }, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: several may be of one role, and the list is never reordered
                    <LabelledText key={at} whose={role} content={content} />
                  ))}
                </>
              )}
            </td>
          ))}
        </tr>
      )}
    </>
  );
};

/** The progress of the contexts, with a way to stop, and the state of those that failed. */
export const CompareProgress = ({ shown, names }: { shown: ComparedContexts; names: readonly string[] }) => {
  const { contexts, failed, hasFallbacks, building, failure, stop, goOn, retry } = shown;
  if (building !== null) {
    const { policy, turns, of } = building;
    const words =
      policy === null || turns >= of
        ? `Building contexts, ${contexts.length} of ${names.length}`
        : `${policy} is reading the conversation, ${count(turns)} of ${count(of)} turns`;
    return (
      <div className={styles.progress}>
        <ProgressBar label="Building contexts" max={Math.max(1, of)} value={of > 0 ? turns : null} />
        <span>{words}</span>
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </div>
    );
  }
  const missing = names.length - contexts.length - failed.length;
  return (
    <div className={styles.progress} role="status">
      {failed.map(([policy, why]) => (
        <span key={policy}>
          {policy} could not build its memory: {asSentence(why)}
        </span>
      ))}
      {missing > 0 && failure === null && (
        <span>
          Stopped: {missing} of {names.length} {plural(missing, 'is', 'are')} missing.
        </span>
      )}
      {missing > 0 && failure === null ? (
        <Button size="small" onClick={goOn}>
          Continue
        </Button>
      ) : (
        (missing > 0 || failed.length > 0 || hasFallbacks) && (
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        )
      )}
    </div>
  );
};
