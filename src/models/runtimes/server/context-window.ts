import * as z from 'zod/mini';
import { rootOf } from './base-url.ts';
import type { ListedModel } from './model-list.ts';
import type { ServerAccess } from './server-api.ts';
import type { ServerKind } from './server-kind.ts';

/** Tokens that a model is taken to read where nobody tells: what small models read, and less than most do. */
const ASSUMED = 8192;
/** Tokens that Ollama gives a model that says nothing itself, however much it was made for; what is longer it cuts silently. */
const OLLAMA_GIVES = 4096;
/** Milliseconds that a server may take to tell. */
const PATIENCE = 5000;

export interface ContextWindow {
  readonly tokens: number;
  /** Nobody told. */
  readonly assumed: boolean;
}

/** How many tokens of prompt and answer a server lets a model have. */
export const contextWindow = async (
  access: ServerAccess,
  baseUrl: string,
  model: string,
  entry: ListedModel | undefined,
  kind: ServerKind,
): Promise<ContextWindow> => {
  const ask = async <T>(path: string, schema: z.ZodMiniType<T>, body?: object): Promise<T | null> => {
    const key = access.keyFor(baseUrl);
    const answer = await fetch(`${rootOf(baseUrl)}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE),
    })
      .then((response) => (response.ok ? response.json() : null))
      // It only tells less than it could.
      .catch(() => null);
    const parsed = schema.safeParse(answer);
    return parsed.success ? parsed.data : null;
  };
  const told =
    (await toldBy[kind](ask, model)) ??
    entry?.max_model_len ??
    entry?.context_length ??
    entry?.context_window ??
    entry?.max_context_length ??
    entry?.meta?.n_ctx_train ??
    null;
  return told !== null && told > 0 ? { tokens: told, assumed: false } : { tokens: ASSUMED, assumed: true };
};

type Ask = <T>(path: string, schema: z.ZodMiniType<T>, body?: object) => Promise<T | null>;

const toldBy: Record<ServerKind, (ask: Ask, model: string) => Promise<number | null>> = {
  /** What it loaded the model with, not what the model was trained for. */
  'llama.cpp': async (ask) => (await ask('/props', Props))?.default_generation_settings.n_ctx ?? null,
  'lm-studio': async (ask, model) => {
    const found = (await ask('/api/v0/models', LmStudioList))?.data.find(({ id }) => id === model);
    return found?.loaded_context_length ?? found?.max_context_length ?? null;
  },
  ollama: async (ask, model) => {
    const running = (await ask('/api/ps', Running))?.models.find(
      ({ name }) => name === model || name === `${model}:latest`,
    );
    if (running?.context_length) return running.context_length;
    const shown = await ask('/api/show', Shown, { model });
    if (shown === null) return null;
    const set = Number(shown.parameters?.match(/^num_ctx\s+(\d+)/m)?.[1] ?? 0);
    if (set > 0) return set;
    const trained = Object.entries(shown.model_info ?? {}).find(([name]) => name.endsWith('.context_length'))?.[1];
    return Math.min(OLLAMA_GIVES, typeof trained === 'number' ? trained : OLLAMA_GIVES);
  },
  vllm: async () => null,
  other: async () => null,
};

const Length = z.optional(z.nullable(z.number()));
const Props = z.object({ default_generation_settings: z.object({ n_ctx: z.number() }) });
const LmStudioList = z.object({
  data: z.array(z.object({ id: z.string(), loaded_context_length: Length, max_context_length: Length })),
});
const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: Length })) });
const Shown = z.object({
  parameters: z.optional(z.nullable(z.string())),
  model_info: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});
