import {
  AutoModelForCausalLM,
  AutoModelForImageTextToText,
  AutoTokenizer,
  BaseStreamer,
  DynamicCache,
  InterruptableStoppingCriteria,
  LogitsProcessor,
  LogitsProcessorList,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  Tensor,
} from '@huggingface/transformers';
import type { Usage } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { flushMessages, type SentGeneration } from '../worker/protocol.ts';
import { MODEL, sessionOptions } from './load-repo.ts';
import type { RepoSpec } from './repo-files.ts';
import { type AnswerTree, answerTree, finiteAnswers, type Sampling, sampled, untilStop } from './sampling.ts';
import { inParts, loadVisionProcessor, type PicturedText, withoutPixels } from './vision.ts';

/** Tokens. The KV cache grows with the window, and is copied with every token unless it is on a GPU. */
const MOST_TOKENS = { wasm: 4096, webgpu: 8192 } as const;

/** Number of texts whose KV cache is kept: topic, branch, summary and title. A cache on the GPU cannot be truncated to a shared prefix. */
const PROMPTS = { wasm: 4, webgpu: 1 } as const;

/** Prefill chunk size in tokens: a second or so. */
const PART = { wasm: 64, webgpu: 256 } as const;

interface Run {
  /** The whole text, including the newest token. */
  readonly tokens: readonly number[];
  readonly values: KeyValues;
}

interface TextModel {
  readonly window: number;
  readonly sees: boolean;
  generate(request: SentGeneration, piece: (text: string) => void, signal: AbortSignal): Promise<Usage>;
  count(text: string): number;
}

