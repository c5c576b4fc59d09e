import type { InclusionReason, Segment } from '../../../../domain/context.ts';
import type { Forest, Node } from '../../../../domain/forest.ts';
import { plural, rounded } from '../../../../domain/numbers.ts';
import { isUnanswered, replyOf, replyText } from '../../../../domain/queries.ts';
import { remembered } from '../../../tasks.ts';
import { markdownLines, passagesOf, type Span, sentencesOf } from '../../../text/sentences.ts';
import type { TokenCache } from '../../../text/token-cache.ts';
import { CONTENT_WEIGHT, readWord, UNSPACED, wordCount, wordsOf } from '../../../text/words.ts';
import { NO_ANSWER, sentReply } from '../../context-text.ts';
import { type Excerpt, excerptOf, leftOutMark, messageInPassages } from '../../message-segment.ts';
import type { RetrievedTurn } from '../../policy.ts';
import { hasReadText, sentMessage, userAttachments } from '../../sent-message.ts';
import { turnSegment } from '../../tokens.ts';
import type { Part, TurnNeed } from './need.ts';

/** One way to include a turn, and how much of what the message needs it is expected to hold. */
export interface Form {
  readonly segment: Segment;
  readonly worth: number;
}

/**
 * Share of a reply's words that each digest keeps, and how much of what the reply is needed for it holds. Set by hand,
 * with `rewrites` in mind.
 */
const DIGESTS = [
  { share: 0.2, holds: 0.5 },
  { share: 0.45, holds: 0.75 },
] as const;
/** How much of what a message is needed for its one-line form holds: all of its words are there. */
const LINE_HOLDS = 0.9;
/** Messages with more words are not put on one line. */
const LINE_WORDS = 40;
/** A text with more words may be sent as passages: this share of it, or as many words as of a file. */
export const LONG_WORDS = 220;
const PASSAGES = { share: 0.35, holds: 0.7 } as const;
/** Between that and all of a text that is to be there as a whole. */
const MOST_OF_IT = [
  { share: 0.55, holds: 0.8 },
  { share: 0.8, holds: 0.9 },
] as const;
/**
 * Words of a long text to include, and how much of what it is needed for they hold: passages found for a question come
 * first, and little more of it is needed. Set by hand.
 */
const EXCERPTS = [
  { words: 1500, holds: 0.8 },
  { words: 500, holds: 0.65 },
  { words: 150, holds: 0.5 },
] as const;
/** The same for the files that came with a message, of which nothing may be sent but their names. */
const OF_FILES = [...EXCERPTS, { words: 0, holds: 0.05 }] as const;

interface Turn {
  readonly node: Node;
  readonly need: TurnNeed;
  /** What retrieval found in it for the message, if anything. */
  readonly found: RetrievedTurn | undefined;
}

/** What is sent of one part of a turn; null for all of it. */
interface SentPart {
  readonly text: string | null;
  readonly wordsLeftOut: number;
  readonly holds: number;
}

const WHOLE: SentPart = { text: null, wordsLeftOut: 0, holds: 1 };

/**
 * Returns the forms of a turn on the path, from shortest to full: its message on one line; its message with a digest or
 * passages of the reply; all of it. Each is shorter than the next.
 */
export const pathForms = async ({ node, need, found }: Turn, tokens: TokenCache): Promise<Form[]> => {
  const reply = replyText(node);
  const sent = sentMessage(node);
  const messages = [WHOLE, ...messagePieces(node, sent, found, 'any size')];
  // Quotes of earlier turns are not an answer; the mark replaces them.
  const replies = isUnanswered(node)
    ? [{ text: NO_ANSWER, wordsLeftOut: 0, holds: 1 }]
    : [WHOLE, ...passages(reply, 'reply', found), ...digests(reply)];
  const line = lineOf(node, reply);
  await tokens.prepare([
    sent,
    sentReply(node),
    reply,
    line ?? '',
    ...[...messages, ...replies].flatMap(({ text }) => text ?? []),
  ]);
  const said = toldOf(need);
  const forms: Form[] = [];
  for (const one of messages) {
    for (const other of replies) {
      const worth = formWorth(need, one, other);
      const whole = one === WHOLE && other === replies[0];
      const segment: Segment = whole
        ? { ...turnSegment(node, tokens), ...said }
        : {
            kind: 'shortened',
            ...sentOf(node),
            message: one.text,
            reply: other.text,
            wordsLeftOut: one.wordsLeftOut + other.wordsLeftOut,
            tokens: tokens.count(one.text ?? sent) + tokens.count(other.text ?? reply),
            ...said,
          };
      forms.push({ segment, worth });
    }
  }
  if (line !== null) {
    const segment: Segment = { kind: 'turn-line', nodeId: node.id, text: line, tokens: tokens.count(line), ...said };
    forms.push({ segment, worth: LINE_HOLDS * Math.max(LEAST, need.message) });
  }
  return shorterFirst(forms);
};

