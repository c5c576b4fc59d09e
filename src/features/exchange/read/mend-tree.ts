import { counted } from '../../../ui/parts/format.ts';
import type { SourceAttachment, SourceConversation, SourceMessage } from './source.ts';

/** A message in a valid tree: its parent exists, there are no cycles, and times increase along every path. */
export interface TreeMessage {
  readonly id: string;
  /** null for the first message of a topic. */
  readonly parentId: string | null;
  readonly by: 'user' | 'assistant';
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The time in the file, which may be earlier than that of the message it answers; NaN if the file has none. */
  readonly saidAt: number;
  readonly model: string | null;
  readonly name: string | null;
  /** Thoughts, tools and asides that preceded it. */
  readonly thinking: string;
  readonly attachments: readonly SourceAttachment[];
  readonly alsoFrom: readonly string[];
  readonly shown: boolean | null;
}

export interface MessageTree {
  /** Parents before their children, siblings in order. */
  readonly messages: readonly TreeMessage[];
  /** The last displayed message; null in a tree without messages. */
  readonly currentId: string | null;
  /** System messages and hidden notes at its head, before anybody spoke. */
  readonly instructions: readonly string[];
  readonly report: TreeReport;
}

/** Statistics on a conversation's messages. */
interface TreeReport {
  /** Number of messages in the file. */
  readonly read: number;
  readonly kept: number;
  /** System messages, tools and hidden notes, kept as details of a reply or as instructions. */
  readonly hidden: number;
  /** Messages without text, attachment or thought. */
  readonly empty: number;
  /** Defects that were repaired, one sentence each. */
  readonly mended: readonly string[];
  readonly missing: readonly string[];
}

interface Draft {
  readonly message: SourceMessage;
  readonly id: string;
  readonly order: number;
  parent: Draft | null;
  readonly children: Draft[];
  at: number;
}

/**
 * Builds a valid tree from a file's messages: `parentId` is trusted, `childIds` give the order of siblings and a missing
 * parent; an unknown parent makes a message a root, a cycle is cut at its oldest message, and children of a dropped message
 * move to its nearest kept ancestor. Linear in the number of messages, without recursion. `now` is used if the file has no
 * times at all.
 */
export const mendTree = ({ messages, currentId, notes = [] }: SourceConversation, now: number): MessageTree => {
  const mended: string[] = [...notes];
  const drafts = draftsOf(messages, mended);
  const byId = new Map<string, Draft>();
  for (const draft of drafts) if (!byId.has(draft.message.id)) byId.set(draft.message.id, draft);
  link(drafts, byId, mended);
  openCycles(drafts, mended);
  sortSiblings(drafts);

  const kept: TreeMessage[] = [];
  const asides = new Map<Draft, string>();
  const keptAncestor = new Map<Draft, string | null>();
  /** Messages of an answer that was kept, and what of it is not: what hangs from these without a user's goes on with it. */
  const inAnswer = new Set<Draft>();
  const keptTime = new Map<string, number>();
  /** As the file has them: many tools write whole seconds, and of two messages within one, neither is older. */
  const saidTime = new Map<string, number>();
  const instructions: string[] = [];
  let [hidden, empty, dropped, times] = [0, 0, 0, 0];
  let clock = firstTime(drafts) ?? now;
  for (const draft of inOrder(drafts)) {
    const { message, parent } = draft;
    const above = parent === null ? null : (keptAncestor.get(parent) ?? null);
    const before = parent === null ? '' : (asides.get(parent) ?? '');
    const thinking = [before, message.thinking ?? ''].filter((text) => text.trim() !== '').join('\n\n');
    const attachments = message.attachments ?? [];
    const isEmpty = message.text.trim() === '' && attachments.length === 0;
    const goesOn = message.by !== 'user' && parent !== null && inAnswer.has(parent);
    const passOn = (text: string): void => {
      asides.set(draft, text);
      keptAncestor.set(draft, above);
      if (goesOn) inAnswer.add(draft);
    };
    if (message.by === 'aside') {
      if (isEmpty) empty++;
      else hidden++;
      if (above === null && message.text.trim() !== '') {
        instructions.push(message.text);
        passOn('');
      } else passOn([thinking, message.text].filter((text) => text.trim() !== '').join('\n\n'));
      continue;
    }
    // A thought without an answer is merged into the answer below it; as a leaf it is kept on its own.
    if (isEmpty && (message.by === 'user' || thinking === '' || draft.children.length > 0)) {
      empty++;
      // A step towards an answer, or its end, is part of that.
      const isStep = message.by === 'assistant' && draft.children.some((child) => child.message.by !== 'user');
      if (!isStep && !goesOn) dropped++;
      passOn(message.by === 'assistant' ? thinking : '');
      continue;
    }
    const least = above === null ? Number.NEGATIVE_INFINITY : (keptTime.get(above) ?? clock) + 1;
    const said = Number.isFinite(draft.at) ? draft.at : Math.max(clock, least);
    const at = Math.max(said, least);
    if (above !== null && said < (saidTime.get(above) ?? said)) times++;
    clock = at;
    keptTime.set(draft.id, at);
    saidTime.set(draft.id, said);
    keptAncestor.set(draft, draft.id);
    if (message.by === 'assistant') inAnswer.add(draft);
    asides.set(draft, '');
    kept.push({
      id: draft.id,
      parentId: above,
      by: message.by,
      text: message.text,
      at,
      saidAt: draft.at,
      model: message.model ?? null,
      name: message.name ?? null,
      thinking,
      attachments,
      alsoFrom: (message.alsoFrom ?? []).filter((id) => byId.has(id)),
      shown: message.shown ?? null,
    });
  }
  if (times > 0) mended.push(`${counted(times, 'message')} older than what they answer placed after it`);
  const without = kept.reduce(
    (n, { attachments }) =>
      n +
      attachments.filter(({ text, data, asset }) => text === null && data === undefined && asset === undefined).length,
    0,
  );
  return {
    messages: kept,
    currentId: currentOf(currentId, kept, byId, keptAncestor, mended),
    instructions,
    report: {
      read: messages.length,
      kept: kept.length,
      hidden,
      empty,
      mended,
      missing: [
        ...(dropped === 0 ? [] : [`${counted(dropped, 'empty message')} left out`]),
        ...(without === 0 ? [] : [`${counted(without, 'attachment')} whose content is not in the file`]),
      ],
    },
  };
};

