import * as z from 'zod/mini';
import { fold } from '../../domain/apply.ts';
import type { Context, Overview, Segment } from '../../domain/context.ts';
import type { Decision, Fallback } from '../../domain/decision.ts';
import { type Entry, parseEntry } from '../../domain/entry.ts';
import type { Event } from '../../domain/event-kinds.ts';
import { parsedJson } from '../../domain/expectation.ts';
import type { Forest, NodeId, ReplyId } from '../../domain/forest.ts';
import { violations } from '../../domain/invariants.ts';
import { PURGED } from '../../domain/purge.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { messageNotShown, scrubber, withoutPrompts } from '../../domain/scrub.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { foldInParts, mapInParts } from '../../engine/history/fold-in-parts.ts';
import { SHARED } from './shared-address.ts';

/** Version of the address format. */
const VERSION = 1;
/** Maximum length of an offered address, in characters: browsers accept it, and so do most messaging programs. */
export const LONGEST = 60_000;
/** Maximum size of an unpacked address, in bytes, so that no link can exhaust memory. */
const MOST = 64 << 20;

const Payload = z.object({ v: z.literal(VERSION), title: z.string(), entries: z.array(z.unknown()) });

export type SharedRead =
  | { readonly ok: true; readonly conversation: SharedConversation }
  | { readonly ok: false; readonly why: string };

/** The part of an address that holds a conversation, compressed; it is never sent to a server. */
export const packed = async ({ title, entries }: SharedConversation, breathe: () => Promise<void>): Promise<string> => {
  const lines = await mapInParts(entries, (entry) => JSON.stringify(entry), breathe);
  const text = `{"v":${VERSION},"title":${JSON.stringify(title)},"entries":[${lines.join()}]}`;
  const bytes = await new Response(
    new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).arrayBuffer();
  return `${SHARED}${base64Url(new Uint8Array(bytes))}`;
};

/** Reads the conversation in an address. Anybody may have written it, so it is accepted only if it makes a valid forest. */
export const readSharedLink = async (hash: string): Promise<SharedRead> => {
  const damaged = { ok: false, why: 'The link is damaged or was cut off. Ask for it again, or for the file.' } as const;
  const text = await inflated(hash.slice(SHARED.length)).catch(() => null);
  if (text === null) return damaged;
  const payload = Payload.safeParse(parsedJson(text));
  if (!payload.success) return damaged;
  const entries: Entry[] = [];
  for (const [at, line] of payload.data.entries.entries()) {
    const parsed = parseEntry(line);
    if (!parsed.ok && parsed.kind === 'newer-version') {
      return {
        ok: false,
        why: 'The link was made by a newer version of Coppice. Reload the page to update, then open the link again.',
      };
    }
    if (!parsed.ok || parsed.entry.seq !== at + 1) return damaged;
    entries.push(parsed.entry);
  }
  try {
    const forest = fold(entries);
    // A message that waits for its place is not shown, and would be sent to a model once a copy is kept.
    if (sizeOf(forest.nodes) === 0 || sizeOf(forest.pending) > 0 || violations(forest).length > 0) return damaged;
    return { ok: true, conversation: { title: payload.data.title, entries, forest } };
  } catch {
    // A log that cannot be folded is treated as truncated.
    return damaged;
  }
};

const inflated = async (text: string): Promise<string> => {
  const bytes = bytesOf(text);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > MOST) throw new Error('more than a link can hold');
    parts.push(new Uint8Array(part.value));
  }
  return new Blob(parts).text();
};

const base64Url = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
};

