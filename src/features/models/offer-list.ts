import {
  isKept,
  type Machine,
  type ModelChoice,
  type Offer,
  type RecommendedSet,
  type RuntimeName,
  type StoredModel,
} from '../../app/model-control.ts';
import { textFilter } from '../../app/search-words.ts';
import type { AppState } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { RECALL } from '../../domain/forest.ts';
import { bytesInWords, sum } from '../../domain/numbers.ts';
import { DECIDER, EMBEDDER, SUMMARISER } from '../../engine/embedded-names.ts';

export interface OfferFilter {
  readonly text: string;
  readonly runtime: RuntimeName | null;
}

interface OfferLists {
  readonly fit: readonly Offer[];
  readonly unfit: readonly Offer[];
}

/**
 * The models of a role: those that fit, with those already on this machine first and the rest in the order offered; and
 * those that do not fit. A model must match every word of the filter.
 */
export const listOffers = (
  offers: readonly Offer[],
  role: Role,
  stored: readonly StoredModel[],
  filter: OfferFilter,
): OfferLists => {
  const isFound = textFilter(filter.text);
  const found = offers.filter(
    (offer) =>
      offer.roles.includes(role) &&
      (filter.runtime === null || offer.runtime === filter.runtime) &&
      isFound(searched(offer)),
  );
  const here = (offer: Offer) => isKept(offer, stored);
  const fit = found.filter(({ unfit }) => unfit === null);
  return {
    fit: [...fit.filter(here), ...fit.filter((offer) => !here(offer))],
    unfit: found.filter(({ unfit }) => unfit !== null),
  };
};

const searched = ({ name, about, licence, runtime, key }: Offer): string =>
  [name, about, licence, RUNTIME_WORDS[runtime], key].join(' ');

/** Bytes of a model on this machine. */
export const storedBytes = (stored: readonly StoredModel[], key: string): number =>
  stored.find((model) => model.key === key)?.bytes ?? 0;

/** Name that distinguishes a model from others, with its runtime added if another model has the same name. */
export const calledAmong = (offers: readonly Offer[], { key, name, runtime }: Offer): string =>
  offers.some((other) => other.key !== key && other.name === name) ? `${name} (${RUNTIME_WORDS[runtime]})` : name;

/** Groups models that do not fit by reason: a reason shared by many is given once, and first. */
export const byReason = (
  unfit: readonly Offer[],
): readonly { readonly why: string; readonly offers: readonly Offer[] }[] => {
  const groups = new Map<string, Offer[]>();
  for (const offer of unfit) groups.set(offer.unfit ?? '', [...(groups.get(offer.unfit ?? '') ?? []), offer]);
  return [...groups].map(([why, offers]) => ({ why, offers })).sort((a, b) => b.offers.length - a.offers.length);
};

/** The kinds of runtime for which a role has models. */
export const runtimesOf = (offers: readonly Offer[], role: Role): readonly RuntimeName[] => [
  ...new Set(offers.filter(({ roles }) => roles.includes(role)).map(({ runtime }) => runtime)),
];

/** The largest model that fits and is smaller than the given one: what to try if that one was too large. */
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

/** How many are named if there is no GPU, and their maximum size: a larger one would take minutes for its first word. */
const NAMED = 3;
const BORNE_BYTES = 1e9;

/** Models that can chat on this machine's processor, smallest first; none if a GPU runs better ones. */
export const runHere = (offers: readonly Offer[], { webgpu, modelThreads }: Machine): readonly Offer[] => {
  if (webgpu.state === 'works' && !webgpu.software) return [];
  const size = ({ downloadBytes }: Offer): number => downloadBytes ?? Number.POSITIVE_INFINITY;
  const fitting = offers
    .filter(
      ({ runtime, own, roles, unfit }) => runtime === 'wllama' && !own && roles.includes('chat') && unfit === null,
    )
    .filter((offer) => size(offer) <= BORNE_BYTES)
    .sort((a, b) => size(a) - size(b));
  // With several threads, the tiniest model, meant for trying things out, is not worth its download.
  const from = modelThreads > 1 && fitting.length > NAMED ? 1 : 0;
  return fitting.slice(from, from + NAMED);
};

export const sameChoice = (a: ModelChoice, b: ModelChoice): boolean =>
  a.kind === 'model' ? b.kind === 'model' && a.key === b.key : a.kind === b.kind;

