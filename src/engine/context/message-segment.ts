import type { Segment } from '../../domain/context.ts';
import type { Node } from '../../domain/forest.ts';
import { plural } from '../../domain/numbers.ts';
import { markdownLines, passagesOf, type Span } from '../text/sentences.ts';
import type { TokenCache } from '../text/token-cache.ts';
import { wordCount } from '../text/words.ts';
import { hasReadText, type MessageWithAttachments, sentMessage, sentPart, userAttachments } from './sent-message.ts';
import { turnTokens } from './tokens.ts';

/** Scores a span of a message as it is sent in full. */
type Score = (span: Span, text: string) => number;

/** Share of the room left for files to aim for; omission marks and headings take some. */
const AIM = 0.9;
/** Number of smaller attempts before no file content is sent. */
const TRIES = 4;

/** What keeps its room beside a message whose attachments are cut. */
interface Beside {
  /** The turn before the message, which must be prepared. */
  readonly last: Node | undefined;
  /** The line that counts the turns before that one; empty if there are none. */
  readonly line: () => string;
  /** Tokens. */
  readonly budget?: number;
}

const NOTHING: Beside = { last: undefined, line: () => '' };

/**
 * The message being answered. If its attachments do not fit into `most` tokens, only passages related to the message's
 * words are sent and the rest is counted; of the room for passages, what the last exchange takes with the line that
 * counts the turns before it (`beside`) is left to them if that is at most half. Its own words are always sent in full.
 * Prepares its own texts.
 */
export const messageSegment = async (
  node: Node,
  most: number,
  tokens: TokenCache,
  beside: Beside,
): Promise<Segment & { kind: 'message' }> => {
  const whole = sentMessage(node);
  await tokens.prepare([whole, node.message]);
  const segment = { kind: 'message' as const, nodeId: node.id, tokens: tokens.count(whole) };
  if (segment.tokens <= most || !hasReadText(node)) return segment;
  const own = tokens.count(node.message);
  const room = Math.max(0, most - own);
  const taken = await tokensBeside(beside, tokens);
  const left = taken <= room / 2 ? room - taken : room;
  const score = await byOwnWords(node);
  let share = (AIM * left) / (segment.tokens - own);
  for (let tries = TRIES; ; tries--) {
    // Half the room may hold no passage at all.
    if (tries === 0 && left < room) return messageSegment(node, most, tokens, NOTHING);
    const cut = messageInPassages(node, tries === 0 ? 0 : share, score);
    if (cut === null) {
      // One short file that does not fit: nothing of it is sent.
      if (tries === 0 || share === 0) return segment;
      share = 0;
      continue;
    }
    await tokens.prepare([cut.text]);
    const cost = tokens.count(cut.text);
    if (cost <= own + left || tries === 0 || share === 0) return { ...segment, text: cut.text, tokens: cost };
    share *= Math.min(AIM, (AIM * left) / Math.max(1, cost - own));
  }
};

const tokensBeside = async ({ last, line, budget }: Beside, tokens: TokenCache): Promise<number> => {
  const counted = line();
  await tokens.prepare([counted]);
  const both = tokens.count(counted) + (last === undefined ? 0 : turnTokens(last, tokens));
  return Math.min(both, budget ?? Number.POSITIVE_INFINITY);
};

/**
 * Returns a message with passages of its attachments: from each file the best ones that make up `share` of it, none for
 * a share of 0. Files of one passage are whole or left out: the best ones that make up `share` of all files are sent.
 * `scoreOf` scores a span of the message as it is sent in full. Null if nothing was read or nothing would be left out.
 */
export const messageInPassages = (said: MessageWithAttachments, share: number, scoreOf: Score): Excerpt | null => {
  let at = said.message.length;
  const files = userAttachments(said).map((one) => {
    const { text = '' } = one;
    const whole = sentPart(one, one.text);
    const start = at + 2 + (whole.length - (one.text ?? whole).length);
    at += 2 + whole.length;
    const spans = (share === 0 ? [] : passagesOf(text)).map(
      ({ from, to }): ScoredPassage => ({
        from,
        to,
        score: scoreOf({ from: start + from, to: start + to }, text.slice(from, to)),
      }),
    );
    return { one, text, whole, spans };
  });
  const short = files.flatMap(({ spans }) => (spans.length === 1 ? spans : []));
  const kept = bestOf(short, share * files.reduce((length, { text }) => length + text.length, 0));
  let wordsLeftOut = 0;
  const parts = [said.message];
  for (const { one, text, whole, spans } of files) {
    const isLeftOut = spans.length === 0 ? share === 0 : spans.length === 1 && !kept.has(spans[0] as ScoredPassage);
    const cut = isLeftOut ? withoutWords(text) : excerptOf(text, spans, share);
    parts.push(cut === null ? whole : sentPart(one, cut.text));
    wordsLeftOut += cut?.wordsLeftOut ?? 0;
  }
  return wordsLeftOut === 0 ? null : { text: parts.join('\n\n'), wordsLeftOut };
};

