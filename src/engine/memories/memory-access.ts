import type { TokenCache } from '../context/token-cache.ts';
import { defaultParameters, type MemoryParameters } from '../parameters.ts';
import type { Models } from '../ports.ts';
import type { Bill } from './bill.ts';
import { condenseByCentroid } from './condense.ts';
import { KeptStates, type Taken } from './kept-states.ts';
import type { MemoryTools } from './memory.ts';

/** What policies with a memory of their own need of the engine. */
export interface MemoryAccess {
  readonly states: KeptStates;
  /** Names the models: what others made is not gone on with. */
  readonly by: string;
  /** The models as memories use them; what is asked of them is put on the bill. */
  readonly tools: (bill: Bill, parameters?: MemoryParameters) => MemoryTools;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  readonly taken?: Taken;
}

type MemoryModels = Pick<Models, 'embed' | 'summarise'>;

/** The models of now, as memories use them; `states` are those of one conversation. */
export const memoryAccess = (
  { embed, summarise }: MemoryModels,
  tokens: TokenCache,
  now: () => number,
  states = new KeptStates(),
): MemoryAccess => {
  const count: MemoryTools['count'] = async (texts) => {
    await tokens.prepare(texts);
    return texts.map((text) => tokens.count(text));
  };
  const tokensOf = async (texts: readonly string[]) => (await count(texts)).reduce((total, one) => total + one, 0);

  const tools = (bill: Bill, parameters: MemoryParameters = defaultParameters): MemoryTools => {
    const vectors: MemoryTools['embed'] = async (texts) => {
      const known = states.vectorsBy(embed.name);
      // The embedder takes no empty text.
      const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
      const found = new Map(distinct.map((text) => [text, known.get(text)]));
      const asked = distinct.filter((text) => found.get(text) === undefined);
      const begun = now();
      const made = asked.length === 0 ? [] : await embed.embed(asked);
      const ms = (now() - begun) / asked.length;
      const own = bill.unknown(distinct);
      const elsewhere = own.reduce((total, text) => total + (found.get(text)?.ms ?? 0), 0);
      for (const [i, text] of asked.entries()) {
        const embedded = { vector: made[i] as Float32Array, ms };
        found.set(text, embedded);
        known.set(text, embedded);
      }
      if (own.length > 0) bill.asked(await bill.apart(() => tokensOf(own)), elsewhere);
      for (const text of own) bill.texts.add(text);
      return texts.map((text) => found.get(text)?.vector ?? new Float32Array(embed.dimensions));
    };
    const byCentroid: MemoryTools['condense'] = ({ texts, sentences }) => condenseByCentroid(texts, sentences, vectors);
    const { write } = summarise;
    if (write === undefined) return { theta: embed.theta, parameters, embed: vectors, count, condense: byCentroid };
    // A model that fails must not cost the memory a turn.
    const written = async (instructions: string, texts: readonly string[]) => {
      // Text by text: most of them have been counted before, all in one have not.
      bill.asked(await bill.apart(() => tokensOf([instructions, ...texts])));
      return write(instructions, texts.join('\n\n')).catch(() => '');
    };
    return {
      theta: embed.theta,
      parameters,
      embed: vectors,
      count,
      condense: async (task) => {
        const text = await written(task.instructions, task.texts);
        return text.trim() === '' ? byCentroid(task) : text.trim();
      },
      ask: (instructions, text) => written(instructions, [text]),
    };
  };
  return { states, by: `${embed.name}, ${summarise.name}`, tools, now };
};