/** `sight`: set for a model that also sees pictures. */
export const loadTextModel = async ({
  candidate,
  dtypes,
  files,
  sight,
}: Pick<RepoSpec, 'candidate' | 'dtypes' | 'files' | 'sight'>): Promise<TextModel> => {
  const tokenizer: PreTrainedTokenizer = await AutoTokenizer.from_pretrained(MODEL);
  tokenizer.chat_template ||= await templateIn(files);
  const kind = sight === null ? AutoModelForCausalLM : AutoModelForImageTextToText;
  const model: PreTrainedModel = await kind.from_pretrained(MODEL, {
    device: candidate.device,
    dtype: dtypes,
    session_options: sessionOptions(candidate, dtypes),
  });
  // Without a chat template there is no defined place for pictures.
  const eyes =
    sight === null || !tokenizer.chat_template ? null : await loadVisionProcessor(sight, model, candidate.device);
  const forward = model.forward.bind(model);
  model.forward = async (inputs: object): Promise<object> => {
    await flushMessages();
    return forward(inputs);
  };
  const window = Math.min(MOST_TOKENS[candidate.device], trainedFor(model.config) ?? MOST_TOKENS.wasm);
  const cache = new PromptCache({ texts: PROMPTS[candidate.device], tokens: window });
  const idsOf = (text: string, bare = false): number[] => tokenizer.encode(text, { add_special_tokens: bare });
  const ends = endsOf(model, tokenizer);
  const trees = new Map<string, AnswerTree | null>();

  const treeOf = (schema: object | null): AnswerTree | null => {
    if (schema === null) return null;
    const key = JSON.stringify(schema);
    const answers = finiteAnswers(schema);
    const tree = trees.get(key) ?? (answers === null ? null : answerTree(answers.map((answer) => idsOf(answer))));
    trees.set(key, tree);
    return tree;
  };

  const run = async (ids: readonly number[], values: KeyValues | null, more: object): Promise<Run> => {
    const result = (await model.generate({
      input_ids: tensorOf(ids),
      // Without the mask, the library assumes that the cached tokens precede the whole text.
      attention_mask: tensorOf(ids.map(() => 1)),
      // Our own sampler leaves a single candidate token, so the library always decodes greedily.
      do_sample: false,
      return_dict_in_generate: true,
      ...(values === null ? {} : { past_key_values: values }),
      ...more,
    } as never)) as unknown as { readonly sequences: Tensor; readonly past_key_values: KeyValues };
    const tokens = (result.sequences.tolist() as bigint[][])[0]?.map(Number) ?? [];
    return { tokens, values: result.past_key_values };
  };

  /**
   * Takes the cached prefix of a prompt. With pictures, the prefix must cover all of them or is discarded, because they are
   * processed together.
   */
  const known = async ({ ids, pictured }: Prompt) => {
    const found = await cache.take(pictured?.cacheKey(ids) ?? ids);
    if (found.values === null || found.reused >= (pictured?.end ?? 0)) return found;
    await found.values.dispose();
    return { values: null, reused: 0 };
  };

  /** Prefills all but the end of a prompt in chunks, so that an abort takes effect soon; what was read stays in the cache. */
  const prefill = async (
    { ids, pictured }: Prompt,
    before: KeyValues | null,
    reused: number,
    signal: AbortSignal,
  ): Promise<{ readonly values: KeyValues | null; readonly length: number }> => {
    const part = PART[candidate.device];
    let values = before;
    let length = reused;
    while (!signal.aborted) {
      const next = Math.max(length + part, pictured?.end ?? 0);
      if (next >= ids.length) break;
      // The one token generated here is never fed back, so it is not in the cache.
      const more = { ...pixelsFor(pictured, length), max_new_tokens: 1 };
      values = (await run(ids.slice(0, next), values, more)).values;
      length = next;
    }
    if (signal.aborted && values !== null) {
      const read = ids.slice(0, length);
      await cache.keep(pictured?.cacheKey(read) ?? read, values);
    }
    return { values, length };
  };

  const generate: TextModel['generate'] = async (request, piece, signal) => {
    const { text, bare, stops, urls } = promptText(tokenizer, request, eyes !== null);
    const pictured = eyes === null || urls.length === 0 ? null : await eyes.read(text, urls);
    const ids = pictured?.ids ?? idsOf(text, bare);
    const prompt: Prompt = { ids, pictured };
    const room = window - ids.length;
    if (room < 1) throw tooLong(ids.length, window, pictured !== null);
    const criteria = new InterruptableStoppingCriteria();
    const interrupt = (): void => criteria.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    const output = untilStop(stops, piece, interrupt);
    const stream = new TokenStream(tokenizer, output.push);
    const tree = treeOf(request.schema);
    const { values, reused } = await known(prompt);
    const read = await prefill(prompt, values, reused, signal);
    if (signal.aborted) return { prefilled: read.length - reused, reused, generated: 0 };
    const limit = Math.min(room, request.maxTokens ?? room);
    let last: number | undefined;
    try {
      const result = await run(ids, read.values, {
        ...pixelsFor(pictured, read.length),
        max_new_tokens: limit,
        streamer: stream,
        stopping_criteria: criteria,
        logits_processor: chooser(samplingOf(model, request), tree, ids.length, ends),
      });
      last = result.tokens.at(-1);
      await cache.keep(pictured?.cacheKey(result.tokens) ?? result.tokens, result.values);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
    const own = output.end() || (last !== undefined && ends.includes(last));
    const cut = !own && !signal.aborted && stream.count >= limit;
    return { prefilled: ids.length - reused, reused, generated: stream.count, ...(cut && { cut }) };
  };

  return { window, sees: eyes !== null, generate, count: (text) => idsOf(text).length };
};

interface Prompt {
  readonly ids: readonly number[];
  /** null if there are no pictures. */
  readonly pictured: PicturedText | null;
}

/** The picture inputs for the model, without pixels if the first `length` tokens already cover the pictures. */
const pixelsFor = (pictured: PicturedText | null, length: number): object =>
  pictured === null ? {} : length >= pictured.end ? withoutPixels(pictured.inputs) : pictured.inputs;

/** Reads the chat template from its own file, where it is not part of the tokenizer's configuration. */
const templateIn = async (files: RepoSpec['files']): Promise<string | undefined> => {
  const plain = await files.get('chat_template.jinja')?.text();
  if (plain !== undefined) return plain;
  const { chat_template: template } = JSON.parse((await files.get('chat_template.json')?.text()) ?? '{}') as {
    readonly chat_template?: string;
  };
  return template;
};

/** Masks all tokens but one: the one sampled from those that the answer's schema allows. */
const chooser = (
  sampling: Sampling,
  tree: AnswerTree | null,
  start: number,
  ends: readonly number[],
): LogitsProcessorList => {
  class Chooser extends LogitsProcessor {
    // The library calls this method by name.
    override _call(ids: bigint[][], logits: Tensor): Tensor {
      const data = logits.data as Float32Array;
      let at = tree;
      for (const id of at === null ? [] : (ids[0] ?? []).slice(start)) at = at?.next.get(Number(id)) ?? null;
      const allowed = tree === null ? null : [...(at?.next.keys() ?? []), ...(at === null || at.ends ? ends : [])];
      const chosen = sampled(data, sampling, allowed, Math.random);
      data.fill(Number.NEGATIVE_INFINITY);
      data[chosen] = 0;
      return logits;
    }
  }
  const list = new LogitsProcessorList();
  list.push(new Chooser());
  return list;
};

interface GenerationConfig {
  readonly do_sample?: boolean;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly eos_token_id?: number | readonly number[] | null;
}

/** The user's settings, falling back to the model's generation config. */
const samplingOf = ({ generation_config }: PreTrainedModel, { temperature, topP }: SentGeneration): Sampling => {
  const own = (generation_config ?? {}) as GenerationConfig;
  return {
    temperature: temperature ?? (own.do_sample === true ? (own.temperature ?? 1) : 0),
    topP: topP ?? own.top_p ?? 1,
    topK: own.top_k ?? 50,
  };
};

/** End-of-sequence token ids. */
const endsOf = ({ generation_config, config }: PreTrainedModel, tokenizer: PreTrainedTokenizer): readonly number[] => {
  const configured =
    (generation_config as GenerationConfig | null)?.eos_token_id ?? (config as GenerationConfig).eos_token_id ?? null;
  if (typeof configured === 'number') return [configured];
  if (configured !== null && configured.length > 0) return configured;
  const { eos_token_id: own } = tokenizer as { readonly eos_token_id?: number };
  return own === undefined ? [] : [own];
};

const trainedFor = (config: unknown): number | undefined => {
  const limits = config as { max_position_embeddings?: number; text_config?: { max_position_embeddings?: number } };
  return limits.max_position_embeddings ?? limits.text_config?.max_position_embeddings;
};

const tensorOf = (ids: readonly number[]): Tensor =>
  new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);