const withoutWords = (text: string): Excerpt | null => {
  const words = wordCount(text);
  return words === 0 ? null : { text: leftOutMark(words), wordsLeftOut: words };
};

/** Scores spans of a message's files by the words they share with the message, rare ones more. */
const byOwnWords = async (said: MessageWithAttachments): Promise<Score> => {
  // Comes with stop word lists, and most files fit.
  const { countWords, queryWords } = await import('../text/terms.ts');
  const asked = queryWords(said.message, null);
  const often = new Map<string, number>();
  let passages = 0;
  for (const { text = '' } of userAttachments(said)) {
    for (const { from, to } of passagesOf(text)) {
      passages += 1;
      for (const root of countWords(text.slice(from, to)).counts.keys()) {
        if (asked.has(root)) often.set(root, (often.get(root) ?? 0) + 1);
      }
    }
  }
  return (_, text) => {
    let score = 0;
    for (const root of countWords(text).counts.keys()) {
      score += (asked.get(root) ?? 0) * Math.log(1 + passages / (often.get(root) ?? 1));
    }
    return score;
  };
};

/** Part of a text, and the number of words left out. */
export interface Excerpt {
  readonly text: string;
  readonly wordsLeftOut: number;
}

/** Marks where words of a text were left out. */
export const leftOutMark = (words: number): string => `[… ${words} ${plural(words, 'word')} left out …]`;

interface ScoredPassage {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** The best passages that take up `most` UTF-16 units, and at least one; of equal ones the first. */
const bestOf = (passages: readonly ScoredPassage[], most: number): ReadonlySet<ScoredPassage> => {
  const kept = new Set<ScoredPassage>();
  let length = 0;
  for (const one of passages.toSorted((a, b) => b.score - a.score)) {
    const size = one.to - one.from;
    if (kept.size > 0 && length + size > most) continue;
    kept.add(one);
    length += size;
  }
  return kept;
};

/**
 * Returns the passages of a long text that matter most, in order, with each gap marked and counted: the best ones that
 * make up `share` of it. Null if nothing would be saved. The first passage says what the text is, so it ranks at least
 * at the median. Passages that follow each other stay as they were written, line breaks and indentation included;
 * fenced code is closed before a gap and opened again behind it.
 */
export const excerptOf = (text: string, passages: readonly ScoredPassage[], share: number): Excerpt | null => {
  if (passages.length < 2) return null;
  const middling = passages.map(({ score }) => score).toSorted((a, b) => a - b)[passages.length >> 1] as number;
  const [opening, ...others] = passages as readonly [ScoredPassage, ...ScoredPassage[]];
  const ranked = [{ ...opening, score: Math.max(opening.score, middling) }, ...others];
  const kept = bestOf(ranked, share * text.length);
  if (kept.size === ranked.length) return null;
  const pieces: string[] = [];
  const isFenced = FENCE.test(text);
  /** The line that would close the code that a run ends in. */
  let open: string | null = null;
  let wordsLeftOut = 0;
  let at = 0;
  while (at < ranked.length) {
    const first = at;
    const isKept = kept.has(ranked[first] as ScoredPassage);
    while (at < ranked.length && kept.has(ranked[at] as ScoredPassage) === isKept) at++;
    const start = lineStart(text, (ranked[first] as ScoredPassage).from);
    const run = text.slice(start, (ranked[at - 1] as ScoredPassage).to);
    const reopened: string | null = open;
    if (isFenced) open = markdownLines(reopened === null ? run : `${reopened}\n${run}`).unclosed;
    if (isKept) {
      const lines = run.trimEnd().replace(/^\s*\n/, '');
      pieces.push([reopened, lines, open].filter((line) => line !== null).join('\n'));
      continue;
    }
    const words = wordCount(run);
    if (words > 0) pieces.push(leftOutMark(words));
    wordsLeftOut += words;
  }
  return { text: pieces.join('\n'), wordsLeftOut };
};

const FENCE = /`{3}|~{3}/;

/** Where the line begins if there is only white space before `from`: the passage before ends with the indentation. */
const lineStart = (text: string, from: number): number => {
  let start = from;
  while (start > 0 && /[^\S\n]/.test(text[start - 1] as string)) start--;
  return start === 0 || text[start - 1] === '\n' ? start : from;
};
