import * as z from 'zod/mini';
import type { ChatMessage } from '../../../domain/context.ts';
import { answerOf } from '../../../domain/reply.ts';
import { type GenerationRequest, withPictures } from '../runtime.ts';
import { hostOf, rootOf } from './base-url.ts';
import { callServer, IdleTimeout, notJson, readJsonResponse, type ServerAccess } from './server-api.ts';

/** Servers are distinguished because they differ in what they report and in how they continue a reply. */
type ServerKind = 'vllm' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'other';

/** Ollama's default port. */
const OLLAMA_PORT = '11434';

export const serverKind = (baseUrl: string, entry: ListedModel | undefined): ServerKind => {
  if (entry?.max_model_len) return 'vllm';
  switch (entry?.owned_by) {
    case 'vllm':
    case 'sglang':
      return 'vllm';
    case 'llamacpp':
      return 'llama.cpp';
    case 'organization_owner':
      return 'lm-studio';
    case 'library':
      return 'ollama';
    default:
      return new URL(baseUrl).port === OLLAMA_PORT ? 'ollama' : 'other';
  }
};

/** The initial dialect for a kind of server, used until it refuses something. */
export const dialectOf = (kind: ServerKind): Dialect => ({
  schema: 'json_schema',
  usage: true,
  limit: 'max_tokens',
  zeroTemperature: true,
  system: true,
  continues: kind === 'vllm' ? 'flag' : kind === 'other' ? 'ask' : 'prefill',
  unthinking: kind === 'vllm' || kind === 'llama.cpp' ? 'template' : kind === 'ollama' ? 'effort' : null,
});

const Length = z.optional(z.nullable(z.number()));

/** An entry of `/models`: its id, plus the useful fields that some servers add. */
const Entry = z.object({
  id: z.string(),
  owned_by: z.optional(z.nullable(z.string())),
  max_model_len: Length, // vLLM, SGLang
  context_length: Length, // OpenRouter
  context_window: Length, // Groq
  max_context_length: Length, // Mistral
  meta: z.optional(z.nullable(z.object({ n_ctx_train: Length }))), // llama.cpp
  architecture: z.optional(z.nullable(z.object({ input_modalities: z.optional(z.nullable(z.array(z.string()))) }))), // OpenRouter
  capabilities: z.optional(z.unknown()), // Mistral: { vision: true }
});
export type ListedModel = z.infer<typeof Entry>;

/** `data` is null for an Ollama without models; Together sends the array alone. */
const List = z.union([z.object({ data: z.nullable(z.array(Entry)) }), z.array(Entry)]);

/** Timeout for listing models, in milliseconds. */
const LIST_PATIENCE = 15_000;

