import type { TreeId } from '../../domain/forest.ts';
import { CUES, type Cue, cuesOf } from '../../engine/cues.ts';
import type { NodeView, TopicQuestion, TopicView } from '../../engine/ports.ts';
import { contentWords, type TextReader } from './embedded-decider-texts.ts';
import { type Choice, prefixed } from './linear-choice.ts';

/** A way to answer the topic question. `target` is null for a new topic. */
export interface TopicChoice extends Choice {
  readonly action: 'create-topic' | 'switch-topic' | 'continue-topic';
  readonly target: TreeId | null;
}

export interface TopicReading {
  readonly choices: readonly TopicChoice[];
  readonly cues: ReadonlyMap<Cue, string>;
  readonly shared: ReadonlyMap<TreeId, readonly string[]>;
}

/** Topics weighed in full: the nearest, and the ones the person was in last. */
const NEAREST = 6;
const LATEST = 3;

/** The choices open to a message and their features. Continuing is the choice of score zero: it has none. */
export const readTopicQuestion = (question: TopicQuestion, reader: TextReader): TopicReading => {
  const { message, topics, path } = question;
  const cues = cuesOf(message);
  const words = contentWords(message);
  const active = topics.find((topic) => topic.active);
  const others = shortlist(topics);
  const listed = active === undefined ? others : [active, ...others];
  const shared = new Map(listed.map((topic) => [topic.treeId, common(words, reader.topic(topic))]));
  const spread = new Map<string, number>();
  for (const found of shared.values()) for (const word of found) spread.set(word, (spread.get(word) ?? 0) + 1);
  const overlap = (topic: TopicView | undefined): number => share(shared.get(topic?.treeId ?? '')?.length ?? 0, words);
  const own = (topic: TopicView | undefined): number => {
    const found = shared.get(topic?.treeId ?? '') ?? [];
    return share(found.filter((word) => spread.get(word) === 1).length, words);
  };

  const tip = path.at(-1);
  const tipTexts = tip === undefined ? undefined : reader.turn(tip.node);
  const nearestOther = best(others, (topic) => topic.similarity);
  const largest = best(listed, (topic) => topic.size);
  const latest = best(others, (topic) => -topic.age);
  const near = active?.similarity ?? 0;
  const alone = active?.size === 1 ? 1 : 0;
  const inGeneral = cues.has('asks in general') && !cues.has('weighs a choice') ? 1 : 0;
  const acts = ['instructs', 'decides', 'revises'].some((cue) => cues.has(cue as Cue)) && inGeneral === 0 ? 1 : 0;
  const tipCues = tipTexts?.cues;
  const tipInGeneral = tipCues?.has('asks in general') && !tipCues.has('weighs a choice') ? 1 : 0;
  const changes = changeRate(question.recent);

  const context: Record<string, number> = {
    bias: 1,
    'log words': Math.log1p(message.split(/\s+/).length),
    'content words': Math.min(words.size, MANY_WORDS) / MANY_WORDS,
    'tip similarity': tip?.similarity ?? 0,
    'active similarity': near,
    'active mean similarity': active?.meanSimilarity ?? 0,
    'path root similarity': path[0]?.similarity ?? 0,
    'recent similarity': mean(question.recent.map(({ similarity }) => similarity)),
    'tip overlap': share(tipTexts === undefined ? 0 : common(words, tipTexts.words).length, words),
    'active overlap': overlap(active),
    'active own overlap': own(active),
    'new words': share([...words].filter((word) => !spread.has(word)).length, words),
    'active size': Math.log1p(active?.size ?? 0),
    'active alone': alone,
    'active alone, others': others.length > 0 ? alone : 0,
    'active is largest': largest === active ? 1 : 0,
    'others open': others.length > 0 ? 1 : 0,
    'topics open': Math.log1p(others.length),
    'nearest other': nearestOther?.similarity ?? 0,
    'nearest other ahead': nearestOther === undefined ? 0 : nearestOther.similarity - near,
    'rate of changes': changes,
    'in general': inGeneral,
    'in general, changes': inGeneral * changes,
    'in general, near': inGeneral * near,
    acts,
    'acts after in general': acts * tipInGeneral,
    'in general after in general': inGeneral * tipInGeneral,
    'in general after acts': inGeneral * (1 - tipInGeneral),
    'tip in general': tipInGeneral,
    'tip asks': tipCues?.has('asks') ? 1 : 0,
    'reply asks': tipTexts?.replyAsks ? 1 : 0,
    'short reference': cues.has('refers back') && words.size <= FEW_WORDS ? 1 : 0,
    'no content': words.size === 0 ? 1 : 0,
  };
  for (const cue of CUES) context[cue] = cues.has(cue) ? 1 : 0;

  const lastIn = (treeId: TreeId): NodeView | undefined =>
    question.recent.findLast(({ node }) => node.treeId === treeId);

  const choices: TopicChoice[] = [
    { action: 'continue-topic', target: active?.treeId ?? null, features: {} },
    { action: 'create-topic', target: null, features: prefixed('create', context) },
  ];
  for (const topic of others) {
    const seen = lastIn(topic.treeId);
    const seenCues = seen === undefined ? undefined : reader.turn(seen.node).cues;
    const seenInGeneral = seenCues?.has('asks in general') && !seenCues.has('weighs a choice') ? 1 : 0;
    const isLatest = topic === latest ? 1 : 0;
    const isLargest = topic === largest ? 1 : 0;
    const titleWords = contentWords(topic.title);
    choices.push({
      action: 'switch-topic',
      target: topic.treeId,
      features: {
        ...prefixed('switch', context),
        'target similarity': topic.similarity,
        'target mean similarity': topic.meanSimilarity,
        'target tip similarity': topic.activeSimilarity,
        'target is nearest': topic === nearestOther ? 1 : 0,
        'target ahead of active': topic.similarity - near,
        'target overlap': overlap(topic),
        'target own overlap': own(topic),
        'target title named': titleWords.size === 0 ? 0 : common(words, titleWords).length / titleWords.size,
        'target size': Math.log1p(topic.size),
        'target alone': topic.size === 1 ? 1 : 0,
        'target is largest': isLargest,
        'target is latest': isLatest,
        'target is first': topic === topics[0] ? 1 : 0,
        'target age': Math.log1p(topic.age),
        'target seen lately': seen === undefined ? 0 : 1,
        'target latest, active alone': isLatest * alone,
        'target largest, active alone': isLargest * alone,
        'target largest, acts': isLargest * acts,
        'target largest, in general': isLargest * inGeneral,
        'target latest, returns': isLatest * (cues.has('returns') ? 1 : 0),
        'target similarity, returns': topic.similarity * (cues.has('returns') ? 1 : 0),
        'target of the same kind': seen !== undefined && seenInGeneral === inGeneral ? 1 : 0,
        'target alone, acts': topic.size === 1 ? acts : 0,
        'target alone, in general': topic.size === 1 ? inGeneral : 0,
        'target similarity, alone': topic.size === 1 ? topic.similarity : 0,
        'target largest, wraps up': isLargest * (cues.has('wraps up') ? 1 : 0),
      },
    });
  }
  return { choices, cues, shared };
};

