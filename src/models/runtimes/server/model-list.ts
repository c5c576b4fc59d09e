import * as z from 'zod/mini';
import { hostOf } from './base-url.ts';
import { Silence } from './patience.ts';
import { callServer, notJson, readJson, type ServerAccess } from './server-api.ts';

const Length = z.optional(z.nullable(z.number()));

/** An entry of `/models`: its id, and what some servers add that is of use here. */
const Entry = z.object({
  id: z.string(),
  owned_by: z.optional(z.nullable(z.string())),
  max_model_len: Length, // vLLM, SGLang
  context_length: Length, // OpenRouter
  context_window: Length, // Groq
  max_context_length: Length, // Mistral
  meta: z.optional(z.nullable(z.object({ n_ctx_train: Length }))), // llama.cpp
});
export type ListedModel = z.infer<typeof Entry>;

const List = z.object({ data: z.array(Entry) });

/** Milliseconds that a list may take. */
const PATIENCE = 15_000;

/** The models of a server, as it lists them. Rejects with a ModelFailure, or with the signal's reason. */
export const modelList = async (
  access: ServerAccess,
  baseUrl: string,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> => {
  const silence = new Silence(hostOf(baseUrl), [signal]);
  silence.wait(PATIENCE);
  try {
    const call = { baseUrl, path: '/models', model: null, signal: silence.signal };
    const list = List.safeParse(await readJson(await callServer(access, call), call));
    if (!list.success) throw notJson(baseUrl);
    return list.data.data;
  } finally {
    silence.end();
  }
};
