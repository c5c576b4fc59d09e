import type { ChatMessage } from '../domain/context.ts';
import type { BranchAnswer, Fallback, NodeCandidate, TopicAnswer, TopicCandidate } from '../domain/decision.ts';
import type { Node, NodeId, TreeId } from '../domain/forest.ts';
import type { ReplySettings, Usage } from '../domain/reply.ts';

/*
 * What the engine needs from outside: one interface per role, and one for storage. Implementations live in models/ and
 * storage/. A rejected promise means the model failed; the engine falls back and records it in the trace.
 */

interface Model {
  /** Names the model in traces, e.g. `use-lite-en int8`. */
  readonly name: string;
}

/** Role `embed`. Vectors are normalised: their dot product is the cosine. */
export interface Embedder extends Model {
  readonly dimensions: number;
  /** θ: the similarity from which a node is a fork point, calibrated for this embedder. */
  readonly theta: number;
  /** Supported languages, as ISO 639-1; null or absent if unknown or too many to list. */
  readonly languages?: readonly string[] | null;
  /**
   * Returns one vector of `dimensions` floats per text, in order. Texts are not empty. `idle`: it can wait, and any
   * other request goes first.
   */
  embed(texts: readonly string[], signal?: AbortSignal, when?: 'idle'): Promise<Float32Array[]>;
}

/** Counts tokens as the model that will read them does. */
export interface TokenCounter extends Model {
  count(texts: readonly string[]): Promise<number[]>;
}

/** A text's normalised vector, and the name of the embedder that made it. */
export interface Embedding {
  readonly embedder: string;
  readonly vector: Float32Array;
}

export interface TopicQuestion {
  readonly message: string;
  /** The message's embedding; null if it could not be embedded. */
  readonly embedding: Embedding | null;
  /** The topics in order of creation, with the message's similarity to the nearest node of each; only the top ones of very many. */
  readonly topics: readonly TopicView[];
  /** The active path, root first; only the root and the last turns of a very long one. */
  readonly path: readonly NodeView[];
  /** The last turns by time, oldest first, at most ten: where the conversation has been lately. */
  readonly recent: readonly NodeView[];
  /** Milliseconds from the last turn to the message; absent if unknown. */
  readonly pause?: number;
  /** The language the person writes in, as ISO 639-1; null if it cannot be told. */
  readonly spoken: string | null;
  /** Replaces a language model's own instructions. */
  readonly instructions?: string;
  readonly onAsked?: PromptListener;
}

/**
 * Called by a decider that asks a language model, first with the prompt and then with what came of the answer. Kept in
 * the trace if the decider fails.
 */
export type PromptListener = (asked: Required<Pick<Fallback, 'prompt' | 'raw'>>) => void;

export interface TopicView extends TopicCandidate {
  /** The summaries of its nodes in chronological order (Context-Agent §3.3, step 0). */
  readonly summary: string;
  /** Its nodes in chronological order. */
  readonly turns: readonly Node[];
  readonly size: number;
  /** Turns sent since its newest one: 0 for the topic of the last turn. */
  readonly age: number;
  /** Cosine of the message to the mean of its nodes, and to the node a switch would land on. */
  readonly meanSimilarity: number;
  readonly activeSimilarity: number;
  /**
   * Cosine of the message to the beginnings of its last replies: the highest, and that of the node a switch would land
   * on. 0 if there is none.
   */
  readonly replySimilarity: number;
  readonly activeReplySimilarity: number;
  /** Vectors of the node a switch would land on, and means over its last turns; null if there is none. */
  readonly vectors: TopicVectors;
}

export type TopicVectors = Readonly<Record<'tipMessage' | 'tipReply' | 'messages' | 'replies', Float32Array | null>>;

export interface NodeView extends NodeCandidate {
  readonly node: Node;
}

