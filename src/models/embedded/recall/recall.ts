import { type Node, RECALL } from '../../../domain/forest.ts';
import { replyText } from '../../../domain/queries.ts';
import { isRecalled, RECALL_OPENINGS, RECALL_WINDOW, RECALL_WORD_DELAY } from '../../../engine/embedded-names.ts';
import type { ChatModel, ChatRequest, NodeView, TokenCounter } from '../../../engine/ports.ts';
import { subjectWords } from '../../../engine/text/terms.ts';
import { CONTENT_WEIGHT, contentWeights, shareIn, stemsOf, wordCount } from '../../../engine/text/words.ts';
import { sentencesIn } from '../../text/plain-text.ts';

interface RecallOptions {
  readonly tokens: TokenCounter;
  /** Milliseconds between words of a reply; 0 for all at once. */
  readonly wordDelay?: () => number;
}

/**
 * Role `chat` without a language model: says that it is not one, and quotes what the path and the nearest other turns already say
 * about the message. The same request always gives the same text.
 */
export const createRecall = ({ tokens, wordDelay = () => RECALL_WORD_DELAY }: RecallOptions): ChatModel => ({
  name: RECALL,
  window: RECALL_WINDOW,
  tokens,
  async *reply(request, signal) {
    const text = rest(recalled(request), request.begun);
    const delay = wordDelay();
    for (const piece of delay === 0 ? [text] : (text.match(/\s*\S+\s*/gu) ?? [])) {
      if (delay > 0) await pause(delay, signal);
      if (signal.aborted) return;
      yield piece;
    }
  },
});

/** The whole reply. Turns are linked as `#turn-N`. */
export const recalled = ({ messages, quotable }: Pick<ChatRequest, 'messages' | 'quotable'>): string => {
  const { message = messages.findLast(({ role }) => role === 'user')?.content ?? '', ...turns } = quotable();
  const quotes = quotesFor(message, turns);
  const onPath = quotes.filter((quote) => quote.onPath);
  const elsewhere = quotes.filter((quote) => !quote.onPath);
  return [
    openingFor(message),
    ...(quotes.length === 0 ? [NOTHING_FITS] : []),
    ...(onPath.length === 0 ? [] : [ON_PATH, ...onPath.map(blockquote)]),
    ...(elsewhere.length === 0 ? [] : [ELSEWHERE, ...elsewhere.map(blockquote)]),
  ].join('\n\n');
};

const blockquote = ({ text, turn, by }: Quote): string =>
  `> ${escaped(text)}\n>\n> — ${by === 'user' ? 'you' : 'the reply'}, [Turn ${turn}](#turn-${turn})`;

