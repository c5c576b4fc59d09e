import { replyText } from '../../../engine/context/context-text.ts';
import type { NodeView } from '../../../engine/ports.ts';
import { contentWeights, overlap, wordCount } from '../../../engine/text/words.ts';
import { sentencesIn } from '../../text/sentences.ts';
import { isRecalled } from './recall-words.ts';

export interface Quote {
  readonly text: string;
  /** Number of the turn it is from. */
  readonly turn: number;
  readonly by: 'user' | 'reply';
  readonly onPath: boolean;
}

/** Quotes in one reply, each from another turn: more is no longer read. */
const MOST = 3;
/**
 * From which score a sentence is quoted. Half is the share of the message's words that it has, half the
 * similarity of its turn: by either alone it takes about half of the words, or nearly the same message.
 */
const LEAST_SCORE = 0.3;
/** A quote's share of the message's words, if the turn as a whole is not similar (cosine of `use-lite-en`). */
const LEAST_OVERLAP = 0.12;
const SIMILAR = 0.5;
const LONGEST = 280;

interface Candidate extends Quote {
  readonly score: number;
}

/** The sentences that fit a message best, those of the path first, then in order of time. */
export const quotesFor = (
  message: string,
  { path, nearest }: { path: readonly NodeView[]; nearest: readonly NodeView[] },
): Quote[] => {
  const wanted = contentWeights(message);
  const onPath = new Set(path.map(({ node }) => node.id));
  const views = new Map([...nearest, ...path].map((view) => [view.node.id, view]));
  // The message's own turn may already stand at the end of the path.
  const last = path.at(-1)?.node;
  if (last !== undefined && last.message === message) views.delete(last.id);

  return [...views.values()]
    .flatMap((view) => best(sayings(view, onPath.has(view.node.id)), wanted, view))
    .sort((a, b) => b.score - a.score || b.turn - a.turn)
    .slice(0, MOST)
    .sort((a, b) => Number(b.onPath) - Number(a.onPath) || a.turn - b.turn);
};

const sayings = ({ node }: NodeView, onPath: boolean): Quote[] => {
  const reply = replyText(node);
  const said = isRecalled(reply) ? [] : sentencesIn(reply).map((text) => ({ text, by: 'reply' as const }));
  return [...sentencesIn(node.message).map((text) => ({ text, by: 'user' as const })), ...said]
    .filter(({ text }) => wordCount(text) > 2)
    .map(({ text, by }) => ({ text: shortened(text), turn: node.number, by, onPath }));
};

/** The one sentence of a turn that fits best, if it fits well enough. */
const best = (
  quotes: readonly Quote[],
  wanted: ReadonlyMap<string, number>,
  { node, similarity }: NodeView,
): Candidate[] => {
  const asked = contentWeights(node.message);
  let found: Candidate | null = null;
  for (const quote of quotes) {
    const shared = overlap(wanted, quote.text);
    if (shared < LEAST_OVERLAP && similarity < SIMILAR) continue;
    // Of two that fit alike, a reply says more than the question did, and most where it takes up the question.
    const bonus = quote.by === 'reply' ? 0.02 + 0.1 * overlap(asked, quote.text) : 0;
    const score = shared / 2 + Math.max(0, similarity) / 2 + bonus;
    if (score >= LEAST_SCORE && (found === null || score > found.score)) found = { ...quote, score };
  }
  return found === null ? [] : [found];
};

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\s+\S*$/u, '')} …`;