const draftsOf = (messages: readonly SourceMessage[], mended: string[]): Draft[] => {
  const used = new Set<string>();
  let doubled = 0;
  const drafts = messages.map((message, order): Draft => {
    let id = message.id;
    for (let n = 2; used.has(id); n++) id = `${message.id}~${n}`;
    if (id !== message.id) doubled++;
    used.add(id);
    return { message, id, order, parent: null, children: [], at: millisecondsOf(message.at) };
  });
  if (doubled > 0) mended.push(`${counted(doubled, 'message has', 'messages have')} the same id as another`);
  return drafts;
};

const link = (drafts: readonly Draft[], byId: ReadonlyMap<string, Draft>, mended: string[]): void => {
  const childOf = new Map<string, Draft>();
  for (const draft of drafts) {
    for (const id of draft.message.childIds ?? []) if (!childOf.has(id)) childOf.set(id, draft);
  }
  const isFlat = drafts.every(({ message }) => message.parentId === undefined && message.childIds === undefined);
  let [unknown, byChildren] = [0, 0];
  for (const [at, draft] of drafts.entries()) {
    const { parentId, id } = draft.message;
    const named = parentId == null ? undefined : byId.get(parentId);
    if (named !== undefined) draft.parent = named;
    else if (isFlat) draft.parent = drafts[at - 1] ?? null;
    else {
      const other = childOf.get(id);
      draft.parent = other ?? null;
      if (other !== undefined && parentId !== null) byChildren++;
      else if (parentId != null && other === undefined) unknown++;
    }
    if (draft.parent === draft) draft.parent = null;
  }
  if (unknown > 0) mended.push(`${counted(unknown, 'message')} whose parent is not in the file open a topic`);
  if (byChildren > 0)
    mended.push(`${counted(byChildren, 'message')} without a parent placed where the file lists them`);
};

/** Walks up from every message; a walk that meets itself is a cycle, and its oldest message becomes a root. */
const openCycles = (drafts: readonly Draft[], mended: string[]): void => {
  const walked = new Map<Draft, Draft>();
  let cycles = 0;
  for (const start of drafts) {
    let at: Draft | null = start;
    while (at !== null && !walked.has(at)) {
      walked.set(at, start);
      at = at.parent;
    }
    if (at === null || walked.get(at) !== start) continue;
    let oldest: Draft = at;
    for (let one = at.parent; one !== null && one !== at; one = one.parent) if (one.order < oldest.order) oldest = one;
    oldest.parent = null;
    cycles++;
  }
  if (cycles > 0) mended.push(`${counted(cycles, 'reply loop')} broken up`);
};

