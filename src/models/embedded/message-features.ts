import type { TreeId } from '../../domain/forest.ts';
import { indicator, mean, sum } from '../../domain/numbers.ts';
import { CUES, type Cue, cuesOf } from '../../engine/place/cues.ts';
import type { NodeView, TopicQuestion, TopicView } from '../../engine/ports.ts';
import { glossedForCues, glossedForEmbedder } from '../../engine/text/glossary.ts';
import { type Matches, matchAt, type TermMatch } from '../../engine/text/terms.ts';
import { contentWords, stem, wordsOf } from '../../engine/text/words.ts';
import { firstSorted } from '../../engine/vectors/vector-math.ts';
import { type AnswerKinds, kindsAnswered } from './answer-kinds.ts';
import { common, logWordCount, type TextReader } from './decider-texts.ts';
import { type Kinship, knownWords } from './lexicon.ts';
import { antecedent, openPronouns, personsIn } from './pronouns.ts';

type Cues = ReadonlyMap<Cue, string>;

/** Whether the message asks something that could be asked of a stranger too; weighing one's own choices does not count. */
export const asksInGeneral = (cues: Cues): boolean => cues.has('asks in general') && !cues.has('weighs a choice');

/** Whether the message asks about the world rather than for a detail of what was just discussed. */
export const asksForKnowledge = (cues: Cues): boolean => cues.has('asks for knowledge') && !cues.has('weighs a choice');

/** Whether the message acts: it instructs, decides or changes something. */
export const isAct = (cues: Cues): boolean =>
  (cues.has('instructs') || cues.has('decides') || cues.has('revises')) && !asksInGeneral(cues);

/** Whether the message gives the assistant something to produce. */
const setsTask = (cues: Cues): boolean => cues.has('assigns a role') || (cues.has('sets a task') && isAct(cues));

/** Similarity below which a message is far from a topic, and above which it is close: near the quartiles over the labelled sets. */
const FAR = 0.3;
export const CLOSE = 0.5;
/** Content words from which a message counts as long. */
const MANY_WORDS = 12;
/** A reference back with at most this many content words says nothing else. */
const FEW_WORDS = 1;

