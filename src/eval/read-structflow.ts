import * as z from 'zod/mini';
import type { LabelledDialogue } from './labelled-dialogue.ts';

const File = z.array(
  z.object({
    structure: z.array(z.object({ source: z.array(z.string()), target: z.array(z.string()), relation: z.string() })),
    whole_conv: z.array(
      z.object({ name: z.string(), 'user prompt': z.string(), 'assistant answer': z.optional(z.string()) }),
    ),
  }),
);

/** StructFlowBench: a turn hangs from the newest turn it has an edge from; an unrelated one opens a topic. */
export const readStructflow = (json: unknown): LabelledDialogue[] =>
  File.parse(json).map(({ structure, whole_conv: rounds }, at) => {
    const names = rounds.map(({ name }) => name);
    const turns = rounds.map((round, index) => {
      const edges = structure.filter(({ target }) => target.includes(round.name));
      const sources = edges
        .filter(({ relation }) => relation !== 'unrelatedness')
        .flatMap(({ source }) => source.map((name) => names.indexOf(name)))
        .filter((source) => source >= 0 && source < index);
      const opens = index === 0 || (sources.length === 0 && edges.length > 0);
      return {
        message: round['user prompt'],
        reply: round['assistant answer'] ?? null,
        parent: opens ? null : sources.length === 0 ? index - 1 : Math.max(...sources),
        disputed: false,
      };
    });
    return { set: 'structflow', id: `${at}`, group: `structflow-${at}`, labels: 'parents', turns };
  });