/** Parts of the turn that the context already holds in full. */
export interface HeldParts {
  readonly message: boolean;
  readonly reply: boolean;
}

/**
 * Returns the forms in which a turn is fetched for the message that needs it: its message, its reply, both, or passages
 * of long parts. What the context already holds is not fetched again.
 */
export const fetchedForms = async (
  forest: Forest,
  { node, need, found }: Turn,
  held: HeldParts,
  isOnPath: boolean,
  tokens: TokenCache,
): Promise<Form[]> => {
  const reply = replyText(node);
  const sent = sentMessage(node);
  const messages = held.message ? [] : [WHOLE, ...messagePieces(node, sent, found)];
  const replies = held.reply || reply === '' ? [] : [WHOLE, ...passages(reply, 'reply', found)];
  // A standing request needs no title, with which it would have to be sent anew whenever its topic is renamed.
  const isRequest = need.why.some(({ reason }) => reason === 'constraint');
  const titleOf = (other: SentPart | null) =>
    isOnPath || (isRequest && other === null) ? undefined : forest.trees[node.treeId]?.title;
  const where = isOnPath ? 'Earlier in this topic' : 'From elsewhere in this conversation';
  const headOf = (title: string | undefined) => `${where}, turn ${node.number}${title ? `, ${title}` : ''}`;
  const labels = (one: SentPart | null, other: SentPart | null) =>
    `[${headOf(titleOf(other))}]${one === null ? '' : '\nUser: '}${other === null ? '' : '\nAssistant: '}`;
  // A reply reads better with what it answers.
  const pairs = [null, ...messages].flatMap((one) =>
    [null, ...replies].flatMap((other) => (one !== null || messages.length === 0 ? [{ one, other }] : [])),
  );
  await tokens.prepare([
    ...pairs.map(({ one, other }) => labels(one, other)),
    sent,
    reply,
    ...[...messages, ...replies].flatMap(({ text }) => text ?? []),
  ]);
  const forms = pairs.flatMap(({ one, other }): Form[] => {
    if (one === null && other === null) return [];
    const cost = (piece: SentPart | null, text: string) => (piece === null ? 0 : tokens.count(piece.text ?? text));
    const title = titleOf(other);
    const segment: Segment = {
      kind: 'fetched',
      ...sentOf(node),
      ...(one !== null && { message: one.text }),
      ...(other !== null && { reply: other.text }),
      head: headOf(title),
      ...(title !== undefined && title !== '' && { treeId: node.treeId }),
      wordsLeftOut: (one?.wordsLeftOut ?? 0) + (other?.wordsLeftOut ?? 0),
      tokens: tokens.count(labels(one, other)) + cost(one, sent) + cost(other, reply),
      ...toldOf(need),
    };
    return [{ segment, worth: formWorth(need, one, other) }];
  });
  return shorterFirst(forms);
};

/** Minimum need of a part: more of a turn is worth more even without evidence. */
const LEAST = 0.0001;

const formWorth = (need: TurnNeed, message: SentPart | null, reply: SentPart | null): number =>
  (message?.holds ?? 0) * Math.max(LEAST, need.message) + (reply?.holds ?? 0) * Math.max(LEAST, need.reply);

/** The most that any form of a turn is worth in which it may be fetched. */
export const mostWorth = (need: TurnNeed, held: HeldParts): number =>
  formWorth(need, held.message ? null : WHOLE, held.reply ? null : WHOLE);

const sentOf = (node: Node) => ({
  nodeId: node.id,
  replyId: node.replyId,
  replyLength: replyOf(node)?.text.length ?? 0,
});

const toldOf = (need: TurnNeed): { need: number; why?: InclusionReason[] } => ({
  need: rounded(Math.max(need.message, need.reply), 2),
  ...(need.why.length > 0 && { why: [...need.why] }),
});

