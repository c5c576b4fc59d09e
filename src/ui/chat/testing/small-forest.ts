import { apply } from '../../../domain/apply.ts';
import type { BranchAction, Decision, TopicAction } from '../../../domain/decision.ts';
import { LOG_VERSION } from '../../../domain/entry.ts';
import type { Event } from '../../../domain/event-kinds.ts';
import { emptyForest, type Forest } from '../../../domain/forest.ts';
import { handle, type Intent } from '../../../domain/handle.ts';

export const decision = (topic: TopicAction, branch: BranchAction | null, by: Decision['by'] = 'engine'): Decision => ({
  topic,
  branch,
  by,
  trace: null,
});

/** The decision with a trace whose fork point is the given node, with the given similarity. */
export const tracedTo = (made: Decision, nodeId: string, similarity: number): Decision => ({
  ...made,
  trace: {
    policy: 'context-agent',
    embedder: 'test',
    decider: 'test',
    topic: {
      rule: 'asked',
      answer: null,
      target: 't1',
      candidates: [{ treeId: 't1', title: 'Topic 1', similarity, active: true }],
    },
    fork: { theta: 0.6, candidates: [{ nodeId, similarity }], point: nodeId },
    branch: { rule: 'asked', answer: null, settled: null },
    fallbacks: [],
    timings: [],
  },
});

/**
 * A forest of turns n1, n2, … in order of time. Each is given by the number of its parent turn (null: a root,
 * whose topic is `t` plus its number, titled "Topic" plus that number) and its decision.
 */
export const forestOf = (turns: readonly (readonly [number | null, Decision?])[]): Forest => {
  const forest = emptyForest();
  let seq = 0;
  const put = (event: Event, step: string | null) => {
    seq += 1;
    apply(forest, { v: LOG_VERSION, seq, at: seq, step, event });
  };
  const perform = (intent: Intent) => {
    const handled = handle(forest, intent);
    if (!handled.ok) throw new Error(handled.refusal);
    for (const event of handled.events) put(event, handled.step);
  };
  turns.forEach(([parent, made], index) => {
    const number = index + 1;
    const nodeId = `n${number}`;
    put({ type: 'message-sent', nodeId, message: `message ${number}`, given: null, target: null }, `s${number}`);
    perform({
      type: 'place',
      nodeId,
      parentId: parent === null ? null : `n${parent}`,
      fresh: { treeId: `t${number}`, branchId: `b${number}` },
      decision:
        made ??
        decision(parent === null ? 'create-topic' : 'continue-topic', parent === null ? null : 'continue-branch'),
    });
    if (parent === null)
      put({ type: 'topic-titled', treeId: `t${number}`, title: `Topic ${number}`, by: 'engine' }, null);
  });
  return forest;
};
