import type { Segment, Why } from '../../../../domain/context.ts';
import type { Forest, Node } from '../../../../domain/forest.ts';
import { replyOf } from '../../../../domain/queries.ts';
import { wordCount } from '../../../text/words.ts';
import { isUnanswered, NO_ANSWER, replyText, sentReply } from '../../context-text.ts';
import { passagesOf } from '../../retrieval/passages.ts';
import type { Retrieved } from '../../retrieval/retrieved.ts';
import type { TokenCache } from '../../token-cache.ts';
import { turnSegment } from '../turn-segment.ts';
import { digestOf } from './digest.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import type { TurnNeed } from './need.ts';

/** One way in which a turn can go in, and how much of what the message needs it is expected to hold. */
export interface Form {
  readonly segment: Segment;
  readonly worth: number;
}

/** Shares of a reply's words that its digests keep, and how much of what the reply is needed for they hold. Set by hand, in view of `rewrites`. */
const DIGESTS = [
  { share: 0.2, holds: 0.5 },
  { share: 0.45, holds: 0.75 },
] as const;
/** What a message in a line holds of what it is needed for: its words are all there. */
const LINE_HOLDS = 0.9;
/** A message of more words is no line. */
const LINE_WORDS = 40;
/** A text of more words may go in as its passages, so large a share of it, which then hold so much of what it is needed for. */
const LONG_WORDS = 220;
const PASSAGES = { share: 0.35, holds: 0.7 } as const;

interface Turn {
  readonly node: Node;
  readonly need: TurnNeed;
  /** What retrieval found of it for the message, if anything. */
  readonly found: Retrieved | undefined;
}

/** What of a part of a turn is sent: null for the whole. */
interface Piece {
  readonly text: string | null;
  readonly wordsLeftOut: number;
  readonly holds: number;
}

const WHOLE: Piece = { text: null, wordsLeftOut: 0, holds: 1 };

/**
 * The forms of a turn of the path, from the shortest to the whole: its message in a line; its message with a digest or passages of the
 * reply; all of it. Only those that are shorter than the next.
 */