/** Null for a message with attachments, too: it would hold all of its words and none of what they are about. */
const lineOf = (node: Node, reply: string): string | null => {
  const words = wordCount(reply);
  if (words === 0 || userAttachments(node).length > 0 || wordCount(node.message) > LINE_WORDS) return null;
  return `[Turn ${node.number}, user: ${node.message.trim()} (reply of ${words} ${plural(words, 'word')} left out)]`;
};

const digests = (reply: string): SentPart[] =>
  DIGESTS.flatMap(({ share, holds }) => pieceOf(digestOf(reply, share), holds));

/** Returns a message with passages of its attachments or, without attached text, passages of a long message itself. */
const messagePieces = (node: Node, sent: string, found: RetrievedTurn | undefined, sizes?: 'any size'): SentPart[] => {
  if (!hasReadText(node)) return passages(sent, 'message', found, sizes);
  const known = found?.passages.filter(({ part }) => part === 'message') ?? [];
  const all = wordCount(sent);
  // A long file has thousands of passages, and each size needs the scores of all.
  const scores = new Map<number, number>();
  const score = ({ from, to }: Span): number => {
    const cached = scores.get(from);
    if (cached !== undefined) return cached;
    const most = known.reduce((best, one) => (one.from < to && from < one.to ? Math.max(best, one.score) : best), 0);
    scores.set(from, most);
    return most;
  };
  return OF_FILES.flatMap(({ words, holds }) =>
    words >= all ? [] : pieceOf(messageInPassages(node, words / all, score), holds),
  );
};

/**
 * A few passages stand for a long text where some of them were found. Elsewhere they would just be its opening: of a
 * reply a digest holds more, and of a turn elsewhere they would cost too little for what they hold. Of a message that
 * stands on the path they are what there is (`any size`).
 */
const passages = (
  text: string,
  part: 'message' | 'reply',
  found: RetrievedTurn | undefined,
  offered?: 'any size',
): SentPart[] => {
  const all = wordCount(text);
  if (all < LONG_WORDS) return [];
  const known = found?.passages.filter((one) => one.part === part && one.to <= text.length) ?? [];
  const spans = known.length > 0 ? known : passagesOf(text).map((span) => ({ ...span, score: 0 }));
  const isFound = known.some(({ score }) => score !== known[0]?.score);
  const excerpts = isFound || offered === 'any size' ? EXCERPTS.filter(({ words }) => words < all) : [];
  const shares = [PASSAGES, ...(offered === 'any size' ? MOST_OF_IT : [])];
  const sizes = [...excerpts, ...shares.map(({ share, holds }) => ({ words: share * all, holds }))].sort(
    (a, b) => a.words - b.words,
  );
  return sizes
    .filter(({ holds }, at) => sizes.slice(0, at).every((shorter) => shorter.holds < holds))
    .flatMap(({ words, holds }) => pieceOf(excerptOf(text, spans, words / all), holds));
};

const pieceOf = (excerpt: Excerpt | null, holds: number): SentPart[] =>
  excerpt === null ? [] : [{ ...excerpt, holds }];

/** Sorts forms by length and drops each that is no shorter than one that holds as much. */
const shorterFirst = (forms: readonly Form[]): Form[] => {
  const sorted = forms.toSorted((a, b) => a.segment.tokens - b.segment.tokens || b.worth - a.worth);
  return sorted.filter((form, at) => sorted.slice(0, at).every(({ worth }) => worth < form.worth));
};

/** A reply with fewer words is sent in full or not at all: its digest would be as long. */
const WORTH_CUTTING = 24;
/** Weight of the opening sentence relative to the others: it says what the answer is. */
const OPENING = 1.5;
/** Exponent of the length that a sentence's worth is divided by: 1 would pick only the shortest. */
const LENGTH = 0.8;

interface Unit {
  readonly text: string;
  /** Starts a line: a list item, a heading, a paragraph. */
  readonly opensLine: boolean;
  readonly words: number;
  readonly stems: ReadonlyMap<string, number>;
}

/**
 * Returns the sentences and list items that cover most of what a text mentions, up to `share` of its words; null if
 * nothing would be saved. Gaps are marked in place and counted at the end. Code is left out entirely.
 */
