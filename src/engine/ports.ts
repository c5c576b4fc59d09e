import type { ChatMessage } from '../domain/context.ts';
import type { BranchAnswer, Fallback, NodeCandidate, TopicAnswer, TopicCandidate } from '../domain/decision.ts';
import type { Node, NodeId, TreeId } from '../domain/forest.ts';
import type { ReplySettings, Usage } from '../domain/reply.ts';

/*
 * What the engine needs from outside, one interface a role (and one for keeping). Implementations live
 * in models/ and storage/. A rejected promise means the model failed; the engine falls back and says so in the trace.
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
  /** Languages that it knows, as ISO 639-1; null, or left out, where that is not known or they are too many to name. */
  readonly languages?: readonly string[] | null;
  /** One vector of `dimensions` floats a text, in order. Texts are not empty. `idle`: it can wait, and whatever else is asked goes first. */
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
  /** The message's; null where it could not be embedded. */
  readonly embedding: Embedding | null;
  /** The topics in order of creation, with the message's similarity to the nearest node of each; of very many the foremost. */
  readonly topics: readonly TopicView[];
  /** The active path, root first; of a very long one the root and its last turns. */
  readonly path: readonly NodeView[];
  /** The last turns by time, oldest first, at most ten: where the conversation has been lately. */
  readonly recent: readonly NodeView[];
  /** Milliseconds from the last turn to the message; left out where that is not known. */
  readonly pause?: number;
  /** The language that the person writes in, as ISO 639-1; null where it cannot be told. */
  readonly spoken: string | null;
  /** What a language model is told in place of its own instructions. */
  readonly instructions?: string;
  readonly onAsked?: OnAsked;
}

/** Told by a decider that asks a language model: what it is asked, and then what has come of the answer. Where the decider fails, the trace keeps it. */
export type OnAsked = (asked: Required<Pick<Fallback, 'prompt' | 'raw'>>) => void;

export interface TopicView extends TopicCandidate {
  /** The summaries of its nodes in order of time (Context-Agent §3.3, step 0). */
  readonly summary: string;
  /** Its nodes in order of time. */
  readonly turns: readonly Node[];
  readonly size: number;
  /** Turns sent since its newest one: 0 for the topic of the last turn. */
  readonly age: number;
  /** Cosine of the message to the mean of its nodes, and to the node a switch would land on. */
  readonly meanSimilarity: number;
  readonly activeSimilarity: number;
  /** Cosine of the message to the replies of its last turns, by how they begin: the highest, and that of the node a switch would land on. 0 where there is none. */
  readonly replySimilarity: number;
  readonly activeReplySimilarity: number;
  /** Of the node a switch would land on, and means over its last turns; null where there is none. */
  readonly vectors: TopicVectors;
}

export type TopicVectors = Readonly<Record<'tipMessage' | 'tipReply' | 'messages' | 'replies', Float32Array | null>>;

export interface NodeView extends NodeCandidate {
  readonly node: Node;
}

export interface BranchQuestion {
  readonly message: string;
  /** Of the active path, or of that of the topic switched to, what a topic question shows; and how many turns it has. */
  readonly path: readonly NodeView[];
  readonly pathLength: number;
  /** Top k of the topic, most similar first; the fork point may come later in it than first. */
  readonly retrieved: readonly NodeView[];
  /** n*: where a new branch would hang, or whose branch would be switched to. */
  readonly forkPoint: NodeView;
  /** Every place that the message could go on from; a decider may name one of them in place of n*. */
  readonly places: readonly BranchPlace[];
  /** How a turn's reply stands to the message (cosine; 0 where there is none), and the vectors of the turn, as those of a topic of it alone. */
  readonly seen: (nodeId: NodeId) => { readonly replySimilarity: number; readonly vectors: TopicVectors };
  readonly embedding: Embedding | null;
  readonly spoken: string | null;
  /** The message has just switched to this topic: words of return may mean no more than that. */
  readonly topicSwitched: boolean;
  /** What a language model is told in place of its own instructions. */
  readonly instructions?: string;
  readonly onAsked?: OnAsked;
}

/** A turn to be put in few words; for a title of its topic with the second turn, once there is one. */
export interface ToDigest {
  /** The digest of the turn before on its path: what its “it” and “that” are may stand there alone. Left out where there is none. */
  readonly before?: string;
  readonly message: string;
  readonly reply: string;
  readonly second?: Pick<ToDigest, 'message' | 'reply'>;
  /** What a language model is told in place of its own instructions. */
  readonly instructions?: string;
}

/** Where a message that stays in its topic could go on from instead of the active node. */
export interface BranchPlace {
  /** A new branch from this node, or the branch that ends with it. */
  readonly action: 'create-branch' | 'switch-branch';
  readonly from: NodeView;
  /** How many steps it lies above the active node; null if it is no ancestor of it. */
  readonly steps: number | null;
  /** The turn after it on the active path, which a fork here would set aside; null if it is no ancestor. */
  readonly setAside: NodeView | null;
  /** Of another branch, its node most similar to the message; null for a new branch. */
  readonly nearest: NodeView | null;
}

