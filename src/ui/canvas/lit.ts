import { useMemo } from 'react';
import type { AppState } from '../../app/state.ts';
import { shownForest } from '../../app/state.ts';
import type { Trace } from '../../domain/decision.ts';
import type { NodeId, TreeId } from '../../domain/forest.ts';
import { useApp } from '../app-context.ts';

/** What a decision looked at, to be seen where it stands. */
export interface Lit {
  /** The message's similarity to each turn that was retrieved. */
  readonly near: ReadonlyMap<NodeId, number>;
  /** n*: the turn that the gate looked at. */
  readonly point: NodeId | null;
  /** The topic that the message went to; null for a new one. */
  readonly target: TreeId | null;
}

/** Of the turn that the Decision tab shows because it was selected, or because it is being written; null of none. */
export const useLit = (): Lit | null => {
  const trace = useApp(shownTrace);
  return useMemo(() => (trace === null ? null : litBy(trace)), [trace]);
};

export const litBy = ({ topic, fork }: Pick<Trace, 'topic' | 'fork'>): Lit => ({
  near: new Map(fork.candidates.map(({ nodeId, similarity }) => [nodeId, similarity])),
  point: fork.point,
  target: topic.target,
});

/** The active turn's is shown, too, where nothing is selected; but nobody has asked about it. */
const shownTrace = (state: AppState): Trace | null => {
  const { tab, selectedId, folded } = state.session;
  if (tab !== 'decision' || folded.includes('inspector')) return null;
  const node = selectedId === null ? state.preview?.shown?.node : shownForest(state).nodes[selectedId];
  return node?.decision.trace ?? null;
};
