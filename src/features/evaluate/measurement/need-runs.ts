import { add, type Counts } from '../../../app/figures/estimate.ts';
import type { ChatMessage, Context } from '../../../domain/context.ts';
import { RECALL } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { contextMessages, NO_ANSWER } from '../../../engine/context/context-text.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { turnTokens } from '../../../engine/context/tokens.ts';
import type { LabelledDialogue, LabelledTurn } from '../datasets/dialogues.ts';
import { type ContextParts, contextBuilder, type SentContexts, withContexts } from './contexts.ts';
import type { NeedSet } from './datasets.ts';
import { continuesPrevious, countNeeds, countOracle, historyTokensOf, needsOf } from './need-counts.ts';
import { budgetOf, CACHE_SIZES, type PolicySize, SIZES, suffixOf } from './need-metrics.ts';
import { ancestorsOf, type Placements, placeIn } from './placements.ts';
import { nodeIdOf, Replay } from './replay.ts';
import type { PlaceDialogue, ProgressCounter } from './runs.ts';
import type { byPlacing, ContextSubject } from './subjects.ts';
import { type FigureRow, figureRows } from './tables.ts';

interface NeedParts extends ContextParts {
  readonly groups: ReturnType<typeof byPlacing>;
  readonly steps: ProgressCounter;
  readonly place: PlaceDialogue;
  /** Adds replies to a dialogue of user turns only. */
  readonly withReplies: (dialogue: LabelledDialogue) => Promise<LabelledDialogue>;
}

/** The engine places the turns. */
const MODE = 'free-running';

/** A subject held to another policy's size is not also held to a budget. */
const atOwnSize = ({ equalTokens }: ContextSubject): boolean => !equalTokens;

/** Adds the work of `measureNeeds` to the expected total. */
export const expectNeeds = ({ dialogues }: NeedSet, { groups, steps }: NeedParts): void => {
  for (const _ of groups) steps.expect(dialogues);
};

/** Measures how much of what messages need is in each policy's contexts, at its own size and at budgets. */
export const measureNeeds = async ({ name, dialogues, views }: NeedSet, parts: NeedParts): Promise<FigureRow[]> => {
  const { groups, steps, place, withReplies } = parts;
  const bySubject = new Map<string, Counts[]>();
  for (const { placing, contexts } of groups) {
    const run = await steps.through(dialogues, `${name}: needs`, async (dialogue) => {
      const placements = await place(name, dialogue, placing, MODE);
      const subjects = contexts.filter(atOwnSize);
      return needCounts(await withReplies(dialogue), placements, placing.policy, subjects, parts);
    });
    for (const counts of run) {
      for (const [subject, own] of counts) bySubject.set(subject, [...(bySubject.get(subject) ?? []), own]);
    }
  }
  return views.flatMap(({ dataset, takes, metrics }) =>
    [...bySubject].flatMap(([subject, counts]) => {
      const taken = counts.filter((_, at) => takes(dialogues[at] as LabelledDialogue));
      return figureRows({ dataset, mode: MODE, subject }, taken, metrics);
    }),
  );
};

/** In tokens. Wide enough that no context of the sets is truncated. */
const WINDOW = 262_144;

/** A conversation as one policy, held to one size, has answered it so far. */
interface Chain extends SentContexts {
  readonly subject: string;
  readonly policy: Policy;
  readonly size: PolicySize;
  readonly caches: readonly PrefixCache[];
}

/**
 * Counts how much of a dialogue's needs is in its contexts, by subject, under each policy and at each size. Turns stand
 * where they were placed. In the history, a policy finds the contexts that it built itself at that size, as it would in use.
 */
export const needCounts = async (
  dialogue: LabelledDialogue,
  { placed, settled }: Pick<Placements, 'placed' | 'settled'>,
  routing: Policy,
  subjects: readonly ContextSubject[],
  parts: ContextParts,
): Promise<ReadonlyMap<string, Counts>> => {
  const { vectorOf, tokens } = parts;
  const replay = new Replay(vectorOf, routing);
  const build = contextBuilder(parts, WINDOW);
  const counts = new Map(subjects.map(({ subject }): [string, Record<string, number>] => [subject, {}]));
  const chains = subjects.flatMap(({ subject, policy }) =>
    SIZES.map((size): Chain => ({ subject, policy, size, contexts: [], overviews: {}, caches: newCaches() })),
  );
  const plainChat = new PrefixCache(1);
  const oracles = newCaches();

  for (const [turn, labelled] of dialogue.turns.entries()) {
    const near = replay.nearness(labelled.message);
    const unanswered = replay.preview(labelled.message, ...placeIn(placed, turn));
    const needs = needsOf(dialogue, turn);
    let history = 0;
    let plainRead: number | null = null;
    for (const chain of chains) {
      const { subject, policy, size } = chain;
      const known = withContexts(unanswered.forest, chain);
      const place = { ...unanswered, forest: known };
      const { context, overview } = await build(policy, place, near, budgetOf(size, history));
      if (size === null) history = historyTokensOf(context);
      chain.contexts.push(context);
      if (overview !== null) chain.overviews[overview.id] = overview;
      const built = { forest: { ...known, overviews: chain.overviews }, context, size };
      const own = counts.get(subject) as Record<string, number>;
      if (turn > 0) countNeeds(own, needs, built);
      if (turn > 0 && size === null) {
        const tokensOf = (at: number): number => turnTokens(nodeOf(known, nodeIdOf(at)), tokens);
        countOracle(own, needs, context, tokensOf);
      }

      const request = requestText(contextMessages(built.forest, context));
      plainRead ??= readBy(plainChat, plainRequest(dialogue, turn, context), readReply(labelled));
      countReading(own, chain, request, readReply(labelled), continuesPrevious(dialogue, turn));
      add(own, `read by a plain chat${suffixOf(size)}`, plainRead);
    }
    const first = chains[0]?.contexts.at(-1);
    if (first !== undefined) countOracleReading(counts, oracles, dialogue, turn, first);
    const [parentId, decision] = placeIn(settled, turn);
    // As in the app, an empty reply keeps what was sent for it, too; the chains have nowhere else to keep their contexts.
    replay.place({ ...labelled, reply: labelled.reply ?? '' }, parentId, null, decision);
  }
  return counts;
};

