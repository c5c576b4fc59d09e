import { apply } from '../../../domain/apply.ts';
import type { Decision } from '../../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../../domain/entry.ts';
import type { Event } from '../../../domain/event-kinds.ts';
import {
  emptyForest,
  type Forest,
  GIVEN,
  type Node,
  type NodeId,
  type PendingTurn,
  RECALL,
  type TreeId,
} from '../../../domain/forest.ts';
import { handle, type Intent, type IntentOutcome } from '../../../domain/handle.ts';
import { childrenOf, nodeOf, pendingTurn, replyOf, replyText } from '../../../domain/queries.ts';
import { recordsOf, type Table } from '../../../domain/table.ts';
import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { BuiltContext, Policy } from '../../../engine/context/policy.ts';
import { EMBEDDER, SUMMARISER } from '../../../engine/embedded-names.ts';
import { Engine } from '../../../engine/engine.ts';
import { defaultParameters } from '../../../engine/parameters.ts';
import { ComparedMessage } from '../../../engine/place/compared-message.ts';
import { topicQuestion } from '../../../engine/place/question-views.ts';
import type { RouteInput } from '../../../engine/place/route-input.ts';
import type { Decider, Dialogue, Models, TokenCounter, TopicQuestion } from '../../../engine/ports.ts';
import { SHIPPED_SETTINGS } from '../../../engine/settings.ts';
import { Stopwatch } from '../../../engine/tasks.ts';
import { glossedForEmbedder } from '../../../engine/text/glossary.ts';
import { languageSpoken, latestMessages, MESSAGES_HEARD } from '../../../engine/text/spoken-language.ts';
import { TermReader } from '../../../engine/text/terms.ts';
import { type Route, reconsidered, route } from '../../../engine/turn/decide.ts';
import { embeddingText, replyStart, startOf } from '../../../engine/vectors/node-vectors.ts';
import { VectorTable } from '../../../engine/vectors/vector-table.ts';
import { createExtractive, summaryOf } from '../../../models/embedded/extractive/summary.ts';
import { titleOf } from '../../../models/embedded/extractive/title.ts';
import { createRecall } from '../../../models/embedded/recall/recall.ts';
import { type EmbedTexts, USE_LITE_THETA } from '../../../models/runtimes/embedding.ts';
import type { LabelledDialogue, LabelledTurn } from '../datasets/dialogues.ts';
import { learnedFor } from '../held-out/held-out-deciders.ts';
import type { VectorOf } from './embedded-texts.ts';

const terms = new TermReader();
/** In milliseconds: nobody is waiting, and no model should time out on a busy machine or while it loads over a slow line. */
const UNHURRIED = 3_600_000;
const BY_LABEL: Decision = { topic: 'continue-topic', branch: null, by: 'person', trace: null };

/** Replays a labelled dialogue in a forest of its own. Its turns are nodes `n0`, `n1`, … */
export class Replay {
  readonly forest = emptyForest();
  readonly #vectorOf: VectorOf;
  readonly #policy: Policy;
  readonly #table: VectorTable;
  readonly #replies: VectorTable;
  /** Turns read before the user's language could be detected. */
  #untold: Node[] = [];
  #turns = 0;
  /** The time of the last turn that had one; also used for pending messages. */
  #at = 0;

  /** `policy`: how turns find their places. */
  constructor(vectorOf: VectorOf, policy: Policy = contextAgent) {
    this.#vectorOf = vectorOf;
    this.#policy = policy;
    this.#table = new VectorTable(vectorOf('').length);
    this.#replies = new VectorTable(vectorOf('').length);
  }

