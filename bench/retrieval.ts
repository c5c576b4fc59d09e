import type { Forest, Node } from '../src/domain/forest.ts';
import { randomFrom } from '../src/domain/numbers.ts';
import { replyText } from '../src/domain/queries.ts';
import { recordsOf } from '../src/domain/table.ts';
import { Retriever } from '../src/engine/context/retrieval/retriever.ts';
import { countWords } from '../src/engine/text/terms.ts';
import { madeForest } from './decision-forest.ts';
import { type Figure, median } from './figure.ts';

const SEED = 17;
const MEASURED = 30;
const WORDS = { message: 20, reply: 60, asked: 12 };
/** Vocabulary size; the n-th word has a frequency of 1/n, as in natural language. */
const VOCABULARY = 60_000;

/** Finds earlier turns by words and their neighbours. The baseline re-reads every text and ranks by words in common. */
export const retrieval = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const turns of [1_000, 100_000]) {
    const { forest, text } = talkOf(turns);
    const retriever = new Retriever();
    const ask = async (forest: Forest, message: string) => {
      const nodeId = `asked ${forest.turnCount}`;
      const node = { ...(forest.nodes[`n${turns}`] as Node), id: nodeId, number: turns + 1, message, replyId: null };
      const asked = { ...forest, nodes: { ...forest.nodes, [nodeId]: node } };
      const start = performance.now();
      await retriever.for({ forest: asked, nodeId, nearness: () => null })(message, { limit: 20 });
      return performance.now() - start;
    };
    const first = await ask(forest, text(WORDS.asked));
    const later: number[] = [];
    for (let i = 0; i < MEASURED; i++) later.push(await ask(forest, text(WORDS.asked)));
    const plain = text(WORDS.asked);
    const begun = performance.now();
    rankedPlainly(forest, plain);
    const at = `at ${turns.toLocaleString('en')} turns`;
    const baseline = { name: 'every text read anew', value: performance.now() - begun };
    figures.push(
      { name: `turns found ${at}`, value: median(later), unit: 'ms', goal: null, baseline },
      { name: `the index made ${at}`, value: first, unit: 'ms', goal: null, baseline: null },
    );
  }
  return figures;
};

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo zu bra cle dri flo gru'.split(' ');

/** Returns the n-th word. */
const made = (n: number): string => {
  let word = 'k';
  for (let left = n + 1; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length];
  return word;
};

/** Creates a synthetic forest in which every turn has a message and a reply of made-up words. */
const talkOf = (turns: number) => {
  const { forest } = madeForest(turns, Math.ceil(turns / 20), SEED);
  const random = randomFrom(SEED);
  const text = (words: number): string =>
    Array.from({ length: words }, () => made(Math.floor(VOCABULARY ** random()))).join(' ');
  for (const node of recordsOf(forest.nodes)) {
    const reply = { id: 'r', text: text(WORDS.reply), state: 'done', model: 'm', at: 0, failure: null } as const;
    forest.nodes[node.id] = {
      ...node,
      message: text(WORDS.message),
      replies: [{ ...reply, context: null, timings: [], usage: null }],
      replyId: 'r',
    };
  }
  return { forest, text };
};

const rankedPlainly = ({ nodes }: Forest, query: string): Node[] => {
  const sought = [...countWords(query).counts.keys()];
  const scored = recordsOf(nodes).map((node) => {
    const { counts } = countWords(`${node.message} ${replyText(node)}`);
    return { node, shared: sought.filter((word) => counts.has(word)).length };
  });
  return scored.sort((a, b) => b.shared - a.shared).map(({ node }) => node);
};
