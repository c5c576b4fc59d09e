import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { type Memory, type MemoryTurn, turnText } from './memory.ts';

/** Turns sent verbatim: “it” and “that” mean nothing without them. */
const IN_FULL = 2;
/** Sentences in the summary if no language model writes it. */
const SENTENCES = 8;

interface SummarisedHistory {
  /** Covers all but the newest turns; empty if there are none. */
  readonly summary: string;
  readonly summarised: List<NodeId>;
  readonly newest: readonly MemoryTurn[];
}

/** A running summary of the conversation, revised when a turn drops out of the newest two, which are sent verbatim. */
export const summarisedHistory: Memory<SummarisedHistory> = {
  name: 'summarised-history',
  empty: { summary: '', summarised: List(), newest: [] },
  take: async ({ summary, summarised, newest }, turn, { condense }) => {
    const all = [...newest, turn];
    const leaving = all.slice(0, -IN_FULL);
    if (leaving.length === 0) return { summary, summarised, newest: all };
    const text = await condense({
      instructions:
        'You keep a summary of a conversation. You get the summary so far and what comes next. Write the summary anew: short, in order of time, names, numbers and decisions kept. Write only the summary, in at most eight sentences.',
      texts: [...(summary === '' ? [] : [summary]), ...leaving.map(turnText)],
      sentences: SENTENCES,
    });
    return {
      summary: text,
      summarised: summarised.push(...leaving.map(({ nodeId }) => nodeId)),
      newest: all.slice(-IN_FULL),
    };
  },
  recall: async ({ summary, summarised, newest }) => ({
    items: [
      ...(summary === ''
        ? []
        : [{ cell: 'summary', name: 'summary', text: summary, from: [...summarised], score: null }]),
      ...newest.map((turn) => ({
        cell: turn.nodeId,
        name: `turn ${turn.number}`,
        text: turnText(turn),
        from: [turn.nodeId],
        score: null,
        whole: true as const,
      })),
    ],
  }),
  cells: ({ summary, summarised, newest }) => [
    ...(summary === '' ? [] : [{ id: 'summary', parent: null, name: 'summary', text: summary, from: [...summarised] }]),
    ...newest.map((turn) => ({
      id: turn.nodeId,
      parent: null,
      name: `turn ${turn.number}`,
      text: turnText(turn),
      from: [turn.nodeId],
    })),
  ],
};
