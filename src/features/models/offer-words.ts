import type { Offer, RuntimeName } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { bytes } from '../../ui/parts/format.ts';

export const RUNTIME_WORDS: Readonly<Record<RuntimeName, string>> = {
  webllm: 'WebLLM',
  wllama: 'llama.cpp',
  transformers: 'Transformers.js',
  'prompt-api': 'the browser’s own',
  server: 'a server',
};

/** What a model costs and needs, the parts that are known. `kept`: bytes of it on this machine; null leaves the download out. */
export const offerFacts = (offer: Offer, kept: number | null): readonly string[] => [
  ...(kept === null ? [] : downloadWords(offer, kept)),
  ...(offer.memoryBytes === null ? [] : [`${bytes(offer.memoryBytes)} of memory`]),
  ...(offer.speed === null ? [] : [offer.speed]),
  ...(offer.licence === null ? [] : [offer.licence]),
];

const downloadWords = ({ downloadBytes, runtime }: Offer, kept: number): readonly string[] => {
  if (runtime === 'server') return ['no download'];
  if (downloadBytes === null) return kept > 0 ? [`${bytes(kept)} on this machine`] : [];
  if (kept >= downloadBytes) return ['on this machine'];
  return [kept > 0 ? `${bytes(downloadBytes - kept)} yet to download` : `${bytes(downloadBytes)} to download`];
};

/** Where the conversation's text goes with a model. */
export const leavesWords = (address: string): string => `Text of the conversation leaves this browser for ${address}.`;

/** What each role would ask of a model that chats. */
export const SAME_AS_CHAT: Partial<Record<Role, string>> = {
  decide: 'The chat model decides, too, on an engine of its own where it can.',
  summarise: 'The chat model sums up, too, on an engine of its own where it can.',
};
