import { baseUrlOf } from '../../src/models/runtimes/server/base-url.ts';
import { Stop } from '../stop.ts';

/** A language model at a server. */
export interface ModelAt {
  readonly model: string;
  /** Its base address. */
  readonly address: string;
  /** Empty where there is none. */
  readonly key: string;
}

/** Two are enough to know how far a word can be trusted. */
const MOST = 2;

/** What is after the last @ as an address: some models have an @ in their own names (`small@q4_k_m`). */
const AT_ADDRESS = /^(.+)@((?:https?:\/\/|localhost\b|[^\s/@]+:\d)\S*)$/i;

/**
 * The judges of `--judge NAME[@ADDRESS]`; where none is named, the chat model judges itself. A judge at another server is not
 * told the key of the first: it has its own, COPPICE_JUDGE_KEY_1 or _2, counted as the judges are named.
 */
export const judgesNamed = (
  names: readonly string[],
  chat: ModelAt,
  keys: Readonly<Record<string, string | undefined>>,
): readonly ModelAt[] => {
  if (names.length === 0) return [chat];
  if (names.length > MOST) throw new Stop(`--judge takes at most ${MOST} judges, not ${names.length}.`);
  const judges = names.map((name, at): ModelAt => {
    const [, model = name, own] = name.match(AT_ADDRESS) ?? [];
    const address = own === undefined ? chat.address : baseUrlOf(own);
    const key = address === chat.address ? chat.key : (keys[`COPPICE_JUDGE_KEY_${at + 1}`] ?? '');
    return { model, address, key };
  });
  const [first, second] = judges;
  if (second !== undefined && sameModel(first, second)) {
    throw new Stop(`Both judges are ${second.model}: how far a judge agrees with itself says nothing.`);
  }
  return judges;
};

export const sameModel = (one: ModelAt | undefined, other: ModelAt): boolean =>
  one?.model === other.model && one.address === other.address;