const sortSiblings = (drafts: readonly Draft[]): void => {
  for (const draft of drafts) draft.parent?.children.push(draft);
  for (const { message, children } of drafts) {
    if (children.length < 2) continue;
    const listed = new Map((message.childIds ?? []).map((id, at) => [id, at]));
    const placeOf = ({ message: { id } }: Draft): number => listed.get(id) ?? Number.MAX_SAFE_INTEGER;
    children.sort((a, b) => placeOf(a) - placeOf(b) || byTime(a, b) || a.order - b.order);
  }
};

const byTime = (a: Draft, b: Draft): number => (Number.isFinite(a.at) && Number.isFinite(b.at) ? a.at - b.at : 0);

/** Parents before children, siblings in order. Uses an explicit stack because chains can be thousands deep. */
const inOrder = (drafts: readonly Draft[]): Draft[] => {
  const order: Draft[] = [];
  const stack = drafts.filter(({ parent }) => parent === null).toReversed();
  for (let draft = stack.pop(); draft !== undefined; draft = stack.pop()) {
    order.push(draft);
    for (const child of draft.children.toReversed()) stack.push(child);
  }
  return order;
};

const firstTime = (drafts: readonly Draft[]): number | null => {
  const times = drafts.map(({ at }) => at).filter(Number.isFinite);
  return times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at));
};

/** The named message, or its nearest kept ancestor; otherwise the newest leaf, with ties going to the deepest. */
const currentOf = (
  currentId: string | null,
  kept: readonly TreeMessage[],
  byId: ReadonlyMap<string, Draft>,
  keptAncestor: ReadonlyMap<Draft, string | null>,
  mended: string[],
): string | null => {
  const named = currentId === null ? undefined : byId.get(currentId);
  const near = named === undefined ? null : (keptAncestor.get(named) ?? null);
  if (near !== null) return near;
  if (currentId !== null && currentId !== '' && kept.length > 0) {
    mended.push('the message that was shown last is not in the file; the newest is shown');
  }
  const inner = new Set(kept.map(({ parentId }) => parentId));
  const depths = new Map<string | null, number>();
  let newest: TreeMessage | null = null;
  for (const message of kept) {
    depths.set(message.id, (depths.get(message.parentId) ?? 0) + 1);
    if (inner.has(message.id)) continue;
    const later =
      newest === null ? 1 : message.at - newest.at || (depths.get(message.id) ?? 0) - (depths.get(newest.id) ?? 0);
    if (later >= 0) newest = message;
  }
  return newest?.id ?? null;
};

/** The latest time that a `Date` can represent. */
const LATEST_NANOSECONDS = 8.64e21;
/** Far from the latest time of a `Date`, since each message needs a later time than the one before. */
const END_OF_9999 = Date.UTC(10_000, 0) - 1;

/**
 * Parses times in seconds to nanoseconds, distinguished by magnitude, or dates in words. NaN if there is none, or one after
 * the year 9999.
 */
export const millisecondsOf = (at: number | string | null | undefined): number => {
  const parsed = parsedTime(at);
  return parsed <= END_OF_9999 ? parsed : Number.NaN;
};

const parsedTime = (at: number | string | null | undefined): number => {
  if (at == null || at === '') return Number.NaN;
  const number = typeof at === 'number' ? at : /^\d+(\.\d+)?$/.test(at.trim()) ? Number(at) : null;
  if (number === null) return Date.parse(spelled(at as string));
  if (!Number.isFinite(number) || number <= 0 || number > LATEST_NANOSECONDS) return Number.NaN;
  if (number < 1e11) return Math.round(number * 1e3);
  if (number < 1e14) return Math.round(number);
  return Math.round(number < 1e17 ? number / 1e3 : number / 1e6);
};

/** Date spellings of SillyTavern: "2023-6-19 @14h 20m 5s 12ms", "June 19, 2023 2:20pm". */
const spelled = (text: string): string =>
  text
    .replace(
      /(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s.*$/,
      (_, y, mo, d, h, mi, s) => `${y}-${two(mo)}-${two(d)}T${two(h)}:${two(mi)}:${two(s)}`,
    )
    .replace(/(\d)(am|pm)$/i, '$1 $2');

const two = (digits: string): string => digits.padStart(2, '0');