const tooLong = (tokens: number, window: number, pictured: boolean): ModelFailure =>
  new ModelFailure(
    'too-long',
    `The text${pictured ? ' with its pictures' : ''} has ${tokens} tokens, and the model’s window ${window}. Shorten it, or choose a model with a longer window.`,
  );

/** Tokens decoded together with the new ones as context: a word's first token gets its leading space only after another token. */
const CONTEXT = 4;
/** Maximum number of pending tokens, which are decoded again with each new one. */
const MOST_PENDING = 48;
/** How a character split over several tokens decodes until its last token arrives. */
const UNFINISHED = '\uFFFD';

/** Decodes tokens to text as they arrive. */
class TokenStream extends BaseStreamer {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #piece: (text: string) => void;
  #context: bigint[] = [];
  #pending: bigint[] = [];
  #emitted = '';
  #isPrompt = true;
  /** Number of generated tokens. */
  count = 0;

  constructor(tokenizer: PreTrainedTokenizer, piece: (text: string) => void) {
    super();
    this.#tokenizer = tokenizer;
    this.#piece = piece;
  }

  override put([tokens = []]: bigint[][]): void {
    if (this.#isPrompt) {
      this.#isPrompt = false;
      this.#rebase(tokens);
      return;
    }
    this.count += tokens.length;
    this.#pending.push(...tokens);
    const text = this.#decode([...this.#context, ...this.#pending]);
    if (text.endsWith(UNFINISHED)) return;
    this.#tell(text);
    if (this.#pending.length >= MOST_PENDING) this.#rebase(this.#pending);
  }

  /** Drops an unfinished character. */
  override end(): void {
    this.#pending = [];
  }

  #tell(text: string): void {
    if (text.length <= this.#emitted.length) return;
    this.#piece(text.slice(this.#emitted.length));
    this.#emitted = text;
  }

  #rebase(tokens: readonly bigint[]): void {
    this.#context = tokens.slice(-CONTEXT);
    this.#pending = [];
    this.#emitted = this.#decode(this.#context);
  }

  #decode(tokens: bigint[]): string {
    return tokens.length === 0 ? '' : this.#tokenizer.decode(tokens, { skip_special_tokens: true });
  }
}

interface PromptText {
  readonly text: string;
  /** Whether the tokenizer still has to add its special tokens. */
  readonly bare: boolean;
  /** Stop strings, for a model that does not end its answer itself. */
  readonly stops: readonly string[];
  /** The pictures shown, in order. */
  readonly urls: readonly string[];
}

/** Formats the conversation the way the model was trained on, up to where its answer begins or continues. */
const promptText = (
  tokenizer: PreTrainedTokenizer,
  { messages, pictures, begun, schema, thinking }: SentGeneration,
  sees: boolean,
): PromptText => {
  const plain = messages.map(({ role, content }) => ({ role, content }));
  if (!tokenizer.chat_template) return { text: transcript(plain) + begun, bare: true, stops: STOPS, urls: [] };
  const parted = sees ? inParts(messages, pictures) : null;
  const options = {
    tokenize: false as const,
    add_generation_prompt: true,
    // No reasoning before structured output, nor in the middle of an answer.
    ...(schema !== null || thinking === false || (begun !== '' && !begun.startsWith('<think>'))
      ? { enable_thinking: false }
      : {}),
  };
  // The library's types only allow text content, but its templates also accept what the model's own template does.
  const conversation = (parted?.messages ?? plain) as typeof plain;
  const text = tokenizer.apply_chat_template(conversation, options) + begun;
  return { text, bare: false, stops: [], urls: parted?.urls ?? [] };
};