/** Features for leaving the active topic, regardless of the topic that follows. */
export const messageFeatures = (setting: Setting): Record<string, number> => {
  const { question, reader, cues, words, active, others, nearestOther, largest } = setting;
  const { message, path, recent } = question;
  const tip = path.at(-1);
  const tipTexts = tip === undefined ? undefined : reader.turn(tip.node);
  const near = active?.similarity ?? 0;
  const nearOther = nearestOther?.similarity ?? 0;
  const alone = indicator(active?.size === 1);
  const pointed = pointedAt(setting, active);
  const unheard = newWords(setting);
  const length = logWordCount(message);
  const inGeneral = indicator(asksInGeneral(cues));
  const knowledge = indicator(asksForKnowledge(cues));
  const acts = indicator(isAct(cues));
  const tipInGeneral = indicator(tipTexts !== undefined && asksInGeneral(tipTexts.cues));
  const lately = recent.map(({ node }) => reader.turn(node).cues);
  const recentActs = mean(lately.map((of) => indicator(isAct(of))));
  const recentlyAsked = mean(lately.map((of) => indicator(of.has('asks for knowledge'))));
  const changes = changeRate(recent);

  const listed = active === undefined ? others : [active, ...others];
  const features: Record<string, number> = {
    'log words': length,
    'content words': Math.min(words.size, MANY_WORDS) / MANY_WORDS,
    'no content': indicator(words.size === 0),
    'speaks of a person': indicator(setting.persons !== null),
    'short reference': indicator(cues.has('refers back') && words.size <= FEW_WORDS),

    'tip similarity': tip?.similarity ?? 0,
    'active similarity': near,
    'active mean similarity': active?.meanSimilarity ?? 0,
    'path root similarity': path[0]?.similarity ?? 0,
    'recent similarity': mean(recent.map(({ similarity }) => similarity)),
    'nearest other': nearOther,
    'nearest other ahead': nearestOther === undefined ? 0 : nearOther - near,
    'far from all': Math.max(0, FAR - Math.max(near, nearOther)),
    'near to active': Math.max(0, near - CLOSE),
    'near to another': Math.max(0, nearOther - CLOSE),

    'reply overlap': share(tipTexts === undefined ? 0 : common(words, tipTexts.replyWords).length, words),
    'reply closes': indicator(tipTexts?.replyCloses),
    'tip overlap': share(tipTexts === undefined ? 0 : common(words, tipTexts.words).length, words),
    'active overlap': overlapWith(setting, active),
    'active own overlap': ownOverlapWith(setting, active),
    'active reply overlap': replyOverlapWith(setting, active),
    'new words': unheard,
    'pointed at': pointed,

    'active size': Math.log1p(active?.size ?? 0),
    'active alone': alone,
    'active alone, others': others.length > 0 ? alone : 0,
    'active is largest': indicator(largest === active),
    'others open': indicator(others.length > 0),
    'topics open': Math.log1p(others.length),
    'rate of changes': changes,
    'turns since a change': Math.log1p(turnsSinceChange(recent)),
    'longer than usual': length - mean(recent.map(({ node }) => reader.turn(node).length)),
    'tip against recent': (tip?.similarity ?? 0) - mean(recent.map(({ similarity }) => similarity)),
    'recent acts': recentActs,
    'recent acts, near': recentActs * near,
    'recently asked': recentlyAsked,
    task: indicator(setting.task),

    english: indicator(setting.language === 'en' || setting.language === null),
    'words written': Math.log1p(setting.matches.terms.length),
    weight: Math.min(setting.matches.weight, 12),
    unheard: setting.matches.unheard,
    'unheard pieces': setting.matches.unheardPieces,
    'unheard weight': Math.min(setting.matches.unheard * setting.matches.weight, 12),
    'most heard': Math.max(0, ...setting.matches.of.map(({ sum }) => sum)),
    'most pieces heard': Math.max(0, ...setting.matches.of.map(({ pieces }) => pieces)),
    'highest similarity': Math.max(0, ...listed.map((one) => Math.max(one.similarity, one.replySimilarity))),

    'subject words': Math.min(setting.known.length, MANY_WORDS),
    'subject weight': Math.min(sum(setting.known.map((word) => reader.lexicon.weights[word] ?? 0)), 40),
    'subjects, most': mostOf(setting, ({ whole }) => whole),
    'subjects of the last turn, most': mostOf(setting, ({ last }) => last),
    'subjects by word, most': mostOf(setting, ({ each }) => each),
    'subjects by word of the last turn, most': mostOf(setting, ({ eachLast }) => eachLast),
    'subjects of all words, most': mostOf(setting, ({ sum }) => sum),
    'subjects in common, most': mostOf(setting, ({ common }) => common),
    'subjects, foremost, most': mostOf(setting, ({ leading }) => leading),

    'in general': inGeneral,
    'in general, changes': inGeneral * changes,
    'in general, near': inGeneral * near,
    'in general, new words': inGeneral * unheard,
    'in general, alone': inGeneral * alone,
    'in general, long': inGeneral * length,
    'in general, refers back': inGeneral * indicator(cues.has('refers back')),
    'in general, pointed at': inGeneral * pointed,
    'in general, own': inGeneral * indicator(cues.has('tells of oneself')),
    'in general, names the work': inGeneral * indicator(cues.has('names the work')),
    'in general, recent acts': inGeneral * recentActs,
    'in general after in general': inGeneral * tipInGeneral,
    'in general after acts': inGeneral * (1 - tipInGeneral),
    'knowledge, near': knowledge * near,
    'knowledge, pointed at': knowledge * pointed,
    'knowledge, recent acts': knowledge * recentActs,
    'knowledge, recently asked': knowledge * recentlyAsked,
    acts,
    'acts, near': acts * near,
    'acts, recent acts': acts * recentActs,
    'acts after in general': acts * tipInGeneral,
    'seeks, new words': indicator(cues.has('seeks')) * unheard,
    'seeks, near': indicator(cues.has('seeks')) * near,
    'asks, near': indicator(cues.has('asks')) * near,
    'tip in general': tipInGeneral,
    'tip asks': indicator(tipTexts?.cues.has('asks')),
    'reply asks': indicator(tipTexts?.replyAsks),
  };
  for (const cue of CUES) features[cue] = indicator(cues.has(cue));
  return features;
};

