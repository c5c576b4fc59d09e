import {
  type ChatCompletionChunk,
  type ChatCompletionRequestStreaming,
  type Completion,
  MLCEngine,
} from '@mlc-ai/web-llm';
import type { ChatMessage } from '../../../../domain/context.ts';
import type { WebLlmEngine } from '../served-engine.ts';
import type { Template } from '../webllm-cache.ts';

/** What goes wrong, one fault at a time. */
export type Fault =
  | 'says nothing'
  | 'tells no usage'
  | 'never heeds an interrupt'
  | 'hangs in the middle'
  | 'throws at once'
  | 'throws in the middle'
  | 'traps in the middle'
  | 'runs out of memory in the middle'
  | 'loses its device in the middle'
  | 'waits for ever when its device is lost';

type Finish = 'stop' | 'length' | 'abort';

/** One token per word; for content in parts, with pictures among them, the words of everything written there. */
const tokensOf = (content: unknown): number =>
  `${typeof content === 'string' ? content : JSON.stringify(content)}`.split(/\s+/).filter(Boolean).length;

/**
 * A stand-in for WebLLM's engine, for what cannot be run without a compiled model: it streams, ends and counts like the
 * real one (words as tokens), reuses its cache by the real one's rule, and misbehaves as told.
 */
export class StandInEngine implements WebLlmEngine {
  fault: Fault | null = null;
  /** Its next reply, word by word. */
  says = 'one two three four five';
  readonly requests: ChatCompletionRequestStreaming[] = [];
  readonly prompts: string[] = [];
  interrupts = 0;
  reloads = 0;
  /** Called when it loses its device. */
  loseDevice: () => void = () => undefined;
  #interrupted = false;
  #held: { messages: readonly ChatMessage[]; tokens: number } | null = null;

  async reload(): Promise<void> {
    this.reloads += 1;
    await tick();
    if (this.fault === 'runs out of memory in the middle') throw new RangeError('Array buffer allocation failed');
    if (this.fault === 'throws at once') throw new WebAssembly.LinkError('import missing');
    if (this.fault === 'hangs in the middle') await forever();
    if (this.fault === 'loses its device in the middle') {
      this.loseDevice();
      // Like the real one: it unloads the model, and the load rejects with a string.
      await Promise.reject('Engine.unload() is called.');
    }
    if (this.fault === 'waits for ever when its device is lost') {
      this.loseDevice();
      await forever();
    }
  }

  async interruptGenerate(): Promise<void> {
    this.interrupts += 1;
    this.#interrupted = true;
  }

  async chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>> {
    this.requests.push(request);
    if (this.fault === 'throws at once') throw named('ContextWindowSizeExceededError', 'Prompt tokens exceed 64.');
    return this.#chat(request);
  }

  async completion({ prompt }: { prompt: string }): Promise<AsyncIterable<Completion>> {
    this.prompts.push(prompt);
    this.#held = null;
    return this.#complete(prompt);
  }

  async *#chat(request: ChatCompletionRequestStreaming): AsyncGenerator<ChatCompletionChunk> {
    const messages = request.messages as ChatMessage[];
    const before = messages.slice(0, -1);
    const reused = this.#held !== null && JSON.stringify(this.#held.messages) === JSON.stringify(before);
    const held = reused ? (this.#held?.tokens ?? 0) : 0;
    this.#held = null;
    const fresh = reused ? messages.slice(-1) : messages;
    const marks = request.extra_body?.enable_thinking === false ? '<think>\n\n</think>\n\n' : '';
    const prompt = fresh.reduce((sum, { content }) => sum + tokensOf(content), tokensOf(marks));
    let said = marks;
    if (marks !== '') yield chunk({ content: marks.slice(0, 9) });
    if (marks !== '') yield chunk({ content: marks.slice(9) });
    let finish: Finish = 'stop';
    let generated = 0;
    for await (const word of this.#words(request.max_tokens ?? Number.POSITIVE_INFINITY, (end) => (finish = end))) {
      generated += 1;
      said += word;
      yield chunk({ content: word });
    }
    // When a reply ends by itself, the stop token is counted too.
    if (finish === 'stop') generated += 1;
    yield chunk({}, finish);
    if (finish === 'stop') {
      this.#held = {
        messages: [...messages, { role: 'assistant', content: said }],
        tokens: held + prompt + generated - 1,
      };
    }
    if (this.fault !== 'tells no usage') yield { ...chunk({}), choices: [], usage: usageOf(prompt, generated) };
  }

  async *#complete(prompt: string): AsyncGenerator<Completion> {
    let generated = 0;
    let finish: Finish = 'stop';
    const one = (text: string, reason: Finish | null): Completion => ({
      id: 'c',
      object: 'text_completion',
      created: 0,
      model: 'stand-in',
      choices: [{ text, finish_reason: reason, index: 0, logprobs: null }],
    });
    for await (const word of this.#words(Number.POSITIVE_INFINITY, (end) => (finish = end))) {
      generated += 1;
      yield one(word, null);
    }
    yield one('', finish);
    yield { ...one('', null), choices: [], usage: usageOf(tokensOf(prompt), generated) };
  }

  async *#words(most: number, onEnd: (finish: Finish) => void): AsyncGenerator<string> {
    // Like the real one, it forgets an earlier interrupt.
    await tick();
    this.#interrupted = false;
    if (this.fault === 'says nothing') return;
    const words = this.says.split(' ').map((word, i) => (i === 0 ? word : ` ${word}`));
    const endless = this.fault === 'never heeds an interrupt';
    for (let i = 0; endless || i < words.length; i += 1) {
      if (i >= most) return onEnd('length');
      if (this.#interrupted && !endless) return onEnd('abort');
      if (i === 2) await this.#fail();
      yield words[i % words.length] as string;
      await tick();
    }
  }

  async #fail(): Promise<void> {
    if (this.fault === 'hangs in the middle') await forever();
    if (this.fault === 'throws in the middle') throw new Error('Cannot run decode when stopped');
    if (this.fault === 'traps in the middle') throw new WebAssembly.RuntimeError('unreachable');
    if (this.fault === 'runs out of memory in the middle') {
      throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
    }
    if (this.fault === 'loses its device in the middle') {
      setTimeout(this.loseDevice, 1);
      throw named('ModelNotLoadedError', 'Model not loaded before calling decode.');
    }
    if (this.fault === 'waits for ever when its device is lost') {
      this.loseDevice();
      await forever();
    }
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const forever = (): Promise<never> => new Promise(() => undefined);
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const chunk = (delta: { content?: string }, reason: Finish | null = null): ChatCompletionChunk => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'stand-in',
  choices: [{ delta: { role: 'assistant', ...delta }, finish_reason: reason, index: 0 }],
});

