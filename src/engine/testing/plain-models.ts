import type { BranchAction, TopicAction } from '../../domain/decision.ts';
import type {
  BranchQuestion,
  ChatModel,
  ChatRequest,
  Decider,
  Embedder,
  Models,
  Summariser,
  TopicQuestion,
} from '../ports.ts';

/*
 * Models whose answers a test can predict: words as vectors, words as tokens, decisions as instructed.
 */

const DIMENSIONS = 64;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** A normalised bag of words. Texts with the same words have cosine 1, texts with no word in common (nearly) 0. */
const bagOfWords = (text: string): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 9973;
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] as number) + 1;
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
};

export const bagEmbedder: Embedder = {
  name: 'bag of words',
  dimensions: DIMENSIONS,
  theta: 0.6,
  embed: async (texts) => texts.map(bagOfWords),
};

const wordCounter = {
  name: 'words',
  count: async (texts: readonly string[]) => texts.map((text) => wordsOf(text).length),
};

/** Holds a test's model or storage back: what awaits `opened` goes on when `open` is called. */
export const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** Picks the topic by a tag in the message, `#name`: the topic whose title contains it, otherwise a new one. */
export const tagDecider = (branch: BranchAction = 'continue-branch'): Decider & { asked: BranchQuestion[] } => {
  const asked: BranchQuestion[] = [];
  return {
    name: 'tags',
    asked,
    topic: async ({ message, topics }: TopicQuestion) => {
      const tag = message.match(/#\w+/)?.[0];
      const active = topics.find((topic) => topic.active);
      const found = tag === undefined ? active : topics.find((topic) => topic.title.includes(tag));
      const action: TopicAction =
        found === undefined ? 'create-topic' : found === active ? 'continue-topic' : 'switch-topic';
      return { action, target: found?.treeId ?? null, confidence: 1, reasons: [], raw: tag ?? '', decider: 'tags' };
    },
    branch: async (question) => {
      asked.push(question);
      return { action: branch, confidence: null, reasons: [], raw: branch, decider: 'tags' };
    },
  };
};

export const firstWords: Summariser = {
  name: 'first words',
  summarise: async ({ message }) => `The user said: ${message}`,
  title: async ({ message }) => message.split(' ').slice(0, 3).join(' '),
};

/** Says `words` words and is cut off there; reports that it has read so many tokens, anew and from its cache. */
export const cutOffChat = (
  window: number,
  words: number,
  [prefilled, reused]: readonly [number, number] | readonly [null, null] = [null, null],
) => ({
  ...countingChat(window),
  name: 'filling',
  async *reply({ onUsage }: ChatRequest) {
    yield 'word '.repeat(words);
    onUsage?.({ prefilled, reused, generated: words, cut: true });
  },
});

/** Replies with the number of messages it was sent, one word at a time; records every request. */
export const countingChat = (window = 4096): ChatModel & { requests: ChatRequest[] } => {
  const requests: ChatRequest[] = [];
  return {
    name: 'counting',
    window,
    tokens: wordCounter,
    requests,
    async *reply(request, signal) {
      requests.push(request);
      for (const word of ['I', ' was', ' sent', ` ${request.messages.length}`, ' messages.']) {
        if (signal.aborted) return;
        yield word;
      }
    },
  };
};

/** Replies with its name and the text it continues. */
export const namedChat = (name: string): ChatModel => ({
  ...countingChat(),
  name,
  async *reply({ begun }) {
    yield `${name} after “${begun}”`;
  },
});

export const plainModels = (parts: Partial<Models> = {}): Models => ({
  chat: countingChat(),
  decide: tagDecider(),
  summarise: firstWords,
  embed: bagEmbedder,
  ...parts,
});

/** For a topic or a turn whose replies and vectors are unknown. */
const noVectors = { tipMessage: null, tipReply: null, messages: null, replies: null };
export const unseenTurn = { replySimilarity: 0, vectors: noVectors };
export const unseenTopic = { ...unseenTurn, activeReplySimilarity: 0 };

/** A chat model that holds its reply back until released. */
export const heldChat = () => {
  const { open: letGo, opened: held } = gate();
  const chat = {
    ...countingChat(),
    async *reply(_: ChatRequest, signal: AbortSignal) {
      yield 'half ';
      await Promise.race([held, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      if (!signal.aborted) yield 'whole';
    },
  };
  return { chat, letGo };
};

/** A decider that holds its answer back until released, unless it is stopped. */
export const heldDecider = () => {
  const { open: letGo, opened: held } = gate();
  const decider = tagDecider();
  const topic: Decider['topic'] = async (question, signal) => {
    const stopped = new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    await Promise.race([held, stopped]);
    return decider.topic(question, signal);
  };
  return { decide: { ...decider, topic }, letGo };
};
