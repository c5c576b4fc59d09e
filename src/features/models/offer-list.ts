import type { Choice, Offer, RuntimeName, StoredModel } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { RUNTIME_WORDS } from './offer-words.ts';

export interface OfferFilter {
  readonly text: string;
  readonly runtime: RuntimeName | null;
}

interface Listed {
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
): Listed => {
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

export const sameChoice = (a: Choice, b: Choice): boolean =>
  a.kind === 'model' ? b.kind === 'model' && a.key === b.key : a.kind === b.kind;