export interface BranchQuestion {
  readonly message: string;
  /** The active path, or that of the topic switched to, shortened as in a topic question; and its full number of turns. */
  readonly path: readonly NodeView[];
  readonly pathLength: number;
  /** n*: where a new branch would hang, or whose branch would be switched to. */
  readonly forkPoint: NodeView;
  /** Every place the message could continue from; a decider may name one of them instead of n*. */
  readonly places: readonly BranchPlace[];
  /** Returns the cosine of a turn's reply to the message (0 if there is none), and the turn's vectors as if it were a topic of its own. */
  readonly seen: (nodeId: NodeId) => { readonly replySimilarity: number; readonly vectors: TopicVectors };
  readonly embedding: Embedding | null;
  readonly spoken: string | null;
  /** The message has just switched to this topic, so words of return may mean no more than that. */
  readonly topicSwitched: boolean;
  /** Replaces a language model's own instructions. */
  readonly instructions?: string;
  readonly onAsked?: PromptListener;
}

/** A turn to summarise or to title its topic by; a title also uses the second turn, once there is one. */
export interface SummaryInput {
  /** The digest of the previous turn on its path, which may alone say what “it” and “that” refer to. Absent if there is none. */
  readonly before?: string;
  readonly message: string;
  readonly reply: string;
  readonly second?: Pick<SummaryInput, 'message' | 'reply'>;
  /** Replaces a language model's own instructions. */
  readonly instructions?: string;
}

/** A place where a message that stays in its topic could continue instead of at the active node. */
export interface BranchPlace {
  /** A new branch from this node, or the branch that ends with it. */
  readonly action: 'create-branch' | 'switch-branch';
  readonly from: NodeView;
  /** How many steps it lies above the active node; null if it is not an ancestor of it. */
  readonly steps: number | null;
  /** The turn after it on the active path, which a fork here would set aside; null if it is not an ancestor. */
  readonly setAside: NodeView | null;
  /** For another branch, its node most similar to the message; null for a new branch. */
  readonly nearest: NodeView | null;
}

/** `target` is the topic to continue; null with `create-topic`. */
export type TopicAnswerAbout = TopicAnswer & { readonly target: TreeId | null };

/** Role `decide` (Context-Agent §3.3, steps 1 and 3). */
export interface Decider extends Model {
  /** Asked about branches whatever the similarities, since asking costs nothing; otherwise only if the gate opens. */
  readonly ungated?: boolean;
  /** Answers from memory, so no timeout is set: that would take longer than answering. */
  readonly instant?: boolean;
  topic(question: TopicQuestion, signal?: AbortSignal): Promise<TopicAnswerAbout>;
  branch(question: BranchQuestion, signal?: AbortSignal): Promise<BranchAnswer>;
  /**
   * Returns where a message belongs now that its reply is known; `reply` is the same question, as if the reply were the
   * message. Absent if the decider has nothing to add by then.
   */
  reconsider?(asked: { readonly message: TopicQuestion; readonly reply: TopicQuestion }): Promise<TopicAnswerAbout>;
  /** Absent for a decider that weighs the topics against each other: its answer about a path is derived from that. See `askPath`. */
  path?(question: PathQuestion, signal?: AbortSignal): Promise<PathAnswer>;
}

/** Role `summarise`. */
export interface Summariser extends Model {
  /** One third-person sentence that keeps names, numbers and decisions (Context-Agent §3.2). */
  summarise(turn: SummaryInput, signal?: AbortSignal): Promise<string>;
  /** Returns a topic's title from its first and second turn: two to six words, no full stop. */
  title(turn: SummaryInput, signal?: AbortSignal): Promise<string>;
  /** Has a language model write about a text as instructed; absent for a summariser that is not one. */
  write?(instructions: string, text: string, signal?: AbortSignal): Promise<string>;
}