/** `target` names the topic to go on in; null with `create-topic`. */
export type TopicAnswerAbout = TopicAnswer & { readonly target: TreeId | null };

/** Role `decide` (Context-Agent §3.3, steps 1 and 3). */
export interface Decider extends Model {
  /** It is asked about branches whatever the similarities, for asking it costs nothing; else only where the gate opens. */
  readonly ungated?: boolean;
  /** It answers from what it has in memory: no time is set for it, which would take longer than to answer. */
  readonly instant?: boolean;
  topic(question: TopicQuestion, signal?: AbortSignal): Promise<TopicAnswerAbout>;
  branch(question: BranchQuestion, signal?: AbortSignal): Promise<BranchAnswer>;
  /**
   * Where a message belongs now that its reply is known, of which `reply` is the same question, as if it had been said. Left out by one that
   * has no more to say then.
   */
  reconsider?(asked: { readonly message: TopicQuestion; readonly reply: TopicQuestion }): Promise<TopicAnswerAbout>;
  /** Left out by one that weighs the topics against each other: what it says of a path is read from that. See `askPath`. */
  path?(question: PathQuestion, signal?: AbortSignal): Promise<PathAnswer>;
}

/** Role `summarise`. */
export interface Summariser extends Model {
  /** One third-person sentence that keeps names, numbers and decisions (Context-Agent §3.2). */
  summarise(turn: ToDigest, signal?: AbortSignal): Promise<string>;
  /** A topic's title, by its first turn and its second: two to six words, no full stop. */
  title(turn: ToDigest, signal?: AbortSignal): Promise<string>;
  /** What a language model writes about a text as it is told; left out by a summariser that is none. */
  write?(instructions: string, text: string, signal?: AbortSignal): Promise<string>;
}

export interface ChatRequest {
  /** What is sent, byte for byte. */
  readonly messages: readonly ChatMessage[];
  /** The pictures that messages name, as data URLs by their ids; left out where they name none. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** What a reply that broke off already said; empty for a new one. */
  readonly begun: string;
  /** The system prompt stands in `messages` already. */
  readonly settings: ReplySettings;
  /** Called once, at the end, by a model that counts. */
  readonly onUsage?: (usage: Usage) => void;
  /**
   * The path and the turns nearest to the message anywhere in the forest. For a responder that is no
   * language model and quotes; a language model reads `messages` alone.
   */
  readonly quotable: () => { readonly path: readonly NodeView[]; readonly nearest: readonly NodeView[] };
}

/** Role `chat`. */
export interface ChatModel extends Model {
  /** Tokens of context and reply together. */
  readonly window: number;
  /** It can be shown pictures; left out where it cannot, or nobody knows. */
  readonly sees?: boolean;
  readonly tokens: TokenCounter;
  /**
   * Resolves when it is as ready as it will get: another may have taken its place by then, and what kept it from
   * loading is told by `reply`. Left out where there is nothing to wait for.
   */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Yields the reply piece by piece. Aborting the signal ends it; what came stays. */
  reply(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
}

export interface Models {
  readonly chat: ChatModel;
  readonly decide: Decider;
  /** Asked where the decider is unsure. */
  readonly consult?: Decider;
  readonly summarise: Summariser;
  readonly embed: Embedder;
}

/** A dialogue from outside, ready to be replayed. A reply that is null is left to the chat role. */
export interface Dialogue {
  readonly title: string;
  readonly turns: readonly { readonly message: string; readonly reply: string | null }[];
}

/** Whether a message goes on in a path of turns: asked of one path after the other where no topic is asked for. */
export interface PathQuestion {
  readonly message: string;
  readonly treeId: TreeId;
  /** Title of its topic. */
  readonly title: string;
  /** Root first; of a very long one the root and its last turns. */
  readonly path: readonly NodeView[];
  /** It is the active path. */
  readonly active: boolean;
  /** The topic question about the message, the same one for all its paths. */
  readonly among: TopicQuestion;
  readonly onAsked?: OnAsked;
}

export interface PathAnswer extends Omit<TopicAnswer, 'action' | 'alternatives'> {
  readonly yes: boolean;
  /** The answer to the topic question that it was read from; left out where the path itself was asked about. */
  readonly among?: TopicAnswer & { readonly target: TreeId | null };
}

/** Languages whose everyday words are put into English for embedders that know no other (`glossary.ts`), as ISO 639-1. */
export const GLOSSED: ReadonlySet<string> = new Set(
  'ar cs da de es fr hi id it ja ko nl pl pt ru sv tr uk zh'.split(' '),
);
