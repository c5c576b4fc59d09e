import { type CSSProperties, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { PolicyPicture } from '../../ui/canvas/memories/policy-picture.tsx';
import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { count } from '../../ui/parts/format.ts';
import { ABOUT_POLICY, isMemory, policyLook } from '../../ui/parts/policies.tsx';
import { Badge } from '../../ui/parts/text.tsx';
import type { CompareRun } from './compare-run.ts';
import styles from './memory-panes.module.css';
import { useCompare } from './use-compare.ts';
import { useMemories } from './use-memories.ts';

interface Props {
  readonly run: CompareRun;
  readonly contexts: readonly PolicyContext[];
  readonly nodeId: NodeId;
  /** The policy that the turn was really sent under. */
  readonly sent: string | null;
  readonly onTurn: (nodeId: NodeId) => void;
}

/** Turns are the same in all policies that keep none but the forest: one that is selected is so in all of them. */
const TURNS = 'turns';

/** What each policy keeps of the conversation before a turn, and what of it goes to the model. */
export const MemoryPanes = ({ run, contexts, nodeId, sent, onTurn }: Props) => {
  const shown = useMemories(nodeId, contexts);
  const anew = useCompare(run, (state) => state.anew);
  const [selected, setSelected] = useState<Readonly<Record<string, string | null>>>({});
  return (
    <div className={styles.panes} style={{ '--panes': shown.length } as CSSProperties}>
      {shown.map(({ shown: of, why }) => {
        const { policy, context } = of;
        const key = isMemory(policy) || anew.includes(policy) ? policy : TURNS;
        return (
          <section key={policy} className={styles.pane} aria-label={`${policy}, its memory`}>
            <div className={styles.head}>
              <h4>
                <Swatch {...policyLook(policy)} /> {policy}
                {policy === sent && <Badge>sent</Badge>}
              </h4>
              <span className={styles.tokens}>
                sends <b>{count(context?.context.tokens ?? 0)}</b> tokens
              </span>
              <p title={ABOUT_POLICY[policy]}>
                {anew.includes(policy) && <b>Turns placed anew. </b>}
                {ABOUT_POLICY[policy]}
              </p>
            </div>
            {why !== null ? (
              <p className={styles.why} role="alert">
                Its memory cannot be shown: {why}. Choose a model under Models that is here.
              </p>
            ) : (
              <div className={styles.picture}>
                <PolicyPicture
                  shown={of}
                  selected={selected[key] ?? null}
                  onSelect={(id) => setSelected((before) => ({ ...before, [key]: id }))}
                  onTurn={onTurn}
                />
              </div>
            )}
          </section>
        );
      })}
    </div>
  );
};
