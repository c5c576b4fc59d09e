import type { Choice, Machine, Offer, RuntimeName, StoredModel } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { bytes } from '../../ui/parts/format.ts';

export interface OfferFilter {
  readonly text: string;
  readonly runtime: RuntimeName | null;
}

interface OfferLists {
  readonly fit: readonly Offer[];
  readonly unfit: readonly Offer[];
}

/**
 * A role's models: those that fit, what is on this machine already first and else as they are offered; and those that
 * do not. Every word of the filter has to be found in a model.
 */
export const listed = (
  offers: readonly Offer[],
  role: Role,
  stored: readonly StoredModel[],
  filter: OfferFilter,
): OfferLists => {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = offers.filter(
    (offer) =>
      offer.roles.includes(role) &&
      (filter.runtime === null || offer.runtime === filter.runtime) &&
      words.every((word) => searched(offer).includes(word)),
  );
  const whole = new Set(stored.filter(({ bytes, total }) => total === null || bytes >= total).map(({ key }) => key));
  const here = (offer: Offer) => whole.has(offer.key);
  const fit = found.filter(({ unfit }) => unfit === null);
  return {
    fit: [...fit.filter(here), ...fit.filter((offer) => !here(offer))],
    unfit: found.filter(({ unfit }) => unfit !== null),
  };
};

const searched = ({ name, about, licence, runtime, key }: Offer): string =>
  [name, about, licence, RUNTIME_WORDS[runtime], key].join(' ').toLowerCase();

/** Bytes of a model on this machine. */
export const keptOf = (stored: readonly StoredModel[], key: string): number =>
  stored.find((model) => model.key === key)?.bytes ?? 0;

/** What a model is called among others: by its name, and by what runs it where another has the same name. */
export const calledAmong = (offers: readonly Offer[], { key, name, runtime }: Offer): string =>
  offers.some((other) => other.key !== key && other.name === name) ? `${name} (${RUNTIME_WORDS[runtime]})` : name;

/** Models that do not fit, by why: a reason that many share is told once, and first. */
export const byReason = (
  unfit: readonly Offer[],
): readonly { readonly why: string; readonly offers: readonly Offer[] }[] => {
  const groups = new Map<string, Offer[]>();
  for (const offer of unfit) groups.set(offer.unfit ?? '', [...(groups.get(offer.unfit ?? '') ?? []), offer]);
  return [...groups].map(([why, offers]) => ({ why, offers })).sort((a, b) => b.offers.length - a.offers.length);
};

/** The kinds of runtime that a role has models of. */
export const runtimesOf = (offers: readonly Offer[], role: Role): readonly RuntimeName[] => [
  ...new Set(offers.filter(({ roles }) => roles.includes(role)).map(({ runtime }) => runtime)),
];

/** The largest model that fits and is smaller than another: what to try where that one was too large. */
export const smallerThan = (offers: readonly Offer[], role: Role, key: string): Offer | null => {
  const need = needOf(offers.find((offer) => offer.key === key));
  if (need === null) return null;
  const smaller = offers.filter((offer) => {
    const its = needOf(offer);
    return offer.roles.includes(role) && offer.unfit === null && its !== null && its < need;
  });
  return smaller.reduce<Offer | null>((best, one) => ((needOf(one) ?? 0) > (needOf(best) ?? -1) ? one : best), null);
};

const needOf = (offer: Offer | null | undefined): number | null => offer?.memoryBytes ?? offer?.downloadBytes ?? null;

/** So many are named where there is no GPU, and none larger: its first word would take minutes. */
const NAMED = 3;
const BORNE_BYTES = 1e9;
/** Threads from which the tiniest, which is there to try things out, is not worth its download. */
const SEVERAL_THREADS = 3;

/** The models that chat on the processor here, the smallest first; none where a GPU runs better ones. */
export const runHere = (offers: readonly Offer[], { webgpu, threads, isolated }: Machine): readonly Offer[] => {
  if (webgpu.state === 'works' && !webgpu.software) return [];
  const size = ({ downloadBytes }: Offer): number => downloadBytes ?? Number.POSITIVE_INFINITY;
  const fitting = offers
    .filter(
      ({ runtime, own, roles, unfit }) => runtime === 'wllama' && !own && roles.includes('chat') && unfit === null,
    )
    .filter((offer) => size(offer) <= BORNE_BYTES)
    .sort((a, b) => size(a) - size(b));
  const from = isolated && threads >= SEVERAL_THREADS && fitting.length > NAMED ? 1 : 0;
  return fitting.slice(from, from + NAMED);
};

export const sameChoice = (a: Choice, b: Choice): boolean =>
  a.kind === 'model' ? b.kind === 'model' && a.key === b.key : a.kind === b.kind;

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
  decide: 'The chat model also decides, on an engine of its own where it can.',
  summarise: 'The chat model also summarises, on an engine of its own where it can.',
};

/** What a person should know of a role and the model that ships for it. */
interface RoleFacts {
  readonly does: string;
  /** Name of the embedded model. */
  readonly name: string;
  /** What the embedded model is and is not, in honest words. */
  readonly about: string;
  /** What of the page's weight is its own; null where that is next to nothing. */
  readonly size: string | null;
  readonly licence: string;
}

export const ROLE_FACTS: Readonly<Record<Role, RoleFacts>> = {
  chat: {
    does: 'Writes what the assistant says.',
    name: 'recall',
    about:
      'No language model. It answers by quoting what the path and the nearest other turns already say, with links to them; it knows nothing else and makes nothing up.',
    size: null,
    licence: 'MIT',
  },
  decide: {
    does: 'Chooses the topic and the branch that a message belongs to.',
    name: 'embedded decider',
    about:
      'Weighs similarity in meaning, how recent a topic is, and phrases such as “back to”. It says how sure it is, and it errs: correct it with “Change” under a message. The phrases that it knows are English.',
    size: null,
    licence: 'MIT',
  },
  summarise: {
    does: 'Sums a turn up in one sentence and names topics.',
    name: 'extractive',
    about: 'Picks the sentence or clause that carries the turn. It extracts, and never rephrases anything.',
    size: null,
    licence: 'MIT',
  },
  embed: {
    does: 'Compares what texts mean, to find the turns near a message.',
    name: 'use-lite-en int8',
    about:
      'Universal Sentence Encoder Lite, quantised to int8: turns a text into 512 numbers, on the processor, in a few milliseconds.',
    size: '7.1 MB',
    licence: 'Apache-2.0',
  },
};

/** What the embedded model costs, and its licence. */
export const embeddedFacts = (role: Role): readonly string[] => {
  const { size, licence } = ROLE_FACTS[role];
  return ['ships with the page', ...(size === null ? [] : [size]), licence];
};