const newCaches = (): PrefixCache[] => CACHE_SIZES.map((size) => new PrefixCache(size));

/** Characters that a chat model processes for a request: what its cache does not hold, and the reply, which the cache then holds too. */
const readBy = (cache: PrefixCache, request: string, reply: string | null): number => {
  const read = request.length - cache.prefixOf(request);
  cache.hold(request, reply);
  return read + (reply ?? '').length;
};

const countReading = (
  counts: Record<string, number>,
  { caches, size }: Chain,
  request: string,
  reply: string | null,
  isGoingOn: boolean,
): void => {
  const count = (name: string, by = 1) => add(counts, name + suffixOf(size), by);
  const kept = caches[0]?.keptBy(request) ?? null;
  if (isGoingOn && kept !== null) {
    count('turns that go on');
    count('prefix kept', kept);
  }
  count('requests');
  for (const [at, cache] of caches.entries()) count(`read ${CACHE_SIZES[at]}`, readBy(cache, request, reply));
};

/** A turn's reply as a chat model reads it later: quotes from recall are not sent to a model. */
const readReply = ({ reply, replyBy }: LabelledTurn): string | null => (replyBy === RECALL ? NO_ANSWER : reply);

/** Counts what a chat model would read from an oracle that sends exactly the labelled path, in full and in chronological order. */
const countOracleReading = (
  all: ReadonlyMap<string, Record<string, number>>,
  caches: readonly PrefixCache[],
  dialogue: LabelledDialogue,
  turn: number,
  context: Context,
): void => {
  const request = requestOf(dialogue, ancestorsOf(dialogue.turns, turn).toReversed(), turn, context);
  for (const [at, cache] of caches.entries()) {
    const read = readBy(cache, request, readReply(dialogue.turns[turn] as LabelledTurn));
    for (const counts of all.values()) add(counts, `read by the path oracle ${CACHE_SIZES[at]}`, read);
  }
};

/** What a plain chat sends: the instructions, all turns in order, and the message. */
const plainRequest = (dialogue: LabelledDialogue, turn: number, context: Context): string =>
  requestOf(dialogue, [...dialogue.turns.slice(0, turn).keys()], turn, context);

/** The instructions of a context, some earlier turns unchanged, and the message. */
const requestOf = (
  { turns }: LabelledDialogue,
  earlier: readonly number[],
  turn: number,
  { segments: [instructions] }: Context,
): string =>
  requestText([
    { role: 'system', content: instructions?.kind === 'instructions' ? instructions.text : '' },
    ...earlier.flatMap((at) => {
      const one = turns[at] as LabelledTurn;
      const reply = readReply(one) ?? '';
      return [
        { role: 'user' as const, content: one.message },
        ...(reply === '' ? [] : [{ role: 'assistant' as const, content: reply }]),
      ];
    }),
    { role: 'user', content: turns[turn]?.message ?? '' },
  ]);

/** Delimiters around a role; they occur in no text. */
const [BEGIN, END] = ['\u0002', '\u0003'];

/** A request as a single text, as a chat model reads it. */
export const requestText = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `${BEGIN}${role}${END}${content}`).join('');

/** A request with its reply: what a model's cache holds after answering. */
const answered = (request: string, reply: string | null): string =>
  reply === null || reply === '' ? request : request + requestText([{ role: 'assistant', content: reply }]);

/** Length of the common prefix of two texts, in characters. */
export const commonPrefix = (one: string, other: string): number => {
  let low = 0;
  let high = Math.min(one.length, other.length);
  // Binary search: the engine compares whole slices much faster than this loop could compare characters.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * A chat model's prompt cache: the last `size` requests, each with its reply. A browser's model keeps one; vLLM, the
 * llama.cpp server and Prompt API sessions keep several.
 */
export class PrefixCache {
  readonly #size: number;
  #held: string[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Length of the request's longest cached prefix, in characters. */
  prefixOf(request: string): number {
    return Math.max(0, ...this.#held.map((text) => commonPrefix(text, request)));
  }

  /** Share of the last cached text that is a prefix of the request; null if nothing is cached. */
  keptBy(request: string): number | null {
    const last = this.#held.at(-1);
    return last === undefined ? null : commonPrefix(last, request) / last.length;
  }

  hold(request: string, reply: string | null): void {
    this.#held = [...this.#held, answered(request, reply)].slice(-this.#size);
  }
}