const mostOf = ({ kinship }: Setting, of: (one: Kinship) => number): number =>
  Math.max(0, ...[...kinship.values()].map(of));

/** Number of latest turns in the same topic as the very last one. */
const turnsSinceChange = (recent: readonly NodeView[]): number => {
  const treeId = recent.at(-1)?.node.treeId;
  const change = recent.findLastIndex(({ node }) => node.treeId !== treeId);
  return recent.length - 1 - change;
};

/** Share of recent turns that changed the topic, 0–1. */
const changeRate = (recent: readonly NodeView[]): number => {
  if (recent.length < 2) return 0;
  const changes = recent.filter(({ node }, at) => at > 0 && node.treeId !== recent[at - 1]?.node.treeId).length;
  return changes / (recent.length - 1);
};

/** A topic question as read: the message's cues and words, and the topics that stand out. */
export interface Setting {
  readonly question: TopicQuestion;
  readonly reader: TextReader;
  readonly cues: ReadonlyMap<Cue, string>;
  readonly words: ReadonlySet<string>;
  /** Language the person writes in, as ISO 639-1; null if unknown. */
  readonly language: string | null;
  /** Matches of the message's words in the topics, in any language. */
  readonly matches: Matches;
  readonly matchOf: (topic: TopicView | undefined) => TermMatch;
  /** The message's words that are in the lexicon, and how close each listed topic is by them. */
  readonly known: readonly number[];
  readonly kinship: ReadonlyMap<TopicView, Kinship>;
  /** How well each listed topic can resolve the "he" or "she" of the message, from −1; null if it has none. */
  readonly persons: ReadonlyMap<TopicView, Readonly<Record<'said' | 'all' | 'last', number>>> | null;
  /** What the message gives, read as an answer. */
  readonly given: AnswerKinds;
  /** Stems of the words that the message points at with a determiner. */
  readonly pointed: ReadonlySet<string>;
  readonly active: TopicView | undefined;
  /** Topics that a switch may go to. */
  readonly others: readonly TopicView[];
  readonly nearestOther: TopicView | undefined;
  readonly latestOther: TopicView | undefined;
  readonly largest: TopicView | undefined;
  /** Words of the message that a topic also has. */
  readonly shared: ReadonlyMap<TreeId, readonly string[]>;
  /** Words of the message that a topic's replies also have. */
  readonly sharedWithReplies: ReadonlyMap<TreeId, readonly string[]>;
  /** Words of a topic's title. */
  readonly titles: ReadonlyMap<TreeId, ReadonlySet<string>>;
  /** Number of topics that contain a word of the message. */
  readonly spread: ReadonlyMap<string, number>;
  /** Whether the conversation is about producing something: a task was set in it. */
  readonly task: boolean;
}

/** Topics weighed in full: the nearest, and the most recently visited. */
const NEAREST = 6;
const LATEST = 3;