/** Quoted text must not become markup. Of brackets, only the closing one is escaped: `\[` would open a formula. */
const escaped = (text: string): string => text.replace(/[\\`*_\]<>|~$&]/g, '\\$&').replace(/^(\d*)([#+.)-])/, '$1\\$2');

/** Returns what follows the part already sent; the whole reply, after a blank line, if the conversation has changed since. */
const rest = (whole: string, begun: string): string =>
  whole.startsWith(begun) ? whole.slice(begun.length) : `\n\n${whole}`;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });

interface Quote {
  readonly text: string;
  readonly stems: readonly string[];
  /** Number of the turn it is from. */
  readonly turn: number;
  readonly by: 'user' | 'reply';
  readonly onPath: boolean;
}

/** Maximum number of quotes in a reply, each from a different turn: nobody reads more. */
const MOST = 3;
/**
 * Minimum score of a quote: half the share of the message's words that it has, plus half the similarity of its turn. Either alone
 * requires about half of the words, or nearly the same message.
 */
const LEAST_SCORE = 0.3;
/** Minimum share of the message's words in a quote whose turn as a whole is not similar (cosine of `use-lite-en`). */
const LEAST_OVERLAP = 0.12;
const SIMILAR = 0.5;
const LONGEST = 280;

interface Candidate extends Quote {
  readonly score: number;
}

/** Returns the sentences that fit a message best, those of the path first, then in chronological order. */
const quotesFor = (
  message: string,
  { path, nearest, spoken = null }: { path: readonly NodeView[]; nearest: readonly NodeView[]; spoken?: string | null },
): Quote[] => {
  const wanted = weightsIn(message, spoken);
  const onPath = new Set(path.map(({ node }) => node.id));
  const views = new Map([...nearest, ...path].map((view) => [view.node.id, view]));
  // Where a question is repeated, its earlier answer is the quote.
  const asked = new Set(sentencesIn(message).map(shortened));
  const isAnother = ({ by, text }: Quote): boolean => by === 'reply' || !asked.has(text);

  return [...views.values()]
    .flatMap((view) => best(sayings(view, onPath.has(view.node.id), spoken).filter(isAnother), wanted, view, spoken))
    .sort((a, b) => b.score - a.score || b.turn - a.turn)
    .slice(0, MOST)
    .sort((a, b) => Number(b.onPath) - Number(a.onPath) || a.turn - b.turn);
};

/** A question of fewer words is about one of them even if all are filler: “Was mag ich nicht?”, unlike “Qu'est-ce que je peux …”. */
const LONG_QUESTION = 6;

/** The words of a text that say what it is about; as for English where the language is not known. */
const weightsIn = (text: string, spoken: string | null): ReadonlyMap<string, number> => {
  if (spoken === null || spoken === 'en') return contentWeights(text);
  const words = new Map([...subjectWords(text, spoken)].filter(([, weight]) => weight >= CONTENT_WEIGHT));
  return words.size > 0 || wordCount(text) >= LONG_QUESTION ? words : contentWeights(text);
};

/** All that `weightsIn` of another text may look for. */
const stemsIn = (text: string, spoken: string | null): readonly string[] =>
  spoken === null || spoken === 'en' ? stemsOf(text) : [...stemsOf(text), ...subjectWords(text, spoken).keys()];

const sayings = ({ node }: NodeView, onPath: boolean, spoken: string | null): Quote[] => {
  const reply = replyText(node);
  let known = said.get(node);
  // Compare the text as well: folding a forest changes its nodes in place.
  if (known?.reply !== reply || known.spoken !== spoken) {
    known = { reply, spoken, sayings: saidIn(node, reply, spoken) };
    said.set(node, known);
  }
  return known.sayings.map((one) => ({ ...one, onPath }));
};

type Saying = Omit<Quote, 'onPath'>;

/** Every reply goes through the path, and most of its turns are the same as before. */
const said = new WeakMap<
  Node,
  { readonly reply: string; readonly spoken: string | null; readonly sayings: readonly Saying[] }
>();

const saidIn = (node: Node, reply: string, spoken: string | null): Saying[] => {
  const replied = isRecalled(reply) ? [] : sentencesIn(reply).map((text) => ({ text, by: 'reply' as const }));
  return [...sentencesIn(node.message).map((text) => ({ text, by: 'user' as const })), ...replied]
    .filter(({ text }) => wordCount(text) > 2)
    .map(({ text, by }) => ({ text: shortened(text), turn: node.number, by }))
    .map((saying) => ({ ...saying, stems: stemsIn(saying.text, spoken) }));
};

/** The one sentence of a turn that fits best, if it fits well enough. */
const best = (
  quotes: readonly Quote[],
  wanted: ReadonlyMap<string, number>,
  { node, similarity }: NodeView,
  spoken: string | null,
): Candidate[] => {
  let asked: ReadonlyMap<string, number> | null = null;
  let found: Candidate | null = null;
  for (const quote of quotes) {
    const shared = shareIn(wanted, quote.stems);
    if (shared < LEAST_OVERLAP && similarity < SIMILAR) continue;
    // Of two equal fits, a reply says more than the question did, and most if it takes up the question.
    let bonus = 0;
    if (quote.by === 'reply') {
      asked ??= weightsIn(node.message, spoken);
      bonus = 0.02 + 0.1 * shareIn(asked, quote.stems);
    }
    const score = shared / 2 + Math.max(0, similarity) / 2 + bonus;
    if (score >= LEAST_SCORE && (found === null || score > found.score)) found = { ...quote, score };
  }
  return found === null ? [] : [found];
};

/** Cut between words; a script without spaces, and an address, anywhere. */
const shortened = (text: string): string =>
  text.length <= LONGEST
    ? text
    : `${text
        .slice(0, LONGEST)
        .replace(/[\uD800-\uDBFF]$/, '')
        .replace(/\s+\S{0,40}$/u, '')} …`;

const NOTHING_FITS =
  'Nothing said so far bears on this message. For an answer, choose a chat model in **Models**; until then I keep every turn in its place.';

const ON_PATH = 'On this path:';
const ELSEWHERE = 'Elsewhere in the forest:';

/** One of the openings, always the same for the same message. */
export const openingFor = (message: string): string => {
  let hash = 0;
  for (const character of message) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return RECALL_OPENINGS[hash % RECALL_OPENINGS.length] ?? RECALL_OPENINGS[0];
};
