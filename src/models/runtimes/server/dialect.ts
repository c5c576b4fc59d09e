import type { ChatMessage } from '../../../domain/context.ts';
import { answerOf } from '../../../domain/reasoning.ts';
import type { GenerationRequest } from '../text-generator.ts';

/** How a server is spoken to: what it was found to refuse is not sent again. */
export interface Dialect {
  /** How an answer is held to its schema. */
  readonly schema: 'json_schema' | 'json_object' | 'none';
  /** It may be asked to tell what a streamed answer cost. */
  readonly usage: boolean;
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /**
   * How a reply is gone on with. `flag`: the last message is the reply so far, and a flag says that it is open (vLLM,
   * SGLang). `prefill`: the same without a flag (llama.cpp, Ollama, LM Studio). `ask`: it is asked to go on, which any
   * model understands and not every model does well.
   */
  readonly continues: 'flag' | 'prefill' | 'ask';
}

/** Other ways to say a request that was refused, each with one thing less first, the plainest last. */
export const plainer = (dialect: Dialect, { schema, begun, maxTokens }: GenerationRequest): Dialect[] => {
  const ways: Dialect[] = [];
  if (schema !== null && dialect.schema === 'json_schema') ways.push({ ...dialect, schema: 'json_object' });
  if (schema !== null && dialect.schema !== 'none') ways.push({ ...dialect, schema: 'none' });
  if (begun !== '' && dialect.continues !== 'ask') ways.push({ ...dialect, continues: 'ask' });
  if (maxTokens !== null && dialect.limit === 'max_tokens') ways.push({ ...dialect, limit: 'max_completion_tokens' });
  if (dialect.usage) ways.push({ ...dialect, usage: false });
  if (ways.length > 1) {
    const { schema: form, continues } = dialect;
    ways.push({
      schema: schema === null ? form : 'none',
      continues: begun === '' ? continues : 'ask',
      usage: false,
      limit: dialect.limit,
    });
  }
  return ways;
};

const GO_ON =
  'Your last message broke off. Go on exactly where it stopped. Do not repeat any of it, and do not comment on this.';

/** The body of a chat request. */
export const chatBody = (model: string, request: GenerationRequest, dialect: Dialect): object => {
  const { temperature, topP, maxTokens, schema, begun } = request;
  const said = saidBefore(begun);
  return {
    model,
    messages: messagesOf(request.messages, said, dialect),
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(maxTokens === null ? {} : { [dialect.limit]: maxTokens }),
    ...(schema === null ? {} : formOf(schema, dialect)),
    ...(said !== '' && dialect.continues === 'flag'
      ? { continue_final_message: true, add_generation_prompt: false }
      : {}),
  };
};

/** A reply is gone on with from its answer alone, for what was thought before it does not come back; templates trim it. */
const saidBefore = (begun: string): string => answerOf(begun).trimEnd();

const messagesOf = (messages: readonly ChatMessage[], said: string, { continues }: Dialect): ChatMessage[] => {
  if (said === '') return [...messages];
  const reply: ChatMessage = { role: 'assistant', content: said };
  return continues === 'ask' ? [...messages, reply, { role: 'user', content: GO_ON }] : [...messages, reply];
};

const formOf = (schema: object, dialect: Dialect): object => {
  switch (dialect.schema) {
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'none':
      return {};
  }
};