export interface ChatRequest {
  /** What is sent, byte for byte. */
  readonly messages: readonly ChatMessage[];
  /** The pictures that messages refer to, as data URLs by id; absent if there are none. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** What an interrupted reply already said; empty for a new one. */
  readonly begun: string;
  /** The system prompt is already in `messages`. */
  readonly settings: ReplySettings;
  /** Called once, at the end, by a model that reports usage. */
  readonly onUsage?: (usage: Usage) => void;
  /**
   * The message as the user wrote it, the path before it and the turns nearest to it anywhere in the forest. For a
   * responder that is not a language model and quotes; a language model reads only `messages`.
   */
  readonly quotable: () => {
    /** If absent, the last of `messages`, which also has the notes, fetched turns and files sent with it. */
    readonly message?: string;
    /** The language the person writes in (ISO 639-1); absent or null if it is not known. */
    readonly spoken?: string | null;
    readonly path: readonly NodeView[];
    readonly nearest: readonly NodeView[];
  };
}

/** Role `chat`. */
export interface ChatModel extends Model {
  /** Tokens of context and reply together. */
  readonly window: number;
  /** Whether it accepts pictures; absent if it does not, or if unknown. */
  readonly sees?: boolean;
  /** Continuing a reply, it is sent the answer so far without the thoughts before it; absent if it is sent both. */
  readonly forgetsThoughts?: boolean;
  readonly tokens: TokenCounter;
  /**
   * Resolves when it is as ready as it will get: another model may have replaced it by then, and `reply` reports what
   * kept it from loading. `asked`: the person asks for this model again, so it is loaded again whatever kept it from that.
   * Absent if there is nothing to wait for.
   */
  prepare?(signal: AbortSignal, asked: boolean): Promise<void>;
  /** Keeps the model loaded until the returned function is called, even if another one replaces it meanwhile. */
  hold?(): () => void;
  /** Yields the reply piece by piece. Aborting the signal ends it; what arrived stays. */
  reply(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
}

export interface Models {
  readonly chat: ChatModel;
  readonly decide: Decider;
  /** Asked where the decider is unsure. */
  readonly consult?: Decider;
  readonly summarise: Summariser;
  readonly embed: Embedder;
  /** Models that were chosen and are not here, in whose place the above answer; absent if there are none. */
  readonly missing?: readonly MissingModel[];
}

/** A model that is not here: it is loading since the page was opened, was lost, or failed to load. */
export interface MissingModel {
  readonly role: 'decide' | 'consult' | 'summarise' | 'embed';
  readonly name: string;
  /** Why it is not here, as a fallback says it. */
  readonly why: string;
  /** Begins to load it again if it was lost and may be back; nothing waits for it. */
  reload(): void;
}

/** An external dialogue, ready to be replayed. A null reply is left to the chat role. */
export interface Dialogue {
  readonly title: string;
  readonly turns: readonly { readonly message: string; readonly reply: string | null }[];
}

/** Asks whether a message continues a path of turns; asked path by path where there is no topic question. */
export interface PathQuestion {
  readonly message: string;
  readonly treeId: TreeId;
  /** Title of its topic. */
  readonly title: string;
  /** Root first; only the root and the last turns of a very long one. */
  readonly path: readonly NodeView[];
  /** Whether it is the active path. */
  readonly active: boolean;
  /** The topic question about the message, the same one for all its paths. */
  readonly among: TopicQuestion;
  readonly onAsked?: PromptListener;
}

export interface PathAnswer extends Omit<TopicAnswer, 'action' | 'alternatives'> {
  readonly yes: boolean;
  /** The topic answer it was derived from; absent if the path itself was asked about. */
  readonly among?: TopicAnswer & { readonly target: TreeId | null };
}

/** Languages whose everyday words are rendered in English for embedders that know nothing else (`glossary.ts`), as ISO 639-1. */
export const GLOSSED: ReadonlySet<string> = new Set(
  'ar cs da de es fr hi id it ja ko nl pl pt ru sv tr uk zh'.split(' '),
);