  /** Similarity of a message, or of a reply to one (`said`), to what has been placed. */
  nearness(message: string, said = message): ComparedMessage {
    const spoken = spokenIn([...latestMessages(this.forest), said]);
    this.#readUntold(spoken);
    const read = glossedForEmbedder(message, spoken);
    return new ComparedMessage(message, this.#vectorOf(read), this.#table, EMBEDDER, null, {
      replies: this.#replies,
      spoken,
      terms,
    });
  }

  /** What deciders are asked about the topic of the next message, or of a reply to it (`said`), as in the app: once it has been sent. */
  question(message: string, said = message): TopicQuestion {
    this.#sent(message);
    return topicQuestion(this.forest, this.nearness(said, message));
  }

  /** Where the engine itself would put the next message. */
  async route(message: string, decider: Decider, theta: number): Promise<Route> {
    return route(this.#asked(message, decider, theta));
  }

  /** Where the engine puts the turn once it has been replied to: its first place, unless the reply moves it. */
  async routeOnceReplied(
    { message, reply, replyBy }: LabelledTurn,
    first: Route,
    decider: Decider,
    theta: number,
  ): Promise<Route> {
    const start = replyBy === RECALL ? '' : startOf(reply ?? '');
    if (start === '') return first;
    const asked = this.#asked(message, decider, theta);
    return (await reconsidered(asked, first, this.nearness(start, message))) ?? first;
  }

  #asked(message: string, decider: Decider, theta: number): RouteInput {
    return {
      forest: this.forest,
      pending: this.#sent(message),
      near: this.nearness(message),
      deciders: [decider],
      embedder: EMBEDDER,
      theta: this.#policy.theta ?? theta,
      policy: this.#policy.name,
      retrieval: this.#policy.retrieval,
      ...(this.#policy.topicBy && { topicBy: this.#policy.topicBy }),
      parameters: { ...defaultParameters, patience: UNHURRIED },
      signal: new AbortController().signal,
      fallbacks: [],
      stopwatch: new Stopwatch(() => 0),
    };
  }

  /**
   * The forest as it would be with the next message placed under a node (null: a new topic) by a decision, and the id of the
   * new node.
   */
  preview(message: string, parentId: NodeId | null, decision = BY_LABEL): { forest: Forest; nodeId: NodeId } {
    const forest = copyOf(this.forest);
    this.#hang(forest, message, parentId, decision);
    return { forest, nodeId: this.#next };
  }

  /** Places the next turn under a node (null: a new topic), with its reply and the reply's context, summary and title. */
  place(turn: LabelledTurn, parentId: NodeId | null, built: BuiltContext | null = null, decision = BY_LABEL): NodeId {
    const { message, reply, replyBy = GIVEN, at = this.#at } = turn;
    const nodeId = this.#next;
    this.#at = at;
    this.#hang(this.forest, message, parentId, decision);
    if (built?.overview) this.#record({ type: 'overview-built', overview: built.overview });
    if (reply !== null || built !== null) {
      const replyId = `r${this.#turns}`;
      this.#record({ type: 'reply-started', nodeId, replyId, model: replyBy, context: built?.context ?? null });
      this.#record({ type: 'reply-received', nodeId, replyId, text: reply ?? '' });
      this.#record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings: [] });
    }
    const { summary, title } = gistOf(turn);
    this.#record({ type: 'summarised', nodeId, text: summary, by: SUMMARISER });
    const node = nodeOf(this.forest, nodeId);
    if (parentId === null) this.#title(node.treeId, title);
    else this.#titleBySecond(node);
    const spoken = spokenIn(latestMessages(this.forest));
    this.#readUntold(spoken);
    this.#embed(node, spoken);
    if (spoken === null) this.#untold.push(node);
    this.#turns++;
    return nodeId;
  }

  #title(treeId: TreeId, title: string): void {
    this.#record({ type: 'topic-titled', treeId, title, by: 'engine' });
  }

  /** A topic's second turn may say better than its first what the topic is about: as in the app, it is titled from both then. */
  #titleBySecond(second: Node): void {
    const { treeId, parentId, message } = second;
    const root = nodeOf(this.forest, this.forest.trees[treeId]?.rootId ?? '');
    if (parentId !== root.id || childrenOf(this.forest, root.id).length > 1) return;
    const first = { message: root.message, reply: replyText(root) };
    this.#title(treeId, titleOf({ ...first, second: { message, reply: replyText(second) } }));
  }

  #readUntold(spoken: string | null): void {
    if (spoken !== null) for (const node of this.#untold.splice(0)) this.#embed(node, spoken);
  }

  #embed(node: Node, spoken: string | null): void {
    this.#table.set(node.id, this.#vectorOf(glossedForEmbedder(embeddingText(node), spoken)));
    const start = replyStart(node);
    if (start !== '') this.#replies.set(node.id, this.#vectorOf(glossedForEmbedder(start, spoken)));
  }

  get #next(): NodeId {
    return `n${this.#turns}`;
  }

  /** Sends the next message, unless it has been. */
  #sent(message: string, forest = this.forest): PendingTurn {
    if (pendingTurn(forest) === null)
      this.#record({ type: 'message-sent', nodeId: this.#next, message, given: null, target: null }, forest);
    const pending = pendingTurn(forest);
    if (pending?.message !== message) throw new Error('the message is not pending');
    return pending;
  }

  #hang(forest: Forest, message: string, parentId: NodeId | null, decision = BY_LABEL): void {
    this.#sent(message, forest);
    const fresh = { treeId: `t${this.#turns}`, branchId: `b${this.#turns}` };
    const placed = handle(forest, { type: 'place', nodeId: this.#next, parentId, fresh, decision });
    if (!placed.ok) throw new Error(`the turn has no place: ${placed.refusal}`);
    for (const event of placed.events) this.#record(event, forest);
  }

  #record(event: Event, forest: Forest = this.forest): void {
    // Without a step nothing is kept for undo, which a measurement does not need.
    apply(forest, { v: LOG_VERSION, seq: 1, at: this.#at, step: null, event });
  }
}

/** The summary and title that the engine would keep of a turn; cached, because dialogues are replayed many times. */
const gistOf = (turn: LabelledTurn): { readonly summary: string; readonly title: string } => {
  let gist = gists.get(turn);
  if (gist === undefined) {
    const given = { message: turn.message, reply: turn.reply ?? '' };
    gist = { summary: summaryOf(given), title: titleOf(given) };
    gists.set(turn, gist);
  }
  return gist;
};
const gists = new WeakMap<LabelledTurn, ReturnType<typeof gistOf>>();

/** The language of the last messages; also cached, because detecting it takes as long as everything else combined. */
const spokenIn = (messages: readonly string[]): string | null => {
  const last = messages.slice(-MESSAGES_HEARD);
  const key = last.join('\n');
  let language = languages.get(key);
  if (language === undefined) {
    if (languages.size >= MOST_LANGUAGES) languages.clear();
    language = languageSpoken(last);
    languages.set(key, language);
  }
  return language;
};
const languages = new Map<string, string | null>();
/** More than the turns of all data sets; some tens of megabytes. */
const MOST_LANGUAGES = 100_000;

/** The node of a turn, by the turn's index in the dialogue. */
export const nodeIdOf = (turn: number): NodeId => `n${turn}`;
/** The index in the dialogue of a node's turn. */
export const turnIndexOf = (nodeId: NodeId): number => Number(nodeId.slice(1));

/** Events modify records in place, so the records are copied too. */
const copyOf = (forest: Forest): Forest => {
  const records = <T extends object>(table: Table<T>): Table<T> =>
    Object.fromEntries(Object.entries(table).map(([id, record]) => [id, record && { ...record }]));
  return {
    ...forest,
    nodes: records(forest.nodes),
    children: { ...forest.children },
    trees: records(forest.trees),
    branches: records(forest.branches),
    pending: records(forest.pending),
    overviews: { ...forest.overviews },
    history: { past: [], future: [] },
  };
};

/** A dialogue that was played, with its log. */
interface PlayedDialogue {
  readonly forest: Forest;
  readonly entries: readonly Entry[];
}

/**
 * Plays a dialogue through the engine itself, as the app does, without storing anything; uses the shipped policy by default.
 * Rejects if a turn finds no place, and with whatever `applyEntries` throws, which inspects every completed turn.
 */
export const replayDialogue = async (
  dialogue: Dialogue,
  models: Models,
  policy: Policy = SHIPPED_SETTINGS.policy,
  after: (node: Node) => void = () => undefined,
): Promise<PlayedDialogue> => {
  const forest = emptyForest();
  const entries: Entry[] = [];
  let ids = 0;
  const newId = () => `id${++ids}`;
  const commit = async (intent: Intent): Promise<IntentOutcome> => {
    const handled = handle(forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      const seq = entries.length + 1;
      const entry: Entry = { v: LOG_VERSION, seq, at: seq, step: handled.step, event };
      entries.push(entry);
      apply(forest, entry);
    }
    return handled;
  };
  const engine = new Engine(
    {
      models: () => models,
      embedded: models,
      vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
      settings: () => ({ ...SHIPPED_SETTINGS, policy, parameters: { patience: UNHURRIED } }),
      now: () => performance.now(),
      newId,
    },
    // Copied, because the forest changes in place while a host's forest does not.
    {
      forest: () => ({ ...forest, nodes: { ...forest.nodes }, trees: { ...forest.trees } }),
      commit,
      received: () => undefined,
      phase: () => undefined,
      time: () => entries.length + 1,
    },
  );
  for (const { message, reply } of dialogue.turns) {
    const event = { type: 'message-sent' as const, nodeId: newId(), message, given: reply, target: null };
    const sent = await commit({ type: 'record', event, step: newId() });
    const pending = pendingTurn(forest);
    if (!sent.ok || pending === null) throw new Error(`a message was refused: ${sent.ok ? 'lost' : sent.refusal}`);
    await engine.turn(pending, new AbortController().signal);
    const node = forest.nodes[pending.id];
    if (node === undefined) throw new Error('a turn found no place');
    after(node);
  }
  return { forest, entries };
};

/** The chat model that replies where a set has only user turns. */
export const REPLIES_BY = RECALL;

/**
 * Gives a dialogue of user turns only the replies that the app would give with nothing downloaded, from a run of the whole
 * engine. All policies get the same replies, so that only their contexts differ.
 */
export const createReplies = (vectorOf: VectorOf, tokens: TokenCounter, embed: EmbedTexts) => {
  const known = new WeakMap<LabelledDialogue, LabelledDialogue>();
  return async (dialogue: LabelledDialogue): Promise<LabelledDialogue> => {
    const { turns } = dialogue;
    // The engine rejects blank messages.
    if (turns.some(({ message, reply }) => reply !== null || message.trim() === '')) return dialogue;
    const replied =
      known.get(dialogue) ?? (await reply(dialogue, modelsFor(learnedFor(dialogue), vectorOf, tokens, embed)));
    known.set(dialogue, replied);
    return replied;
  };
};

const reply = async (dialogue: LabelledDialogue, models: Models): Promise<LabelledDialogue> => {
  const { forest } = await replayDialogue({ title: dialogue.id, turns: dialogue.turns }, models);
  const replies = new Map(recordsOf(forest.nodes).map((node) => [node.number - 1, replyOf(node)?.text ?? null]));
  return {
    ...dialogue,
    turns: dialogue.turns.map((turn, at) => ({ ...turn, reply: replies.get(at) ?? null, replyBy: REPLIES_BY })),
  };
};

const modelsFor = (decide: Decider, vectorOf: VectorOf, tokens: TokenCounter, embed: EmbedTexts): Models => ({
  chat: createRecall({ tokens, wordDelay: () => 0 }),
  decide,
  summarise: createExtractive(),
  embed: {
    name: EMBEDDER,
    dimensions: vectorOf('').length,
    theta: USE_LITE_THETA,
    embed,
  },
});