export const settingOf = (question: TopicQuestion, reader: TextReader): Setting => {
  const { message, topics, path, recent } = question;
  const words = contentWords(message);
  const listed = weighedTopics(topics);
  const active = listed.find((topic) => topic.active);
  const others = listed.filter((topic) => !topic.active);
  const language = question.spoken;
  const matches = reader.terms.matches(
    message,
    language,
    listed.map(({ turns }) => turns),
  );
  reader.spoken = language;
  const english = glossedForEmbedder(message, language);
  const known = knownWords(reader.lexicon, english);
  const kinTo = reader.kinshipTo(known);
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
    cues: cuesOf(glossedForCues(message, language)),
    words,
    language,
    matches,
    matchOf: (topic) => matchAt(matches, topic === undefined ? -1 : listed.indexOf(topic)),
    known,
    kinship: new Map(listed.map((topic) => [topic, kinTo(topic)])),
    persons: personsFor(openPronouns(personsIn(english)), listed, reader),
    given: kindsAnswered(english),
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

const personsFor = (pronouns: number, listed: readonly TopicView[], reader: TextReader): Setting['persons'] => {
  if (pronouns === 0) return null;
  return new Map(
    listed.map((topic) => {
      const { said, all, last } = reader.personsIn(topic);
      const of = (persons: number) => antecedent(pronouns, persons);
      return [topic, { said: of(said), all: of(all), last: of(last) }];
    }),
  );
};

/** Returns the topics to weigh: the active one first, then a short list of others. */
export const weighedTopics = (topics: readonly TopicView[]): TopicView[] => [
  ...topics.filter((topic) => topic.active),
  ...shortlist(topics),
];

/** Keeps a fixed number, so that a thousand stale topics do not outvote a new one. */
const shortlist = (topics: readonly TopicView[]): TopicView[] => {
  const others = topics.filter((topic) => !topic.active);
  if (others.length <= NEAREST + LATEST) return others;
  const nearest = firstSorted(others, NEAREST, (a, b) => b.similarity - a.similarity);
  const latest = firstSorted(others, LATEST, (a, b) => a.age - b.age);
  const largest = best(others, (topic) => topic.size);
  return [...new Set([...nearest, ...latest, ...(largest === undefined ? [] : [largest])])];
};

const best = <T>(items: readonly T[], score: (item: T) => number): T | undefined =>
  items.reduce<T | undefined>((top, item) => (top === undefined || score(item) > score(top) ? item : top), undefined);

/** Share of the message's words that a topic also has. */
export const overlapWith = ({ shared, words }: Setting, topic: TopicView | undefined): number =>
  share(shared.get(topic?.treeId ?? '')?.length ?? 0, words);

/** Share of the message's words that a topic's replies also have. */
export const replyOverlapWith = ({ sharedWithReplies, words }: Setting, topic: TopicView | undefined): number =>
  share(sharedWithReplies.get(topic?.treeId ?? '')?.length ?? 0, words);

/** Share of the message's words that only this topic has. */
export const ownOverlapWith = ({ shared, spread, words }: Setting, topic: TopicView | undefined): number =>
  share((shared.get(topic?.treeId ?? '') ?? []).filter((word) => spread.get(word) === 1).length, words);

/** Share of the message's words that no topic has. */
const newWords = ({ spread, words }: Setting): number =>
  share([...words].filter((word) => !spread.has(word)).length, words);

const share = (part: number, whole: ReadonlySet<string>): number => (whole.size === 0 ? 0 : part / whole.size);

const POINTER = /^(?:the|this|that|these|those|my|our|your|its|their)$/;
/** Maximum distance of a word from its determiner, in words, as in "the new kitchen floor". */
const POINTER_REACH = 3;

/** Stems of the words that follow a determiner. */
const pointedWords = (message: string): ReadonlySet<string> => {
  const written = wordsOf(message);
  const pointed = written.filter((_, at) =>
    written.slice(Math.max(0, at - POINTER_REACH), at).some((before) => POINTER.test(before.toLowerCase())),
  );
  return new Set(pointed.map(stem));
};

/** 1 if a shared word follows a determiner: "the script" points back where "a script" need not. */
export const pointedAt = ({ pointed, shared }: Setting, topic: TopicView | undefined): number =>
  (shared.get(topic?.treeId ?? '') ?? []).some((word) => pointed.has(word)) ? 1 : 0;
