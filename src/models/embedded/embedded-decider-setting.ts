import type { TreeId } from '../../domain/forest.ts';
import { type Cue, cuesOf } from '../../engine/place/cues.ts';
import type { TopicQuestion, TopicView } from '../../engine/ports.ts';
import { readable } from '../../engine/text/readable.ts';
import { type Match, type Matches, matchAt } from '../../engine/text/term-matches.ts';
import { contentWords } from '../../engine/text/words.ts';
import { setsTask } from './embedded-decider-kinds.ts';
import { pointedWords } from './embedded-decider-overlap.ts';
import type { TextReader } from './embedded-decider-texts.ts';

/** A topic question, read: the message's cues and words, and the topics that stand out. */
export interface Setting {
  readonly question: TopicQuestion;
  readonly reader: TextReader;
  readonly cues: ReadonlyMap<Cue, string>;
  readonly words: ReadonlySet<string>;
  /** Of what the person writes, as ISO 639-1; null where it cannot be told. */
  readonly language: string | null;
  /** The message's words in the topics, in any language. */
  readonly matches: Matches;
  readonly matchOf: (topic: TopicView | undefined) => Match;
  /** Words that the message points at with a determiner. */
  readonly pointed: ReadonlySet<string>;
  readonly active: TopicView | undefined;
  /** Topics that a switch may go to. */
  readonly others: readonly TopicView[];
  readonly nearestOther: TopicView | undefined;
  readonly latestOther: TopicView | undefined;
  readonly largest: TopicView | undefined;
  /** Words of the message that a topic has, too. */
  readonly shared: ReadonlyMap<TreeId, readonly string[]>;
  /** Words of the message that a topic's replies have, too. */
  readonly sharedWithReplies: ReadonlyMap<TreeId, readonly string[]>;
  /** Words of a topic's title. */
  readonly titles: ReadonlyMap<TreeId, ReadonlySet<string>>;
  /** In how many topics a word of the message occurs. */
  readonly spread: ReadonlyMap<string, number>;
  /** The conversation is about something to be made: somebody set a task in it. */
  readonly task: boolean;
}

/** Topics weighed in full: the nearest, and the ones the person was in last. */
const NEAREST = 6;
const LATEST = 3;

export const settingOf = (question: TopicQuestion, reader: TextReader): Setting => {
  const { message, topics, path, recent } = question;
  const words = contentWords(message);
  const active = topics.find((topic) => topic.active);
  const others = shortlist(topics);
  const listed = active === undefined ? others : [active, ...others];
  const language = question.spoken;
  const matches = reader.terms.matches(
    message,
    language,
    listed.map(({ turns }) => turns),
  );
  reader.spoken = language;
  const shared = new Map<TreeId, readonly string[]>();
  const sharedWithReplies = new Map<TreeId, readonly string[]>();
  const titles = new Map<TreeId, ReadonlySet<string>>();
  for (const topic of listed) {
    const texts = reader.topic(topic, words);
    shared.set(topic.treeId, texts.shared);
    sharedWithReplies.set(topic.treeId, texts.sharedWithReplies);
    titles.set(topic.treeId, texts.titleWords);
  }
  const spread = new Map<string, number>();
  for (const found of shared.values()) for (const word of found) spread.set(word, (spread.get(word) ?? 0) + 1);
  return {
    question,
    reader,
    cues: cuesOf(readable(message, language)),
    words,
    language,
    matches,
    matchOf: (topic) => matchAt(matches, topic === undefined ? -1 : listed.indexOf(topic)),
    pointed: pointedWords(message),
    active,
    others,
    nearestOther: best(others, (topic) => topic.similarity),
    latestOther: best(others, (topic) => -topic.age),
    largest: best(listed, (topic) => topic.size),
    shared,
    sharedWithReplies,
    titles,
    spread,
    task: [...path.slice(0, 1), ...recent].some(({ node }) => setsTask(reader.turn(node).cues)),
  };
};

/** A fixed number, so that a thousand stale topics do not outvote a new one. */
const shortlist = (topics: readonly TopicView[]): TopicView[] => {
  const others = topics.filter((topic) => !topic.active);
  if (others.length <= NEAREST + LATEST) return others;
  const nearest = foremost(others, NEAREST, (topic) => topic.similarity);
  const latest = foremost(others, LATEST, (topic) => -topic.age);
  const largest = best(others, (topic) => topic.size);
  return [...new Set([...nearest, ...latest, ...(largest === undefined ? [] : [largest])])];
};

/** The items of the highest scores, best first, in one pass: sorting a thousand topics took longer than the decision. */
const foremost = <T>(items: readonly T[], count: number, score: (item: T) => number): T[] => {
  const top: { item: T; height: number }[] = [];
  for (const item of items) {
    const height = score(item);
    const last = top[count - 1];
    if (last !== undefined && height <= last.height) continue;
    const at = top.findIndex((other) => height > other.height);
    top.splice(at === -1 ? top.length : at, 0, { item, height });
    if (top.length > count) top.pop();
  }
  return top.map(({ item }) => item);
};

const best = <T>(items: readonly T[], score: (item: T) => number): T | undefined =>
  items.reduce<T | undefined>((top, item) => (top === undefined || score(item) > score(top) ? item : top), undefined);
