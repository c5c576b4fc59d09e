import type { Machine, RecommendedSet } from '../../app/model-control.ts';
import type { KnownModel } from '../roles/model-library.ts';
import { threadsFor } from '../runtimes/runtime.ts';
import { gpuBudget, realGpu } from './fit.ts';
import { knownModels } from './known-models.ts';

/** For replies on a GPU, the best first: the first that fits and is not slow there. */
const ON_GPU = ['Qwen3-4B-q4f16_1-MLC', 'Qwen3-1.7B-q4f16_1-MLC', 'Qwen3-0.6B-q4f16_1-MLC'].map((id) => `webllm:${id}`);

/** For replies without one: the largest whose first word does not take minutes. */
const ON_PROCESSOR = 'wllama:bartowski/SmolLM2-360M-Instruct-GGUF/SmolLM2-360M-Instruct-Q4_K_M.gguf';
/** Threads; with fewer, the embedded models serve better. */
const ENOUGH_THREADS = 3;

const EMBEDDED = { kind: 'embedded' } as const;

/**
 * One set for all four roles; null where nothing beats what ships. Decisions and comparison stay embedded in every set:
 * the embedded decider is trained on the embedded embedder's similarities, both are measured (docs/results.md), both
 * take milliseconds; no other embedder's θ has been.
 */
export const recommend = (machine: Machine): RecommendedSet | null => {
  const fitting = knownModels(machine).filter(({ offer }) => offer.unfit === null);
  const find = (key: string): KnownModel | undefined => fitting.find(({ offer }) => offer.key === key);
  if (realGpu(machine) !== null) {
    const chat = ON_GPU.map(find).find((model) => model !== undefined && model.offer.speed !== 'slow');
    if (chat !== undefined) return onGpu(chat, machine);
  }
  const browsers = find('prompt-api');
  if (browsers !== undefined && machine.promptApi === 'available') {
    return setOf(browsers, false, 'The model that comes with this browser writes the replies; nothing is downloaded.');
  }
  const small = find(ON_PROCESSOR);
  if (small === undefined || threadsFor(machine.threads, machine.isolated) < ENOUGH_THREADS) return null;
  return setOf(
    small,
    false,
    `No GPU can be used here, so ${small.offer.name} runs on the processor: a few words a second, in simple English, and in a long conversation its first word can take half a minute or more.`,
  );
};

const onGpu = (chat: KnownModel, machine: Machine): RecommendedSet => {
  // Summaries run on an engine of their own: the chat's keeps what it has read of the conversation.
  const twice = 2 * (chat.offer.memoryBytes ?? Number.POSITIVE_INFINITY) <= gpuBudget(machine);
  return setOf(
    chat,
    twice,
    `${chat.offer.name} writes the replies${twice ? ' and the summaries' : ''}, on this machine’s GPU.`,
  );
};

const setOf = (chat: KnownModel, summarises: boolean, about: string): RecommendedSet => ({
  choices: {
    chat: { kind: 'model', key: chat.offer.key },
    decide: EMBEDDED,
    summarise: summarises ? { kind: 'same-as-chat' } : EMBEDDED,
    embed: EMBEDDED,
  },
  about: `${about} ${summarises ? 'Decisions and comparison' : 'Decisions, summaries and comparison'} stay with what ships: measured, and instant.`,
  downloadBytes: chat.offer.downloadBytes ?? 0,
});
