import type { Entry } from '../../../domain/entry.ts';
import { contentHash } from '../../../engine/vectors/node-vectors.ts';

/*
 * Two browsers may have gone on from one conversation each in its own way. Its logs then have a beginning in common and
 * differ from some entry on; nothing can make one log of them. So what is merged is the set of logs: one that begins another is part
 * of it, all others stand side by side. That is the same whichever comes first, and however often.
 */

/** Stands between the id of a conversation and what tells apart another way in which it went on. */
const OTHER = '~other~';

/** The conversation that several logs are ways of going on with. */
export const originOf = (id: string): string => id.split(OTHER)[0] as string;

export type Place =
  /** It is here already, or the beginning of what is here. */
  | { readonly kind: 'same' }
  /** What is here is its beginning. */
  | { readonly kind: 'longer'; readonly id: string; readonly added: readonly Entry[] }
  | { readonly kind: 'new'; readonly id: string }
  /** It differs from what is here, and stands beside it. */
  | { readonly kind: 'differs'; readonly id: string };

/** Where a log goes, given those of the same origin that are here. */
export const placeOf = (id: string, log: readonly Entry[], here: ReadonlyMap<string, readonly Entry[]>): Place => {
  const known = [...here].map(([knownId, entries]) => ({ id: knownId, entries, common: commonLength(entries, log) }));
  if (known.some(({ common }) => common === log.length)) return { kind: 'same' };
  const begun = known.find(({ entries, common }) => common === entries.length);
  if (begun !== undefined) return { kind: 'longer', id: begun.id, added: log.slice(begun.common) };
  if (!here.has(id)) return { kind: known.length === 0 ? 'new' : 'differs', id };
  // Named by where it goes its own way, so that a later and longer copy of it finds it again.
  const longest = known.reduce((most, { common }) => Math.max(most, common), 0);
  const own = contentHash(JSON.stringify(log[longest] ?? null));
  let other = `${originOf(id)}${OTHER}${own}`;
  while (here.has(other)) other = `${other}+`;
  return { kind: 'differs', id: other };
};

const commonLength = (a: readonly Entry[], b: readonly Entry[]): number => {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (JSON.stringify(a[at]) !== JSON.stringify(b[at])) return at;
  return most;
};