/** A conversation as others see it. */
export interface SharedConversation {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/**
 * Removes what a log keeps and nobody means to share: the words of deleted or undone turns, undone replies, notes, titles,
 * summaries, stories and instructions that were removed or replaced, and what only the presenter of a story is to see.
 * Prompts that hold a replaced title or summary go too, and why models failed, which may name the address of a server.
 * `forest`: the fold of the log.
 */
export const withoutDeleted = async (
  entries: readonly Entry[],
  forest: Forest,
  breathe: () => Promise<void>,
): Promise<SharedConversation> => {
  const log: Entry[] = [];
  const pending = new Set(recordsOf(forest.pending).map(({ step }) => step));
  // One by one: going through a packed log at once would unpack all of it.
  for (let at = 0; at < entries.length; at++) {
    await breathe();
    const entry = entries[at] as Entry;
    const { event } = entry;
    // Whoever keeps a copy is not to have a message placed and answered in it.
    const isPending =
      (event.type === 'message-sent' && forest.pending[event.nodeId] !== undefined) ||
      ((event.type === 'undone' || event.type === 'redone') && pending.has(event.step));
    if (!isPending) log.push({ ...entry, seq: log.length + 1 });
  }
  const gone = log.flatMap((entry) => messageNotShown(forest, entry)?.nodeId ?? []);
  const scrubbed = gone.length === 0 ? log : await mapInParts(log, scrubber(log, gone), breathe);
  const whole = await foldInParts(scrubbed, breathe);
  const last = { ...whole, story: whole.story.map((scene) => ({ ...scene, notes: '' })) };
  const written = writtenIn(scrubbed, last);
  const shared = (entry: Entry): Entry => ({ ...entry, event: withoutReplaced(entry.event, last, written) });
  const kept = await mapInParts(scrubbed, shared, breathe);
  const shown = await foldInParts(kept, breathe);
  return { title: conversationTitle(shown) || 'Conversation', entries: kept, forest: shown };
};

/** All that was ever written, the longest first: one text may begin like another. */
interface Written {
  readonly instructions: readonly string[];
  readonly summaries: ReadonlyMap<NodeId, readonly string[]>;
  /** The titles by the person that topics and branches no longer have. */
  readonly formerTitles: ReadonlySet<string>;
  /** Those, and how former summaries begin. */
  readonly former: readonly string[];
}

/** A prompt may hold only the start of a summary: so many characters of it tell. */
const START = 30;

const startOf = (former: string, present: string): string => {
  const start = former.slice(0, START);
  return present.startsWith(start) ? former : start;
};

const writtenIn = (entries: readonly Entry[], forest: Forest): Written => {
  const instructions = new Set<string>();
  const summaries = new Map<NodeId, Set<string>>();
  const titles = new Set<string>();
  for (const { event } of entries) {
    if (event.type === 'reply-settings-set' && event.settings.systemPrompt) {
      instructions.add(event.settings.systemPrompt);
    } else if (event.type === 'summarised' && event.text !== '') {
      summaries.set(event.nodeId, (summaries.get(event.nodeId) ?? new Set()).add(event.text));
    } else if ((event.type === 'topic-titled' && event.by === 'person') || event.type === 'branch-titled') {
      if (event.title && !isTitleIn(forest, event.title)) titles.add(event.title);
    }
  }
  const summaryStarts = [...summaries].flatMap(([id, texts]) => {
    const present = forest.nodes[id]?.summary?.text ?? '';
    return [...texts].filter((text) => text !== present).map((text) => startOf(text, present));
  });
  return {
    instructions: longestFirst(instructions),
    summaries: new Map([...summaries].map(([id, texts]) => [id, longestFirst(texts)])),
    formerTitles: new Set(longestFirst(titles)),
    former: [...titles, ...summaryStarts].filter((text) => text !== PURGED),
  };
};

const longestFirst = (texts: Iterable<string>): readonly string[] =>
  [...new Set(texts)].sort((a, b) => b.length - a.length);

/** The event with the words that hold in the end, so the log still makes the same forest. */
const withoutReplaced = (event: Event, forest: Forest, written: Written): Event => {
  const { title, story, nodes, trees, branches, replySettings } = forest;
  switch (event.type) {
    case 'turn-noted':
      return event.note === nodes[event.nodeId]?.note ? event : { ...event, note: null };
    case 'conversation-titled':
      return { ...event, title };
    case 'topic-titled':
      return event.by === 'engine' ? event : { ...event, title: trees[event.treeId]?.title ?? PURGED };
    case 'branch-titled':
      // One that was moved took its name along, to another branch or to a topic of its own.
      return isTitleIn(forest, event.title) ? event : { ...event, title: branches[event.branchId]?.title ?? null };
    case 'summarised':
      return { ...event, text: nodes[event.nodeId]?.summary?.text ?? PURGED };
    case 'reply-settings-set':
      return { ...event, settings: { ...event.settings, systemPrompt: replySettings.systemPrompt } };
    case 'reply-started':
      return {
        ...event,
        context: isReplyIn(forest, event) ? contextWithoutFormer(event.context, forest, written) : null,
      };
    case 'reply-received':
      return isReplyIn(forest, event) ? event : { ...event, text: '' };
    case 'reply-ended':
      return { ...event, failure: null };
    case 'turn-placed':
    case 'turn-reconsidered':
    case 'turn-decided':
      return { ...event, decision: decisionWithoutFormer(event.decision, forest, written) };
    case 'overview-built':
      return { ...event, overview: overviewWithoutFormer(event.overview, forest, written) };
    case 'story-told':
      return { ...event, scenes: [...story] };
    default:
      return event;
  }
};

const isReplyIn = (
  { nodes }: Forest,
  { nodeId, replyId }: { readonly nodeId: NodeId; readonly replyId: ReplyId },
): boolean => nodes[nodeId]?.replies.some(({ id }) => id === replyId) === true;

/** A context begins with the instructions that were sent, and holds the summaries and replies as they were. */
const contextWithoutFormer = (context: Context | null, forest: Forest, written: Written): Context | null => {
  if (context === null) return null;
  const { fallbacks, ...shared } = withoutFormerPrompts(context, written);
  return {
    ...shared,
    segments: context.segments.map((segment) => segmentWithoutFormer(segment, forest, written)),
    ...(fallbacks !== undefined && { fallbacks: withoutFailures(fallbacks) }),
  };
};

const withoutFailures = (fallbacks: readonly Fallback[]): Fallback[] =>
  fallbacks.map((one) => ({ ...one, why: 'the reason was not shared' }));

const segmentWithoutFormer = (segment: Segment, forest: Forest, written: Written): Segment => {
  switch (segment.kind) {
    case 'turn-summary':
    case 'reference-summary':
      return { ...segment, text: withoutFormerSummaries(segment.text, [segment.nodeId], forest, written) };
    case 'shortened':
    case 'fetched': {
      const { nodeId, replyId, reply } = segment;
      const isUndone = typeof reply === 'string' && replyId !== null && !isReplyIn(forest, { nodeId, replyId });
      const shared = isUndone ? { ...segment, reply: PURGED } : segment;
      if (shared.kind === 'shortened') return shared;
      const title = [...written.formerTitles].find((one) => shared.head.endsWith(`, ${one}`));
      return title === undefined ? shared : { ...shared, head: shared.head.slice(0, -title.length) + PURGED };
    }
    case 'instructions': {
      const { text } = segment;
      const own = written.instructions.find((one) => text === one || text.startsWith(`${one}\n\n`));
      if (own === undefined || own === forest.replySettings.systemPrompt) return segment;
      return { ...segment, text: `${PURGED}${text.slice(own.length)}` };
    }
    default:
      return segment;
  }
};

/** The topics as they are called now, and no prompt in which they are not. */
const decisionWithoutFormer = (decision: Decision, forest: Forest, written: Written): Decision => {
  if (decision.trace === null) return decision;
  const trace = { ...decision.trace, fallbacks: withoutFailures(decision.trace.fallbacks) };
  if (written.former.length === 0) return { ...decision, trace };
  const candidates = trace.topic.candidates.map((one) =>
    written.formerTitles.has(one.title) ? { ...one, title: forest.trees[one.treeId]?.title ?? PURGED } : one,
  );
  return {
    ...decision,
    trace: withoutFormerPrompts({ ...trace, topic: { ...trace.topic, candidates } }, written),
  };
};

const withoutFormerPrompts = <T>(value: T, { former }: Written): T =>
  former.length === 0
    ? value
    : withoutPrompts(value, (texts) => texts.some((text) => former.some((one) => text.includes(one))));

const overviewWithoutFormer = (overview: Overview, forest: Forest, written: Written): Overview => ({
  ...overview,
  lines: overview.lines.map((line) => {
    if (line.kind === 'left-out') return line;
    const text = withoutFormerSummaries(line.text, line.nodeIds, forest, written);
    return { ...line, text: withoutFormerTitles(text, written) };
  }),
});

const withoutFormerTitles = (text: string, { formerTitles }: Written): string =>
  [...formerTitles].reduce((clean, title) => clean.replaceAll(`“${title}”`, `“${PURGED}”`), text);

const withoutFormerSummaries = (
  text: string,
  nodeIds: readonly NodeId[],
  { nodes }: Forest,
  { summaries }: Written,
): string => {
  const present = new Set(nodeIds.map((id) => nodes[id]?.summary?.text));
  const all = longestFirst(nodeIds.flatMap((id) => summaries.get(id) ?? []));
  if (all.every((one) => present.has(one))) return text;
  // A line of the overview may hold only the start of a long summary.
  if (text.endsWith(' …')) return PURGED;
  const clean = (part: string, [first, ...others]: readonly string[]): string =>
    first === undefined
      ? part
      : part
          .split(first)
          .map((one) => clean(one, others))
          .join(present.has(first) ? first : PURGED);
  return clean(text, all);
};

const isTitleIn = ({ trees, branches }: Forest, title: string | null): boolean =>
  [...recordsOf(trees), ...recordsOf(branches)].some((one) => one.title === title);
