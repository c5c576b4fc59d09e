import * as z from 'zod/mini';
import type { LabelledDialogue, LabelledTurn, Relation } from './labelled-dialogue.ts';
import { itemsOf } from './labelled-items.ts';

const Edge = z.object({ source: z.array(z.string()), target: z.array(z.string()), relation: z.string() });
const Item = z.object({
  structure: z.array(Edge),
  whole_conv: z.array(
    z.object({ name: z.string(), 'user prompt': z.string(), 'assistant answer': z.optional(z.string()) }),
  ),
});

/** The relations that say where a branch goes, the most telling first, where a turn has several. */
const BRANCHING: readonly Relation[] = ['recall', 'unrelatedness', 'refinement'];

/** StructFlowBench: a turn hangs from the newest turn it has an edge from; an unrelated one opens a topic. */
export const readStructflow = (text: string): LabelledDialogue[] =>
  itemsOf(text, Item).map(({ structure, whole_conv: rounds }, at) => {
    const names = rounds.map(({ name }) => name);
    const turns = rounds.map((round, index): LabelledTurn => {
      const edges = structure.filter(({ target }) => target.includes(round.name));
      const sources = edges
        .filter(({ relation }) => relation !== 'unrelatedness')
        .flatMap(({ source }) => source.map((name) => names.indexOf(name)))
        .filter((source) => source >= 0 && source < index);
      const opens = index === 0 || (sources.length === 0 && edges.length > 0);
      const relation = BRANCHING.find((name) => edges.some((edge) => edge.relation === name));
      return {
        message: round['user prompt'],
        reply: round['assistant answer'] ?? null,
        parent: opens ? null : sources.length === 0 ? index - 1 : Math.max(...sources),
        disputed: false,
        ...(relation === undefined || index === 0 ? {} : { relation }),
      };
    });
    return { set: 'structflow', id: `${at}`, group: `structflow-${at}`, labels: 'parents', turns };
  });
