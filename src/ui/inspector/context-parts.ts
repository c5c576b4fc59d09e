import {
  type ChatMessage,
  type Context,
  type InclusionReason,
  listedTurns,
  type Overview,
  type OverviewLine,
  type Segment,
} from '../../domain/context.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { plural } from '../../domain/numbers.ts';
import { contextOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { placeOf, turnsInOrder } from '../../domain/turns-in-order.ts';
import {
  fetchedText,
  type NumberSpan,
  OVERVIEW_HEAD,
  pictured,
  rangesOfRuns,
  runsOf,
  shortenedMessages,
  turnMessages,
} from '../../engine/context/context-text.ts';
import { sentMessage, userAttachments } from '../../engine/context/sent-message.ts';
import { counted } from '../parts/format.ts';
import { turnsIn } from '../parts/turn-words.ts';

/** Kinds of text in a context, in display order. */
const PART_KINDS = [
  'turn',
  'shortened',
  'turn-summary',
  'fetched',
  'pinned',
  'reference',
  'unsure',
  'memory',
  'branch',
  'topic',
  'instructions',
  'message',
  'left-out',
] as const;
type PartKind = (typeof PART_KINDS)[number];

/** The last answered turn before this one whose reply has a context; reads no turn before that one, and none without a context. */
export const answeredBefore = (forest: Forest, { number }: Node): Node | null => {
  const turns = turnsInOrder(forest);
  for (let at = placeOf(turns, number) - 1; at >= 0; at--) {
    const turn = turns[at] as Node;
    if (contextOf(turn) !== null) return turn;
  }
  return null;
};

/** Numbers of the earlier turns that are not sent in any form, oldest first. */
export const leftOutTurns = (forest: Forest, { segments }: Context): number[] => {
  const message = segments.find(({ kind }) => kind === 'message');
  const last = message?.kind === 'message' ? forest.nodes[message.nodeId]?.number : undefined;
  const sent = new Set(segments.flatMap((segment) => sentOf(forest, segment)));
  return recordsOf(forest.nodes)
    .filter(({ id, number, hidden }) => !hidden && !sent.has(id) && (last === undefined || number < last))
    .map(({ number }) => number)
    .sort((a, b) => a - b);
};

/** The turns that a segment sends anything of. */
const sentOf = (forest: Forest, segment: Segment): readonly NodeId[] => {
  switch (segment.kind) {
    case 'overview': {
      const overview = forest.overviews[segment.overviewId];
      return overview === undefined ? [] : listedTurns(overview);
    }
    case 'memory':
      return segment.from;
    case 'instructions':
    case 'turns-left-out':
    case 'elsewhere':
    case 'path-left-out':
    case 'history-left-out':
      return [];
    default:
      return [segment.nodeId];
  }
};

/** Which turns are not sent at all, or that only part of something is. */
export const leftOutWords = (forest: Forest, context: Context, parts: readonly ContextPart[]): string => {
  const numbers = leftOutTurns(forest, context);
  if (numbers.length > 0) return `Nothing from ${counted(numbers.length, 'turn')} is sent: ${turnsIn(numbers)}.`;
  const { segments } = context;
  const isCut = parts.some(({ kind }) => !WHOLE.has(kind)) || segments.some(({ kind }) => kind === 'reference-summary');
  if (isCut) return 'At least part of every turn is sent.';
  const isMessageCut = segments.some((segment) => segment.kind === 'message' && segment.text !== undefined);
  return isMessageCut ? 'Of the message’s files, only passages are sent.' : 'Nothing was left out.';
};

const WHOLE: ReadonlySet<PartKind> = new Set(['turn', 'pinned', 'reference', 'unsure', 'instructions', 'message']);

/** A piece of a context shown as one item: a segment, or a line of its overview. */
export interface ContextPart {
  /** Its position in what is sent, from 0. */
  readonly index: number;
  /** The same in every context for the same thing: a turn keeps its key whether sent whole, shortened or as the message. */
  readonly key: string;
  readonly kind: PartKind;
  readonly label: string;
  readonly tokens: number;
  /** The turn it is about, or the first of them; null if there is none or it was deleted. */
  readonly nodeId: NodeId | null;
  /** What is sent, verbatim, with its role; empty if it is gone from the forest. */
  readonly said: readonly ChatMessage[];
  /** A memory's score for the message; absent if nothing scored it. */
  readonly score?: number;
  /** The topic's index in creation order, for its colour; null if it belongs to no topic. */
  readonly topic: number | null;
}

export interface PartGroup {
  readonly kind: PartKind;
  readonly label: string;
  readonly tokens: number;
  readonly parts: readonly ContextPart[];
}

/** The parts of a context, in the order they are sent. */
export const contextParts = (forest: Forest, context: Context): ContextPart[] => {
  const seen = new Map<string, number>();
  const shown = new Set(context.pictures?.ids);
  const parts = context.segments.flatMap((segment) =>
    partsOf(forest, segment).map((part) =>
      part.said.length === 0 ? part : { ...part, said: pictured(part.said, forest, segment, shown) },
    ),
  );
  return [...parts, ...picturesPart(context)].map((part, index) => {
    // A memory may hold several facts from one turn.
    const times = (seen.get(part.key) ?? 0) + 1;
    seen.set(part.key, times);
    return { ...part, index, key: times === 1 ? part.key : `${part.key} ${times}` };
  });
};

type PartDraft = Omit<ContextPart, 'index'>;

/** The estimated cost of the pictures shown to the model; where they go is part of the messages' text. */
const picturesPart = ({ pictures }: Context): PartDraft[] => {
  if (pictures === undefined) return [];
  const label = `${counted(pictures.ids.length, 'picture')}, about`;
  return [{ kind: 'message', key: 'pictures', label, tokens: pictures.tokens, nodeId: null, said: [], topic: null }];
};

/** Runs of the numbers of a segment's turns that still exist. */
const runsIn = (
  forest: Forest,
  segment: Extract<Segment, { kind: 'turns-left-out' | 'elsewhere' }>,
): readonly NumberSpan[] => {
  if (segment.kind === 'turns-left-out' || segment.numbers === undefined) {
    return runsOf(numbersOf(forest, segment.nodeIds ?? []).sort((a, b) => a - b));
  }
  const turns = turnsInOrder(forest);
  const standing = segment.numbers.map(([first, last]) => turns.slice(placeOf(turns, first), placeOf(turns, last + 1)));
  const all = segment.numbers.every(([first, last], at) => standing[at]?.length === last - first + 1);
  return all ? segment.numbers : runsOf(standing.flat().map(({ number }) => number));
};

/** Numbers of the turns that still exist. Thousands of ids in forest order are matched in one pass, without a lookup each. */
const numbersOf = (forest: Forest, ids: readonly NodeId[]): number[] => {
  const numbers: number[] = [];
  for (const { id, number } of recordsOf(forest.nodes)) if (id === ids[numbers.length]) numbers.push(number);
  return numbers.length === ids.length ? numbers : ids.flatMap((id) => forest.nodes[id]?.number ?? []);
};

const partsOf = (forest: Forest, segment: Segment): PartDraft[] => {
  const { tokens } = segment;
  const none = { tokens, nodeId: null, topic: null };
  switch (segment.kind) {
    case 'instructions':
      return [
        { kind: 'instructions', key: 'instructions', label: 'Instructions', said: system(segment.text), ...none },
      ];
    case 'overview':
      return overviewParts(forest, forest.overviews[segment.overviewId], tokens);
    case 'turn': {
      const { kind, why } = offPath(forest, segment);
      const unanswered = segment.unanswered === true ? ', not answered' : '';
      const said = forest.nodes[segment.nodeId] === undefined ? [] : turnMessages(forest, segment);
      const label = `${turnLabel(forest, segment.nodeId)}${why}${unanswered}${whyWords(segment.why)}`;
      return [{ kind, label, tokens, said, ...turn(forest, segment) }];
    }
    case 'turn-summary':
    case 'reference-summary': {
      const isPinned = segment.kind === 'reference-summary' && segment.pinned === true;
      const isReferredTo = segment.kind === 'reference-summary' && !isPinned;
      const why = isPinned ? ', pinned, too long to be sent whole' : isReferredTo ? ', referred to' : '';
      const label = `${turnLabel(forest, segment.nodeId)}${why}`;
      const kind = isReferredTo ? 'reference' : 'turn-summary';
      return [{ kind, label, tokens, said: system(segment.text), ...turn(forest, segment) }];
    }
    case 'shortened': {
      const there = forest.nodes[segment.nodeId] !== undefined;
      const left = `${counted(segment.wordsLeftOut, 'word')} left out`;
      const label = `${turnLabel(forest, segment.nodeId)}, shortened: ${left}${whyWords(segment.why)}`;
      const said = there ? shortenedMessages(forest, segment) : [];
      return [{ kind: 'shortened', label, tokens, said, ...turn(forest, segment) }];
    }
    case 'turn-line': {
      const label = `${turnLabel(forest, segment.nodeId)}, its message in a line${whyWords(segment.why)}`;
      return [{ kind: 'turn-summary', label, tokens, said: user(segment.text), ...turn(forest, segment) }];
    }
    case 'fetched': {
      const there = forest.nodes[segment.nodeId] !== undefined;
      const left = segment.wordsLeftOut === 0 ? '' : `, ${counted(segment.wordsLeftOut, 'word')} left out`;
      const label = `${turnLabel(forest, segment.nodeId)}, fetched${left}${whyWords(segment.why)}`;
      const said = there ? user(fetchedText(forest, segment)) : [];
      return [{ kind: 'fetched', label, tokens, said, ...turn(forest, segment) }];
    }
    case 'turns-left-out':
    case 'elsewhere': {
      const runs = runsIn(forest, segment);
      const of = segment.kind === 'elsewhere' ? 'elsewhere not sent' : 'of the path left out';
      const one = runs.length === 1 && runs[0]?.[0] === runs[0]?.[1];
      const label = `${one ? 'Turn' : 'Turns'} ${rangesOfRuns(runs)} ${of}`;
      const said = segment.text === '' ? [] : user(segment.text);
      return [{ kind: 'left-out', key: `${segment.kind} ${runs[0]?.[0] ?? ''}`, label, said, ...none }];
    }
    case 'path-left-out':
    case 'history-left-out': {
      const of = segment.kind === 'path-left-out' ? 'path' : 'conversation';
      const isOfMemories = segment.kind === 'history-left-out' && segment.of === 'memories';
      const what = isOfMemories ? counted(segment.turns, 'memory', 'memories') : counted(segment.turns, 'turn');
      const label = `${what} of the ${of} left out`;
      const said = segment.text === '' ? [] : system(segment.text);
      return [{ kind: 'left-out', key: segment.kind, label, said, ...none }];
    }
    case 'message': {
      const node = forest.nodes[segment.nodeId];
      const files = node === undefined ? 0 : userAttachments(node).length;
      const cut = segment.text === undefined ? '' : ', of which passages';
      const label = files === 0 ? 'The message' : `The message, with ${counted(files, 'file')}${cut}`;
      const said = node === undefined ? [] : user(segment.text ?? sentMessage(node));
      return [{ kind: 'message', label, tokens, said, ...turn(forest, segment) }];
    }
    case 'memory':
      return [memoryPart(forest, segment)];
  }
};

/** A single turn sent verbatim counts as the same thing as that turn in another context. */
const memoryPart = (
  forest: Forest,
  { from, name, score, whole, text, tokens }: Segment & { kind: 'memory' },
): PartDraft => {
  const numbers = from.flatMap((id) => forest.nodes[id]?.number ?? []).sort((a, b) => a - b);
  const turns = turnsIn(numbers);
  const whence = whole === true ? `T${turns.slice(1)}` : `From ${turns}`;
  const called = name === undefined || name === turns ? '' : `, ${name}`;
  return {
    kind: 'memory',
    key: whole === true ? `turn ${from[0]}` : `memory ${name ?? ''} ${from.join(' ')}`,
    label: numbers.length === 0 ? 'A memory of deleted turns' : whence + called,
    tokens,
    said: system(text),
    ...(score !== null && { score }),
    ...home(forest, from[0]),
  };
};

const user = (content: string): ChatMessage[] => [{ role: 'user', content }];
const system = (content: string): ChatMessage[] => [{ role: 'system', content }];

const turn = (forest: Forest, { nodeId }: { readonly nodeId: NodeId }) => ({
  key: `turn ${nodeId}`,
  ...home(forest, nodeId),
});

/** The kind and reason of a turn that is sent although it may not be on the path. */
const offPath = (
  forest: Forest,
  { unsure, pinned, neededBy }: Segment & { kind: 'turn' },
): { readonly kind: PartKind; readonly why: string } => {
  if (unsure === true) return { kind: 'unsure', why: ', which the message may need' };
  if (pinned === true) return { kind: 'pinned', why: ', pinned' };
  if (neededBy === undefined) return { kind: 'turn', why: '' };
  return { kind: 'reference', why: `, referred to by ${turnLabel(forest, neededBy).toLowerCase()}` };
};

/** The lines of an overview, plus what its heading and line breaks cost. */
const overviewParts = (forest: Forest, overview: Overview | undefined, tokens: number): PartDraft[] => {
  const none = { nodeId: null, topic: null, key: 'overview' };
  if (overview === undefined) return [{ kind: 'topic', label: 'Overview', tokens, said: [], ...none }];
  const parts = overview.lines.map((line) => linePart(forest, line));
  const rest = tokens - parts.reduce((sum, part) => sum + part.tokens, 0);
  if (rest <= 0) return parts;
  const said = system(OVERVIEW_HEAD);
  return [{ kind: 'instructions', label: 'Heading of the overview', tokens: rest, said, ...none }, ...parts];
};

const linePart = (forest: Forest, line: OverviewLine): PartDraft => {
  const { tokens } = line;
  const said = system(line.text);
  if (line.kind === 'left-out') {
    const found = [
      line.branches > 0 ? counted(line.branches, 'branch', 'branches') : '',
      line.topics > 0 ? counted(line.topics, 'topic') : '',
    ];
    const label = `${found.filter((words) => words !== '').join(' and ')} left out`;
    return { kind: 'left-out', key: 'overview-left-out', label, tokens, said, nodeId: null, topic: null };
  }
  const place = home(forest, line.nodeIds[0]);
  if (line.kind === 'topic') {
    const label = forest.trees[line.treeId]?.title ?? 'A deleted topic';
    return { kind: 'topic', key: `topic ${line.treeId}`, label, tokens, said, ...place };
  }
  const numbers = line.nodeIds.flatMap((id) => forest.nodes[id]?.number ?? []);
  const label = `Branch of ${turnsIn(numbers)}`;
  return { kind: 'branch', key: `branch ${line.branchId}`, label, tokens, said, ...place };
};

const home = (forest: Forest, nodeId: NodeId | undefined): Pick<ContextPart, 'nodeId' | 'topic'> => {
  const node = nodeId === undefined ? undefined : forest.nodes[nodeId];
  if (node === undefined) return { nodeId: null, topic: null };
  return { nodeId: node.id, topic: forest.trees[node.treeId]?.order ?? null };
};

const turnLabel = (forest: Forest, nodeId: NodeId): string => {
  const node = forest.nodes[nodeId];
  return node === undefined ? 'A deleted turn' : `Turn ${node.number}`;
};

/** Up to this many topics are listed individually. */
const NAMED = 3;

/** Groups parts by kind; absent kinds are left out, and a few topics are listed individually. */
export const groupParts = (forest: Forest, parts: readonly ContextPart[]): PartGroup[] =>
  PART_KINDS.flatMap((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    if (own.length === 0) return [];
    const groups = kind === 'topic' && own.length <= NAMED ? own.map((part) => [part]) : [own];
    return groups.map((group) => {
      const tokens = group.reduce((sum, part) => sum + part.tokens, 0);
      return { kind, label: groupLabel(forest, kind, group), tokens, parts: group };
    });
  });

const groupLabel = (forest: Forest, kind: PartKind, parts: readonly ContextPart[]): string => {
  const numbers = parts.flatMap((part) => (part.nodeId === null ? [] : (forest.nodes[part.nodeId]?.number ?? [])));
  const turns = turnsIn(numbers);
  switch (kind) {
    case 'turn':
      // Not "path": a policy without a tree sends turns from anywhere.
      return `in full: ${turns}`;
    case 'turn-summary':
      return `as summaries: ${turns}`;
    case 'shortened':
      return `shortened: ${turns}`;
    case 'fetched':
      return `fetched: ${turns}`;
    case 'pinned':
      return `pinned: ${turns}`;
    case 'reference':
      return `referred to: ${turns}`;
    case 'unsure':
      return `may be needed: ${turns}`;
    case 'memory':
      return counted(parts.length, 'memory', 'memories');
    case 'branch':
      return `${plural(parts.length, 'summary', 'summaries')} of ${counted(parts.length, 'branch', 'branches')}`;
    case 'topic':
      return parts.length === 1 ? `summary: ${parts[0]?.label}` : `summaries of ${counted(parts.length, 'topic')}`;
    case 'instructions':
      return 'instructions';
    case 'message':
      return 'the message';
    case 'left-out':
      return parts.map((part) => part.label).join(', ');
  }
};

const REASONS: Readonly<Record<InclusionReason['reason'], string>> = {
  'last-exchange': 'the last exchange',
  recent: 'recent',
  'same-words': 'the same words',
  alike: 'like the message',
  unsure: 'the message may continue from there',
  pinned: 'pinned',
  'referred-to': 'referred to',
  'whole-is-shorter': 'off the path, but costs no more than leaving it out',
  constraint: 'sets a lasting instruction',
  'newest-version': 'the text being worked on',
  'older-version': 'there is a newer version',
  'pasted-in-parts': 'one part of what was pasted',
  'pointed-at': 'the message points at it',
};

/** Why a turn is in a context: ` · the same words (“thermostat”)`; empty if no reason is given. */
const whyWords = (why: readonly InclusionReason[] | undefined): string => {
  if (why === undefined || why.length === 0) return '';
  const reasons = why.map(({ reason, words = [] }) => {
    const quoted = words.slice(0, 3).map((word) => `“${word}”`);
    return `${REASONS[reason]}${quoted.length === 0 ? '' : ` (${quoted.join(', ')})`}`;
  });
  return ` · ${reasons.join(', ')}`;
};

/** How a context changed from one turn to the next. */
export interface ContextDiff {
  readonly entered: readonly ContextPart[];
  readonly left: readonly ContextPart[];
  /** The same thing with different words. */
  readonly changed: readonly { readonly before: ContextPart; readonly after: ContextPart }[];
  readonly stayed: readonly ContextPart[];
  /** Tokens of the common prefix, verbatim and in order: what a chat model's cache can serve. */
  readonly front: number;
}

export const contextDiff = (before: readonly ContextPart[], after: readonly ContextPart[]): ContextDiff => {
  const byKey = new Map(before.map((part) => [part.key, part]));
  const now = new Set(after.map(({ key }) => key));
  const changed: { readonly before: ContextPart; readonly after: ContextPart }[] = [];
  const [entered, stayed]: [ContextPart[], ContextPart[]] = [[], []];
  for (const part of after) {
    const was = byKey.get(part.key);
    if (was === undefined) entered.push(part);
    else if (partText(was) === partText(part)) stayed.push(part);
    else changed.push({ before: was, after: part });
  }
  const [sentBefore, sentAfter] = [asSent(before), asSent(after)];
  let front = 0;
  for (const [at, part] of sentAfter.entries()) {
    const was = sentBefore[at];
    if (was === undefined || was.key !== part.key) break;
    if (partText(was) !== partText(part)) {
      // The message of then is a turn by now: its reply follows what was sent.
      if (opensWith(part, was)) front += was.tokens;
      break;
    }
    front += part.tokens;
  }
  return { entered, left: before.filter(({ key }) => !now.has(key)), changed, stayed, front };
};

/** Parts in the order of the messages: what is sent with the instructions comes first, wherever it is listed. */
const asSent = (parts: readonly ContextPart[]): ContextPart[] => {
  const sent = parts.filter(({ kind, said }) => kind !== 'left-out' || said.length > 0);
  const isSystem = ({ said }: ContextPart): boolean => said[0]?.role === 'system';
  return [...sent.filter(isSystem), ...sent.filter((part) => !isSystem(part))];
};

/** Whether all that was sent for one part is how another begins. */
const opensWith = ({ said }: ContextPart, { said: opening }: ContextPart): boolean =>
  opening.length > 0 && partText({ said: said.slice(0, opening.length) }) === partText({ said: opening });

/** The text sent for a part, with roles. */
export const partText = ({ said }: Pick<ContextPart, 'said'>): string =>
  said.map(({ role, content }) => `${role}: ${content}`).join('\n\n');

const utf8 = new TextEncoder();

/** UTF-8 bytes of the messages' content. */
export const byteCount = (said: readonly ChatMessage[]): number =>
  said.reduce((sum, { content }) => sum + utf8.encode(content).length, 0);

/** `1 byte`, `3,412 bytes`: never rounded, so that it can be compared with what a server received. */
export const exactBytes = (bytes: number): string => counted(bytes, 'byte');