/** Content words from which a message counts as long. */
const MANY_WORDS = 12;
/** Content words up to which a reference back is all that a message says. */
const FEW_WORDS = 2;

/** Topics a switch may go to. A fixed number, so that a thousand stale topics do not outvote a new one. */
const shortlist = (topics: readonly TopicView[]): TopicView[] => {
  const others = topics.filter((topic) => !topic.active);
  if (others.length <= NEAREST + LATEST) return others;
  const nearest = others.toSorted((a, b) => b.similarity - a.similarity).slice(0, NEAREST);
  const latest = others.toSorted((a, b) => a.age - b.age).slice(0, LATEST);
  const largest = best(others, (topic) => topic.size);
  return [...new Set([...nearest, ...latest, ...(largest === undefined ? [] : [largest])])];
};

const best = <T>(items: readonly T[], score: (item: T) => number): T | undefined =>
  items.reduce<T | undefined>((top, item) => (top === undefined || score(item) > score(top) ? item : top), undefined);

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...a].filter((word) => b.has(word));

const share = (part: number, whole: ReadonlySet<string>): number => (whole.size === 0 ? 0 : part / whole.size);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** How often the last turns changed the topic, 0–1. */
const changeRate = (recent: readonly NodeView[]): number => {
  if (recent.length < 2) return 0;
  const changes = recent.filter(({ node }, at) => at > 0 && node.treeId !== recent[at - 1]?.node.treeId).length;
  return changes / (recent.length - 1);
};