export const pathForms = async ({ node, need, found }: Turn, tokens: TokenCache): Promise<Form[]> => {
  const reply = replyText(node);
  const messages = [WHOLE, ...passages(node.message, 'message', found)];
  // Quotes of earlier turns are no answer: the mark stands for them.
  const replies = isUnanswered(node)
    ? [{ text: NO_ANSWER, wordsLeftOut: 0, holds: 1 }]
    : [WHOLE, ...passages(reply, 'reply', found), ...digests(reply)];
  const line = lineOf(node, reply);
  await tokens.prepare([
    node.message,
    sentReply(node),
    reply,
    line ?? '',
    ...[...messages, ...replies].flatMap(({ text }) => text ?? []),
  ]);
  const said = toldOf(need);
  const forms: Form[] = [];
  for (const one of messages) {
    for (const other of replies) {
      const worth = worthOf(need, one, other);
      const whole = one === WHOLE && other === replies[0];
      const segment: Segment = whole
        ? { ...turnSegment(node, tokens), ...said }
        : {
            kind: 'shortened',
            ...sentOf(node),
            message: one.text,
            reply: other.text,
            wordsLeftOut: one.wordsLeftOut + other.wordsLeftOut,
            tokens: tokens.count(one.text ?? node.message) + tokens.count(other.text ?? reply),
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

/** What of the turn the context holds whole already. */
export interface Held {
  readonly message: boolean;
  readonly reply: boolean;
}

/**
 * The forms in which a turn is fetched from where it stands to the message that needs it: its message, its reply, both, or passages
 * of what is long. What the context holds already is not fetched again.
 */
export const fetchedForms = async (
  forest: Forest,
  { node, need, found }: Turn,
  held: Held,
  isOnPath: boolean,
  tokens: TokenCache,
): Promise<Form[]> => {
  const reply = replyText(node);
  const messages = held.message ? [] : [WHOLE, ...passages(node.message, 'message', found)];
  const replies = held.reply || reply === '' ? [] : [WHOLE, ...passages(reply, 'reply', found)];
  const title = isOnPath ? undefined : forest.trees[node.treeId]?.title;
  const where = isOnPath ? 'Earlier in this topic' : 'From elsewhere in this conversation';
  const head = `${where}, turn ${node.number}${title ? `, ${title}` : ''}`;
  const labels = (one: Piece | null, other: Piece | null) =>
    `[${head}]${one === null ? '' : '\nUser: '}${other === null ? '' : '\nAssistant: '}`;
  // A reply reads better with what it answers.
  const pairs = [null, ...messages].flatMap((one) =>
    [null, ...replies].flatMap((other) => (one !== null || messages.length === 0 ? [{ one, other }] : [])),
  );
  await tokens.prepare([
    ...pairs.map(({ one, other }) => labels(one, other)),
    node.message,
    reply,
    ...[...messages, ...replies].flatMap(({ text }) => text ?? []),
  ]);
  const forms = pairs.flatMap(({ one, other }): Form[] => {
    if (one === null && other === null) return [];
    const cost = (piece: Piece | null, text: string) => (piece === null ? 0 : tokens.count(piece.text ?? text));
    const segment: Segment = {
      kind: 'fetched',
      ...sentOf(node),
      ...(one !== null && { message: one.text }),
      ...(other !== null && { reply: other.text }),
      head,
      ...(title !== undefined && title !== '' && { treeId: node.treeId }),
      wordsLeftOut: (one?.wordsLeftOut ?? 0) + (other?.wordsLeftOut ?? 0),
      tokens: tokens.count(labels(one, other)) + cost(one, node.message) + cost(other, reply),
      ...toldOf(need),
    };
    return [{ segment, worth: worthOf(need, one, other) }];
  });
  return shorterFirst(forms);
};

/** More of a turn is worth more, though nothing speaks for it. */
const LEAST = 0.0001;

const worthOf = (need: TurnNeed, message: Piece | null, reply: Piece | null): number =>
  (message?.holds ?? 0) * Math.max(LEAST, need.message) + (reply?.holds ?? 0) * Math.max(LEAST, need.reply);

const sentOf = (node: Node) => ({
  nodeId: node.id,
  replyId: node.replyId,
  replyLength: replyOf(node)?.text.length ?? 0,
});

const toldOf = (need: TurnNeed): { need: number; why?: Why[] } => ({
  need: Math.round(Math.max(need.message, need.reply) * 100) / 100,
  ...(need.why.length > 0 && { why: [...need.why] }),
});

const lineOf = (node: Node, reply: string): string | null => {
  const words = wordCount(reply);
  if (words === 0 || wordCount(node.message) > LINE_WORDS) return null;
  return `[Turn ${node.number}, user: ${node.message.trim()} (reply of ${words} ${words === 1 ? 'word' : 'words'} left out)]`;
};

const digests = (reply: string): Piece[] =>
  DIGESTS.flatMap(({ share, holds }) => pieceOf(digestOf(reply, share), holds));

const passages = (text: string, part: 'message' | 'reply', found: Retrieved | undefined): Piece[] => {
  if (wordCount(text) < LONG_WORDS) return [];
  const known = found?.passages.filter((one) => one.part === part && one.to <= text.length) ?? [];
  const spans = known.length > 0 ? known : passagesOf(text).map((span) => ({ ...span, score: 0 }));
  return pieceOf(excerptOf(text, spans, PASSAGES.share), PASSAGES.holds);
};

const pieceOf = (excerpt: Excerpt | null, holds: number): Piece[] => (excerpt === null ? [] : [{ ...excerpt, holds }]);

/** A form that is no shorter than one that holds as much is not used: shorter than what it stands for, or not at all. */
const shorterFirst = (forms: readonly Form[]): Form[] => {
  const sorted = forms.toSorted((a, b) => a.segment.tokens - b.segment.tokens || b.worth - a.worth);
  return sorted.filter((form, at) => sorted.slice(0, at).every(({ worth }) => worth < form.worth));
};
