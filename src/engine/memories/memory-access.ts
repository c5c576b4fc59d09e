import type { Models } from '../ports.ts';
import type { TokenCache } from '../token-cache.ts';
import { condenseByCentroid } from './condense.ts';
import { KeptStates, type Taken } from './kept-states.ts';
import type { MemoryTools } from './memory.ts';

/** What policies with a memory of their own need of the engine. */
export interface MemoryAccess {
  readonly states: KeptStates;
  /** Names the models: what others made is not gone on with. */
  readonly by: string;
  readonly tools: MemoryTools;
  readonly taken?: Taken;
}

type MemoryModels = Pick<Models, 'embed' | 'summarise'>;

/** The models of now, as memories use them; `states` are those of one conversation. */
export const memoryAccess = (
  { embed, summarise }: MemoryModels,
  tokens: TokenCache,
  states = new KeptStates(),
): MemoryAccess => {
  const vectors: MemoryTools['embed'] = async (texts) => {
    const known = states.vectorsBy(embed.name);
    // The embedder takes no empty text.
    const asked = [...new Set(texts)].filter((text) => text.trim() !== '' && !known.has(text));
    const made = asked.length === 0 ? [] : await embed.embed(asked);
    for (const [i, text] of asked.entries()) known.set(text, made[i] as Float32Array);
    return texts.map((text) => known.get(text) ?? new Float32Array(embed.dimensions));
  };
  const byCentroid: MemoryTools['condense'] = ({ texts, sentences }) => condenseByCentroid(texts, sentences, vectors);
  const { write } = summarise;
  const tools: MemoryTools = {
    theta: embed.theta,
    embed: vectors,
    count: async (texts) => {
      await tokens.prepare(texts);
      return texts.map((text) => tokens.count(text));
    },
    condense:
      write === undefined
        ? byCentroid
        : async (task) => {
            // A model that fails must not cost the memory a turn.
            const written = await write(task.instructions, task.texts.join('\n\n')).catch(() => '');
            return written.trim() === '' ? byCentroid(task) : written.trim();
          },
    ...(write !== undefined && {
      ask: (instructions: string, text: string) => write(instructions, text).catch(() => ''),
    }),
  };
  return { states, by: `${embed.name}, ${summarise.name}`, tools };
};
