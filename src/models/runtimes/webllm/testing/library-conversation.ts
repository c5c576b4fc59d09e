import { MLCEngine } from '@mlc-ai/web-llm';
import type { ChatMessage } from '../../../../domain/context.ts';
import type { Template } from '../model-files.ts';

/** What of the library's own Conversation is used here. */
interface Conversation {
  appendMessage(role: string, text: string): void;
  appendReplyHeader(role: string): void;
  appendEmptyThinkingReplyHeader(role: string, thoughts: string): void;
  finishReply(text: string): void;
  getPromptArray(): string[];
}

type Prepare = (request: object, pipeline: object, config: object) => { inputStr: string };

/**
 * The library's own code that writes a conversation as text and decides whether its cache is gone on from, with no
 * model under it: the pipeline is a stand-in that only holds the conversation.
 */
export class LibraryConversation {
  /** How often it began anew. */
  resets = 0;
  #conversation: Conversation | null = null;
  #finished: string | undefined;
  readonly #prepare: Prepare;
  readonly #config: object;

  constructor(template: Template) {
    const engine = new MLCEngine();
    this.#config = { conv_template: template };
    this.#prepare = (Reflect.get(engine, 'preparePrefillInput') as Prepare).bind(engine);
    // Before its first request a pipeline holds an empty conversation.
    this.#ask([{ role: 'user', content: '' }], { resetChat: () => undefined, getConversationObject: () => EMPTY });
    this.resets = 0;
  }

  /** Takes a request as the engine does, and returns the whole of what the model would have read by then. */
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