/** The models that a server lists. Rejects with a ModelFailure, or with the signal's reason. */
export const modelList = async (
  access: ServerAccess,
  baseUrl: string,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> => {
  const silence = new IdleTimeout(hostOf(baseUrl), [signal]);
  silence.wait(LIST_PATIENCE);
  try {
    const call = { baseUrl, path: '/models', model: null, signal: silence.signal };
    const list = List.safeParse(await readJsonResponse(await callServer(access, call), call));
    if (!list.success) throw notJson(baseUrl);
    return Array.isArray(list.data) ? list.data : (list.data.data ?? []);
  } finally {
    silence.end();
  }
};

/** Assumed context window in tokens when the server does not report one: typical of small models, and less than most support. */
const ASSUMED = 8192;
/**
 * Default context window in tokens of LM Studio, and of Ollama with less than 24 GiB of VRAM (docs.ollama.com/context-length),
 * however large the model's own is. Ollama silently truncates anything longer.
 */
const LOCAL_DEFAULT = 4096;
/** Timeout for querying model details, in milliseconds. */
const WINDOW_PATIENCE = 5000;

export interface ContextWindow {
  readonly tokens: number;
  /** The server did not report it. */
  readonly assumed: boolean;
}

/** Names of models with vision; relied on when the server does not say. */
const SEEING =
  /vision|[-_]vl\b|vl[-_\d]|llava|pixtral|moondream|smolvlm|internvl|minicpm-?v|molmo|multimodal|gemma-?3(?!-?1b|-?270m|n)|llama-?4|gpt-4o|gpt-4\.1|gpt-5|claude|gemini/i;

/** What a server allows a model: its context window (prompt and answer, in tokens), and whether it accepts pictures. */
export const reportedLimits = async (
  access: ServerAccess,
  baseUrl: string,
  model: string,
  entry: ListedModel | undefined,
  kind: ServerKind,
): Promise<{ readonly window: ContextWindow; readonly sees: boolean }> => {
  const ask = async <T>(path: string, schema: z.ZodMiniType<T>, body?: object): Promise<T | null> => {
    const key = access.keyFor(baseUrl);
    const answer = await fetch(`${rootOf(baseUrl)}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'omit',
      signal: AbortSignal.timeout(WINDOW_PATIENCE),
    })
      .then((response) => (response.ok ? response.json() : null))
      // On failure, only less is known about the model.
      .catch(() => null);
    const parsed = schema.safeParse(answer);
    return parsed.success ? parsed.data : null;
  };
  const reported = await toldBy[kind](ask, model);
  const tokens =
    reported.tokens ??
    entry?.max_model_len ??
    entry?.context_length ??
    entry?.context_window ??
    entry?.max_context_length ??
    entry?.meta?.n_ctx_train ??
    null;
  const modalities = entry?.architecture?.input_modalities;
  const listed = Listed.safeParse(entry?.capabilities);
  return {
    window:
      tokens !== null && tokens > 0
        ? { tokens, assumed: reported.assumed === true }
        : { tokens: ASSUMED, assumed: true },
    sees: reported.sees ?? modalities?.includes('image') ?? (listed.success ? listed.data.vision : SEEING.test(model)),
  };
};

type Ask = <T>(path: string, schema: z.ZodMiniType<T>, body?: object) => Promise<T | null>;

/** What a server reports about a model besides its list entry; null where it does not. */
interface ReportedLimits {
  readonly tokens: number | null;
  /** The tokens are those it will probably have once it is loaded. */
  readonly assumed?: boolean;
  readonly sees: boolean | null;
}

const NOTHING: ReportedLimits = { tokens: null, sees: null };

const toldBy: Record<ServerKind, (ask: Ask, model: string) => Promise<ReportedLimits>> = {
  /** The context size the model was loaded with, not the one it was trained for. */
  'llama.cpp': async (ask) => {
    const props = await ask('/props', Props);
    return { tokens: props?.default_generation_settings.n_ctx ?? null, sees: props?.modalities?.vision ?? null };
  },
  'lm-studio': async (ask, model) => {
    const found = (await ask('/api/v0/models', LmStudioList))?.data.find(({ id }) => id === model);
    if (found === undefined) return NOTHING;
    const loaded = found.loaded_context_length ?? null;
    return {
      tokens: loaded ?? Math.min(LOCAL_DEFAULT, found.max_context_length ?? LOCAL_DEFAULT),
      assumed: loaded === null,
      sees: found.type ? found.type === 'vlm' : null,
    };
  },
  ollama: async (ask, model) => {
    const running = (await ask('/api/ps', Running))?.models.find(
      ({ name }) => name === model || name === `${model}:latest`,
    );
    const shown = await ask('/api/show', Shown, { model });
    const sees = shown?.capabilities?.includes('vision') ?? null;
    if (running?.context_length) return { tokens: running.context_length, sees };
    if (shown === null) return NOTHING;
    const set = Number(shown.parameters?.match(/^num_ctx\s+(\d+)/m)?.[1] ?? 0);
    if (set > 0) return { tokens: set, sees };
    const trained = Object.entries(shown.model_info ?? {}).find(([name]) => name.endsWith('.context_length'))?.[1];
    const most = typeof trained === 'number' ? trained : null;
    // What runs in Ollama's cloud has its whole window.
    if (most !== null && /[:-]cloud$/.test(model)) return { tokens: most, sees };
    return { tokens: Math.min(LOCAL_DEFAULT, most ?? LOCAL_DEFAULT), assumed: true, sees };
  },
  vllm: async () => NOTHING,
  other: async () => NOTHING,
};

const Listed = z.object({ vision: z.boolean() });
const Props = z.object({
  default_generation_settings: z.object({ n_ctx: z.number() }),
  modalities: z.optional(z.nullable(z.object({ vision: z.optional(z.boolean()) }))),
});
const LmStudioList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.optional(z.nullable(z.string())),
      loaded_context_length: Length,
      max_context_length: Length,
    }),
  ),
});
const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: Length })) });
const Shown = z.object({
  parameters: z.optional(z.nullable(z.string())),
  model_info: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  capabilities: z.optional(z.nullable(z.array(z.string()))),
});

/** How to talk to a server; what it has refused is not sent again. */
export interface Dialect {
  /** How an answer is constrained to its schema. */
  readonly schema: 'json_schema' | 'json_object' | 'none';
  /** Whether to request usage for a streamed answer. */
  readonly usage: boolean;
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** Whether the model takes temperature 0; some take only their own. Any other was set by the user, and is not dropped silently. */
  readonly zeroTemperature: boolean;
  /** Whether the model's chat template has a system role; otherwise the first user message starts with those instructions. */
  readonly system: boolean;
  /**
   * How to continue a reply. `flag`: the last message is the reply so far, and a flag marks it as open (vLLM, SGLang).
   * `prefill`: the same without a flag (llama.cpp, Ollama, LM Studio). `ask`: a user message asks to continue, which every
   * model understands but not every model does well.
   */
  readonly continues: 'flag' | 'prefill' | 'ask';
  /**
   * How to turn a model's thinking off: by a variable of its chat template (vLLM, SGLang, llama.cpp) or by its effort (Ollama);
   * null if there is no known way.
   */
  readonly unthinking: 'template' | 'effort' | null;
}

/** Fallback dialects for a refused request: first each with one feature less, then the plainest two, then without a system role. */
export const fallbackDialects = (dialect: Dialect, request: GenerationRequest): Dialect[] => {
  const { messages, schema, begun, temperature, thinking } = request;
  const ways = plainerWays(dialect, request).map(([, way]) => way);
  if (ways.length > 1) {
    const { schema: form, continues, zeroTemperature, unthinking } = dialect;
    const plain: Dialect = {
      ...dialect,
      schema: schema === null ? form : 'none',
      continues: begun === '' ? continues : 'ask',
      usage: false,
    };
    ways.push(plain);
    // Last, because an answer suffers without them.
    if (temperature === 0 || thinking === false) {
      ways.push({
        ...plain,
        zeroTemperature: zeroTemperature && temperature !== 0,
        unthinking: thinking === false ? null : unthinking,
      });
    }
  }
  if (dialect.system && messages[0]?.role === 'system') ways.push({ ...dialect, system: false });
  return ways;
};

/** The dialect without the field that the server says it refused; null if it says something else. */
export const dialectWithout = (param: string | null, dialect: Dialect, request: GenerationRequest): Dialect | null =>
  plainerWays(dialect, request).find(([field]) => field === param)?.[1] ?? null;

/** All dialects with one feature less, each with the field of a request that it changes. */
const plainerWays = (
  dialect: Dialect,
  { schema, begun, maxTokens, temperature, thinking }: GenerationRequest,
): (readonly [field: string, Dialect])[] => {
  const ways: (readonly [string, Dialect])[] = [];
  const add = (field: string, change: Partial<Dialect>): unknown => ways.push([field, { ...dialect, ...change }]);
  if (schema !== null && dialect.schema === 'json_schema') add('response_format', { schema: 'json_object' });
  if (schema !== null && dialect.schema !== 'none') add('response_format', { schema: 'none' });
  if (begun !== '' && dialect.continues !== 'ask') add('continue_final_message', { continues: 'ask' });
  if (maxTokens !== null && dialect.limit === 'max_tokens') add('max_tokens', { limit: 'max_completion_tokens' });
  if (dialect.usage) add('stream_options', { usage: false });
  if (temperature === 0 && dialect.zeroTemperature) add('temperature', { zeroTemperature: false });
  if (thinking === false && dialect.unthinking !== null) {
    add(dialect.unthinking === 'template' ? 'chat_template_kwargs' : 'reasoning_effort', { unthinking: null });
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
    messages: messagesOf(request.messages, said, dialect).map((message) => ({
      role: message.role,
      content: withPictures(message, request.pictures),
    })),
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === null || (temperature === 0 && !dialect.zeroTemperature) ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(maxTokens === null ? {} : { [dialect.limit]: maxTokens }),
    ...(schema === null ? {} : formOf(schema, dialect)),
    ...(request.thinking === false ? unthinkingOf(dialect) : {}),
    ...(said !== '' && dialect.continues === 'flag'
      ? { continue_final_message: true, add_generation_prompt: false }
      : {}),
  };
};

/** A reply is continued from its answer only, since earlier reasoning is not sent back. Trimmed, as chat templates do. */
const saidBefore = (begun: string): string => answerOf(begun).trimEnd();

const messagesOf = (
  messages: readonly ChatMessage[],
  said: string,
  { continues, system }: Dialect,
): readonly ChatMessage[] => {
  const before = system ? messages : withoutSystemRole(messages);
  if (said === '') return before;
  const reply: ChatMessage = { role: 'assistant', content: said };
  return continues === 'ask' ? [...before, reply, { role: 'user', content: GO_ON }] : [...before, reply];
};

const withoutSystemRole = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const [first, next, ...rest] = messages;
  if (first?.role !== 'system') return messages;
  if (next?.role !== 'user') return [{ ...first, role: 'user' }, ...messages.slice(1)];
  return [{ ...next, content: `${first.content}\n\n${next.content}` }, ...rest];
};

const unthinkingOf = ({ unthinking }: Dialect): object => {
  switch (unthinking) {
    case 'template':
      return { chat_template_kwargs: { enable_thinking: false } };
    case 'effort':
      return { reasoning_effort: 'none' };
    case null:
      return {};
  }
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