const NAMES: Readonly<Record<string, string>> = { user: 'User: ', assistant: 'Assistant: ', system: '' };
const STOPS: readonly string[] = ['\nUser:', '\nAssistant:'];

/** For a model without a chat template: a plain transcript, which it can continue. */
const transcript = (messages: readonly { role: string; content: string }[]): string =>
  `${messages.map(({ role, content }) => `${NAMES[role] ?? ''}${content}\n${role === 'system' ? '\n' : ''}`).join('')}Assistant:`;

/** A model's KV cache for one text, by layer; see `cache_utils` in transformers.js. */
export type KeyValues = InstanceType<typeof DynamicCache>;

interface Read {
  readonly tokens: readonly number[];
  readonly values: KeyValues;
}

/**
 * Minimum shared prefix, as a fraction of the new text or of the cached one. Below both, the texts are of different kinds and
 * both are kept.
 */
const LEAST_SHARED = { of: 0.2, read: 0.5 } as const;

/**
 * KV caches of processed texts, most recent first. With several kinds of prompts to one model, each can reuse the prefix of its
 * last use.
 */
export class PromptCache {
  readonly #most: { readonly texts: number; readonly tokens: number };
  #kept: readonly Read[] = [];

  /** `tokens`: limit for all kept texts together, not counting the one in progress. */
  constructor(most: { readonly texts: number; readonly tokens: number }) {
    this.#most = most;
  }

  /**
   * Returns the reusable KV cache for a text and the number of tokens it covers; the last token is always recomputed. The
   * caller owns the cache from then on; `keep` hands it back.
   */
  async take(tokens: readonly number[]): Promise<{ readonly values: KeyValues | null; readonly reused: number }> {
    const found = this.#nearest(tokens);
    if (found === null) return { values: null, reused: 0 };
    const { read, shared } = found;
    this.#kept = this.#kept.filter((kept) => kept !== read);
    const { values } = read;
    if (shared === values.get_seq_length()) return { values, reused: shared };
    const entries = Object.entries(values as Readonly<Record<string, Tensor>>);
    // Tensors on the GPU cannot be truncated here, nor can those without a token axis (convolution states).
    if (!entries.every(([name, { location }]) => name.startsWith('past_key_values.') && location === 'cpu')) {
      await values.dispose();
      return { values: null, reused: 0 };
    }
    const cut = entries.map(([name, tensor]) => [name, tensor.slice(null, null, [0, shared], null)] as const);
    return { values: new DynamicCache(Object.fromEntries(cut)), reused: shared };
  }

  /** `tokens`: the whole text; the newest token may not have been processed yet. */
  async keep(tokens: readonly number[], values: KeyValues): Promise<void> {
    const all = [{ tokens: tokens.slice(0, values.get_seq_length()), values }, ...this.#kept];
    let room = this.#most.tokens;
    this.#kept = all.filter((read, i) => {
      room -= read.tokens.length;
      return i === 0 || (i < this.#most.texts && room >= 0);
    });
    for (const read of all) if (!this.#kept.includes(read)) await read.values.dispose();
  }

  /** The cached text with the longest shared prefix; if only one is kept, that one regardless, since it has to make room. */
  #nearest(tokens: readonly number[]): { readonly read: Read; readonly shared: number } | null {
    let best: { readonly read: Read; readonly shared: number } | null = null;
    for (const read of this.#kept) {
      const shared = Math.min(sharedStart(read.tokens, tokens), tokens.length - 1);
      if (best === null || shared > best.shared) best = { read, shared };
    }
    if (best === null || this.#most.texts === 1) return best;
    const { shared, read } = best;
    const alike = shared >= tokens.length * LEAST_SHARED.of || shared >= read.tokens.length * LEAST_SHARED.read;
    return alike ? best : null;
  }
}

/** Length of the common prefix of two texts, in tokens. */
const sharedStart = (one: readonly number[], other: readonly number[]): number => {
  const differs = one.findIndex((token, i) => token !== other[i]);
  return differs < 0 ? Math.min(one.length, other.length) : differs;
};