const usageOf = (prompt: number, generated: number) => ({
  prompt_tokens: prompt,
  completion_tokens: generated,
  total_tokens: prompt + generated,
  extra: {
    e2e_latency_s: 0,
    prefill_tokens_per_s: 0,
    decode_tokens_per_s: 0,
    time_to_first_token_s: 0,
    time_per_output_token_s: 0,
  },
});

/** The parts of the library's own Conversation that are used here. */
interface Conversation {
  appendMessage(role: string, text: string): void;
  appendReplyHeader(role: string): void;
  appendEmptyThinkingReplyHeader(role: string, thoughts: string): void;
  finishReply(text: string): void;
  getPromptArray(): string[];
}

type Prepare = (request: object, pipeline: object, config: object) => { inputStr: string };

/**
 * The library's own code that writes a conversation as text and decides whether to continue from its cache, without a
 * model: the pipeline is a stand-in that only holds the conversation.
 */
export class LibraryConversation {
  /** How often it started over. */
  resets = 0;
  #conversation: Conversation | null = null;
  #finished: string | undefined;
  readonly #prepare: Prepare;
  readonly #config: object;

  constructor(template: Template) {
    const engine = new MLCEngine();
    this.#config = { conv_template: template };
    this.#prepare = (Reflect.get(engine, 'preparePrefillInput') as Prepare).bind(engine);
    // Before its first request, a pipeline holds an empty conversation.
    this.#ask([{ role: 'user', content: '' }], { resetChat: () => undefined, getConversationObject: () => EMPTY });
    this.resets = 0;
  }

  /** Takes a request like the engine does, and returns everything the model would have read by then. */
  ask(messages: readonly ChatMessage[], thoughts: string | null = null): string {
    const input = this.#ask(messages, {
      resetChat: () => {
        this.resets += 1;
      },
      getConversationObject: () => this.#conversation,
    });
    const conversation = this.#conversation as unknown as Conversation;
    conversation.appendMessage('user', input);
    if (thoughts === null) conversation.appendReplyHeader('assistant');
    else conversation.appendEmptyThinkingReplyHeader('assistant', thoughts);
    return conversation.getPromptArray().join('');
  }

  reply(text: string, finished: 'stop' | 'length' | 'abort' = 'stop'): void {
    this.#conversation?.finishReply(text);
    this.#finished = finished;
  }

  #ask(messages: readonly ChatMessage[], pipeline: object): string {
    return this.#prepare(
      { messages },
      {
        ...pipeline,
        getFinishReason: () => this.#finished,
        setConversation: (one: Conversation) => {
          this.#conversation = one;
        },
      },
      this.#config,
    ).inputStr;
  }
}

const EMPTY = { messages: [], function_string: '', use_function_calling: false, isTextCompletion: false };

/** Chat templates of the kinds that models have in their mlc-chat-config.json. */
export const CHATML: Template = {
  system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
  system_message: 'Be brief.',
  roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
  role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
  seps: ['<|im_end|>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
  ...{ stop_str: ['<|im_end|>'], stop_token_ids: [2] },
};

/** The first question is inside the system's frame; questions and answers end differently. */
export const LLAMA_2: Template = {
  system_template: '[INST] <<SYS>>\n{system_message}\n<</SYS>>\n\n',
  system_message: '',
  roles: { user: '<s>[INST]', assistant: '[/INST]' },
  role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
  seps: [' ', ' </s>'],
  role_content_sep: ' ',
  role_empty_sep: ' ',
  system_prefix_token_ids: [1],
  add_role_after_system_message: false,
  ...{ stop_str: ['[INST]'], stop_token_ids: [2] },
};

/** No separators, and no system message unless one is set. */
export const PLAIN: Template = {
  system_template: '{system_message}\n',
  system_message: '',
  roles: { user: 'User', assistant: 'Assistant' },
  seps: ['\n'],
  render_empty_system_message: false,
  ...{ stop_str: ['User:'], stop_token_ids: [0] },
};