export const digestOf = (text: string, share: number): Excerpt | null => {
  const key = `${share} ${text}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size >= MOST_KEPT) made.clear();
  const digest = digested(text, share);
  made.set(key, digest);
  return digest;
};

/** Cached because the same replies are digested again whenever a context is composed. */
const made = new Map<string, Excerpt | null>();
const MOST_KEPT = 2000;

const digested = (text: string, share: number): Excerpt | null => {
  const all = wordCount(text);
  if (all < WORTH_CUTTING) return null;
  const units = unitsOf(text);
  const kept = new Set<Unit>();
  const said = new Set<string>();
  let words = 0;
  const most = Math.max(1, all * share);
  const often = new Map<string, number>();
  for (const { stems } of units) for (const stem of stems.keys()) often.set(stem, (often.get(stem) ?? 0) + 1);
  while (words < most) {
    let best: Unit | null = null;
    let bestScore = 0;
    for (const unit of units) {
      if (kept.has(unit) || (kept.size > 0 && words + unit.words > most * 1.3)) continue;
      let worth = 0;
      for (const [stem, weight] of unit.stems) {
        if (!said.has(stem)) worth += weight * (1 + Math.log(often.get(stem) ?? 1));
      }
      const score = ((unit === units[0] ? OPENING : 1) * worth) / unit.words ** LENGTH;
      if (score > bestScore) [best, bestScore] = [unit, score];
    }
    if (best === null) break;
    kept.add(best);
    words += best.words;
    for (const stem of best.stems.keys()) said.add(stem);
  }
  const wordsLeftOut = all - words;
  if (kept.size === 0 || wordsLeftOut < WORTH_CUTTING / 2) return null;
  return { text: `${joined(units, kept)} ${leftOutMark(wordsLeftOut)}`, wordsLeftOut };
};

const unitsOf = (text: string): Unit[] => {
  const units: Unit[] = [];
  for (const { text: line, isCode } of markdownLines(text).lines) {
    if (isCode) continue;
    for (const [at, sentence] of sentencesOf(line).entries()) {
      const stems = new Map<string, number>();
      for (const word of wordsOf(sentence)) {
        const { root, weight } = readWord(word);
        if (weight >= CONTENT_WEIGHT) stems.set(root, weight);
      }
      units.push({ text: sentence, opensLine: at === 0, words: Math.max(1, wordCount(sentence)), stems });
    }
  }
  return units;
};

const joined = (units: readonly Unit[], kept: ReadonlySet<Unit>): string => {
  let text = '';
  let gap = false;
  for (const unit of units) {
    if (!kept.has(unit)) {
      gap = true;
      continue;
    }
    const between = text === '' ? '' : gap ? ' … ' : unit.opensLine ? '\n' : ' ';
    text += between + unit.text;
    gap = false;
  }
  return text;
};

/** Texts with fewer words are not versions of one thing; they just say the same. */
const WORK_WORDS = 40;
/** Share of the shorter text's word runs that another version must share. */
const SAME_WORK = 0.3;
/** Share of a text's word runs that a later one must have to replace it; a shorter one is a part of it, a fix or a quote. */
const COMPARABLE = 0.5;
const RUN = 3;

interface Version {
  readonly node: Node;
  readonly part: Part;
  readonly isNewest: boolean;
  /** A reply has replaced it. */
  readonly isRewritten: boolean;
  /** Of the texts that were given without being revised, such as articles or diary entries, only the newest is. */
  readonly isWhole: boolean;
}

interface Work extends Pick<Version, 'node' | 'part'> {
  /** Of the turns. */
  readonly place: number;
  readonly isCode: boolean;
  /** A long text of the user's. */
  readonly isGiven: boolean;
  readonly runs: ReadonlySet<string>;
}

/**
 * Returns texts with more than one version; and code and long texts that the user gave, such as an article or a letter,
 * each of which is its own newest unless a newer one follows. What repeats only a part of a text does not replace it.
 */
export const versionsIn = (turns: readonly Node[]): Version[] => {
  const works = turns.flatMap((node, place) =>
    (['message', 'reply'] as const).flatMap((part): Work[] => {
      if (part === 'reply' && isUnanswered(node)) return [];
      const text = part === 'message' ? node.message : replyText(node);
      const code = codeIn(text);
      const body = code ?? text;
      if (code === null && wordCount(body) < WORK_WORDS) return [];
      const isGiven = part === 'message' && isGivenText(node);
      return [{ node, part, place, isCode: code !== null, isGiven, runs: runsOf(body) }];
    }),
  );
  const isLike = (one: Work, other: Work): boolean => shared(one.runs, other.runs) >= SAME_WORK;
  const later = (work: Work): Work[] => works.slice(works.indexOf(work) + 1).filter((other) => isLike(work, other));
  const replacing = (work: Work): Work[] =>
    later(work).filter((other) => other.runs.size >= COMPARABLE * work.runs.size);
  const replaced = new Map(works.map((work) => [work, replacing(work)] as const).filter(([, by]) => by.length > 0));
  const shortened = new Set(
    works.filter((work) => !replaced.has(work) && later(work).some((other) => isShortened(work, other))),
  );
  const given = works.findLast((work) => work.isGiven && !replaced.has(work));
  return works.flatMap((work) => {
    const { node, part, isCode, isGiven } = work;
    // The shorter one may also quote from all over it, so that it is still needed as other replies are.
    if (shortened.has(work)) return [];
    const isNewest = !replaced.has(work);
    const isRewritten = replaced.get(work)?.some((other) => other.part === 'reply') ?? false;
    const isVersion = !isNewest || isCode || isGiven || works.some((other) => other !== work && isLike(work, other));
    return isVersion ? [{ node, part, isNewest, isRewritten, isWhole: isNewest && (!isGiven || work === given) }] : [];
  });
};

/** Whether a message is a long text, not code, such as an article or a letter. */
export const isGivenText = (node: Node): boolean =>
  wordCount(node.message) >= LONG_WORDS && codeIn(node.message) === null && !hasReadText(node);

/** Whether a reply is the one before it made shorter, not a part of it: it has something of each third. */
const isShortened = (work: Work, other: Work): boolean => {
  if (work.part !== 'reply' || other.part !== 'reply' || work.isCode || other.isCode) return false;
  if (other.place !== work.place + 1) return false;
  const runs = [...work.runs].map((run) => other.runs.has(run));
  const both = (some: readonly boolean[]): number => some.filter(Boolean).length;
  const third = runs.length / 3;
  return [0, 1, 2].every((at) => both(runs.slice(at * third, (at + 1) * third)) >= both(runs) / 6);
};

const CODE = /(?:```|~~~)[^\n]*\n([\s\S]*?)(?:```|~~~|$)/g;
/** Code with fewer lines is a passing example. */
const CODE_LINES = 4;

/** Returns the code of a text without its fences; null if there is little. */
const codeIn = (text: string): string | null => {
  const code = [...text.matchAll(CODE)].map(([, body = '']) => body).join('\n');
  return code.split('\n').filter((line) => line.trim() !== '').length < CODE_LINES ? null : code;
};

/** More than the texts that one message compares. */
const MOST_RUNS = 64;

/**
 * Returns every run of a few words in a text; of characters for scripts without spaces. Cached because the latest texts
 * are compared again for each message.
 */
const runsOf = remembered(MOST_RUNS, (text): ReadonlySet<string> => {
  const words = wordsOf(text.toLowerCase()).flatMap((word) => (UNSPACED.test(word) ? [...word] : [word]));
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(' '));
  return runs;
});

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  if (few.size === 0) return 0;
  let both = 0;
  for (const run of few) if (many.has(run)) both++;
  return both / few.size;
};

/**
 * Whether a message was sent later in the place of another, without its place being chosen: the other was edited, or the
 * user went back and on otherwise. A topic of its own is only another version if it says the same in part.
 */
export const isVersionOf = (later: Node, node: Node): boolean =>
  later.number > node.number &&
  later.parentId === node.parentId &&
  (later.decision.by === 'person' || later.decision.by === 'import') &&
  later.label === null &&
  (node.parentId !== null || isAlike(later, node));

/** Whether two messages say the same in part. */
export const isAlike = (one: Node, other: Node): boolean =>
  shared(new Set(wordsOf(one.message.toLowerCase())), new Set(wordsOf(other.message.toLowerCase()))) >= COMPARABLE;

const PASTE_WORDS = 60;
/** A longer reply is a real answer; the next long message is then a separate matter. */
const ACKNOWLEDGED_WORDS = 40;

/** Share of the shorter message's word runs from which the next one is the same text revised, not another part. */
const REVISED = 0.67;

/** Finds consecutive long messages with hardly any reply in between: one thing, in parts. */
export const pastedIn = (turns: readonly Node[]): ReadonlySet<Node> => {
  const pasted = new Set<Node>();
  for (const [at, node] of turns.entries()) {
    const next = turns[at + 1];
    if (next === undefined || wordCount(node.message) < PASTE_WORDS || wordCount(next.message) < PASTE_WORDS) continue;
    if (!isUnanswered(node) && wordCount(replyText(node)) > ACKNOWLEDGED_WORDS) continue;
    if (shared(runsOf(node.message), runsOf(next.message)) < REVISED) pasted.add(node).add(next);
  }
  return pasted;
};