export const RUNTIME_WORDS: Readonly<Record<RuntimeName, string>> = {
  webllm: 'WebLLM',
  wllama: 'llama.cpp',
  transformers: 'Transformers.js',
  'prompt-api': 'the browser’s own',
  server: 'a server',
};

/** The known costs and requirements of a model. `kept`: bytes of it on this machine; null omits the download. */
export const offerFacts = (offer: Offer, kept: number | null): readonly string[] => [
  ...(kept === null ? [] : downloadWords(offer, kept)),
  ...(offer.memoryBytes === null ? [] : [`${bytesInWords(offer.memoryBytes)} of memory`]),
  ...(offer.speed === null ? [] : [offer.speed]),
  ...(offer.licence === null ? [] : [offer.licence]),
];

const downloadWords = ({ downloadBytes, runtime }: Offer, kept: number): readonly string[] => {
  if (runtime === 'server') return ['no download'];
  if (downloadBytes === null) return kept > 0 ? [`${bytesInWords(kept)} on this machine`] : [];
  if (kept >= downloadBytes) return ['on this machine'];
  return [
    kept > 0 ? `${bytesInWords(downloadBytes - kept)} yet to download` : `${bytesInWords(downloadBytes)} to download`,
  ];
};

/** What a set downloads, apart from what is on this machine. */
export const setDownloadWords = (
  { choices, downloadBytes }: RecommendedSet,
  offers: readonly Offer[],
  stored: readonly StoredModel[],
): string => {
  const keys = new Set(Object.values(choices).flatMap((choice) => (choice.kind === 'model' ? choice.key : [])));
  const kept = sum(
    [...keys].map((key) => {
      const offer = offers.find((one) => one.key === key);
      // An offer's size may be an estimate.
      return offer !== undefined && isKept(offer, stored) ? (offer.downloadBytes ?? 0) : storedBytes(stored, key);
    }),
  );
  if (kept >= downloadBytes) return 'all here';
  return `${bytesInWords(downloadBytes - kept)} ${kept > 0 ? 'yet ' : ''}to download`;
};

/** Describes each role's use of a chat model. */
export const SAME_AS_CHAT: Partial<Record<Role, string>> = {
  decide: 'The chat model also decides, on a separate engine where possible.',
  summarise: 'The chat model also summarises, on a separate engine where possible.',
};

/** Whether the embedded model does a role: chosen itself, or as the same as a chat that has no language model. */
export const isEmbedded = (models: AppState['models'], role: Role): boolean => {
  const { kind } = models[role].choice;
  return kind === 'embedded' || (kind === 'same-as-chat' && models.chat.choice.kind === 'embedded');
};

/** What a person should know about a role and its embedded model. */
interface RoleFacts {
  readonly job: string;
  /** Name of the embedded model. */
  readonly name: string;
  /** What the embedded model is and is not, in plain words. */
  readonly about: string;
  /** Its share of the page's size; null if negligible. */
  readonly size: string | null;
  readonly licence: string;
}

export const ROLE_FACTS: Readonly<Record<Role, RoleFacts>> = {
  chat: {
    job: 'Writes what the assistant says.',
    name: RECALL,
    about:
      'No language model. It answers by quoting what the path and the nearest other turns already say, with links to them; it knows nothing else and never makes anything up.',
    size: null,
    licence: 'MIT',
  },
  decide: {
    job: 'Chooses the topic and branch a message belongs to.',
    name: DECIDER,
    about:
      'Weighs similarity in meaning, how recent a topic is, and phrases such as “back to”. It says how sure it is and makes mistakes. Correct it with “Change” under a message. In other languages it reads such phrases word by word, roughly.',
    size: null,
    licence: 'MIT',
  },
  summarise: {
    job: 'Sums up a turn in one sentence and names topics.',
    name: SUMMARISER,
    about:
      'Quotes the sentence or clause that best represents the turn, or puts it into the third person (“The user wants …”). It adds nothing of its own.',
    size: null,
    licence: 'MIT',
  },
  embed: {
    job: 'Compares the meaning of texts to find turns related to a message.',
    name: EMBEDDER,
    about:
      'Universal Sentence Encoder Lite, quantised to int8. Turns text into 512 numbers on the processor in a few milliseconds.',
    size: '7.1 MB',
    licence: 'Apache-2.0',
  },
};

/** The cost and licence of the embedded model. */
export const embeddedFacts = (role: Role): readonly string[] => {
  const { size, licence } = ROLE_FACTS[role];
  return ['ships with the page', ...(size === null ? [] : [size]), licence];
};
