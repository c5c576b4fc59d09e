import type { TreeId } from '../../domain/forest.ts';
import { indicator } from '../../domain/numbers.ts';
import type { Embedding, TopicQuestion, TopicVectors, TopicView } from '../../engine/ports.ts';
import { type Affinity, continuationScorer, newTopicScore } from './affinity.ts';
import { answerFit } from './answer-kinds.ts';
import type { Features, ScoredOption } from './boosted-trees.ts';
import { common, type TextReader } from './decider-texts.ts';
import { type Kinship, UNRELATED } from './lexicon.ts';
import {
  asksInGeneral,
  CLOSE,
  isAct,
  messageFeatures,
  overlapWith,
  ownOverlapWith,
  pointedAt,
  replyOverlapWith,
  type Setting,
  settingOf,
} from './message-features.ts';

/** An answer to the topic question. `target` is null for a new topic. */
export interface TopicChoice extends ScoredOption {
  readonly action: 'create-topic' | 'switch-topic' | 'continue-topic';
  readonly target: TreeId | null;
}

export interface TopicReading {
  readonly setting: Setting;
  /** Continuing comes first, a new topic second. */
  readonly choices: readonly TopicChoice[];
  readonly material: Material;
}

/** The vectors of a question: the message's, and those of each choice's topic. */
export interface Material {
  readonly message: Embedding | null;
  readonly topics: readonly (TopicVectors | null)[];
}

/** Returns the choices open to a message with their features. Continuing is the baseline of score 0 and has none. */
export const readTopicQuestion = (question: TopicQuestion, reader: TextReader): TopicReading => {
  const setting = settingOf(question, reader);
  const { active, nearestOther, latestOther, largest, others } = setting;
  const common = messageFeatures(setting);
  const targets = new Map(others.map((topic) => [topic, targetFeatures(setting, topic)]));
  const featuresOf = (topic: TopicView | undefined): Features => (topic && targets.get(topic)) ?? {};
  const here = active === undefined ? {} : closeness(setting, active);
  const beside = {
    active: here,
    nearest: featuresOf(nearestOther),
    latest: featuresOf(latestOther),
    largest: featuresOf(largest),
  };
  const choices: TopicChoice[] = [
    { action: 'continue-topic', target: setting.active?.treeId ?? null, features: {} },
    { action: 'create-topic', target: null, features: {}, common, beside },
  ];
  for (const [topic, features] of targets) {
    choices.push({ action: 'switch-topic', target: topic.treeId, features, common, beside: { active: here } });
  }
  const topics = [active, undefined, ...others];
  const material = { message: question.embedding, topics: topics.map((topic) => topic?.vectors ?? null) };
  return { setting, choices, material };
};

/** Adds what embeddings say about the choices, if there are any. */
export const withAffinity = <R extends Pick<TopicReading, 'choices' | 'material'>>(
  reading: R,
  affinity: Affinity,
): R => {
  const { message: embedding, topics } = reading.material;
  if (embedding?.embedder !== affinity.embedder) return reading;
  const message = embedding.vector;
  const goes = continuationScorer(affinity, message);
  const all = topics.map((topic) => (topic === null ? null : goes(topic)));
  const here = all[0] ?? 0;
  const most = Math.max(...all.filter((one) => one !== null));
  const alone = newTopicScore(affinity, message);
  const shared = new Map<Features, Features>();
  const choices = reading.choices.map((choice, at): TopicChoice => {
    const own = all[at];
    const features = { ...choice.features };
    if (own === null || own === undefined) features['goes with any'] = most;
    else {
      const rivals = Math.max(-9, ...all.filter((one, other): one is number => one !== null && other !== at));
      Object.assign(features, { 'goes with': own, 'goes with ahead': own - rivals, 'goes with, alone': own - alone });
    }
    features['goes with here'] = here;
    if (choice.common === undefined) return { ...choice, features };
    const common = shared.get(choice.common) ?? { ...choice.common, 'stands alone': alone };
    shared.set(choice.common, common);
    return { ...choice, features, common };
  });
  return { ...reading, choices };
};

const NO_WORDS: ReadonlySet<string> = new Set();

/** Features for returning to this topic rather than to another. */
const targetFeatures = (setting: Setting, topic: TopicView): Record<string, number> => {
  const { question, reader, cues, words, active, nearestOther, latestOther, largest } = setting;
  const near = active?.similarity ?? 0;
  const rivals = setting.others.filter((other) => other !== topic).map(({ similarity }) => similarity);
  const activeAlone = indicator(active?.size === 1);
  const inGeneral = indicator(asksInGeneral(cues));
  const acts = indicator(isAct(cues));
  const returns = indicator(cues.has('returns'));
  const alone = indicator(topic.size === 1);
  const isLatest = indicator(topic === latestOther);
  const isLargest = indicator(topic === largest);
  const title = setting.titles.get(topic.treeId) ?? NO_WORDS;
  const seen = question.recent.findLast(({ node }) => node.treeId === topic.treeId);
  const seenInGeneral = indicator(seen !== undefined && asksInGeneral(reader.turn(seen.node).cues));
  return {
    ...closeness(setting, topic),
    'target similarity': topic.similarity,
    'target mean similarity': topic.meanSimilarity,
    'target tip similarity': topic.activeSimilarity,
    'target near': Math.max(0, topic.similarity - CLOSE),
    'target is nearest': indicator(topic === nearestOther),
    'target ahead of active': topic.similarity - near,
    'target ahead of others': topic.similarity - Math.max(0, ...rivals),
    targets: rivals.length + 1,
    'target similarity, alone': alone * topic.similarity,
    'target similarity, returns': returns * topic.similarity,
    'target overlap': overlapWith(setting, topic),
    'target own overlap': ownOverlapWith(setting, topic),
    'target reply overlap': replyOverlapWith(setting, topic),
    'target reply overlap ahead': replyOverlapWith(setting, topic) - replyOverlapWith(setting, active),
    'target pointed at': pointedAt(setting, topic),
    'target title named': title.size === 0 ? 0 : common(words, title).length / title.size,
    'target size': Math.log1p(topic.size),
    'target alone': alone,
    'target is largest': isLargest,
    'target is latest': isLatest,
    'target is first': indicator(topic === question.topics[0]),
    'target age': Math.log1p(topic.age),
    'target seen lately': indicator(seen !== undefined),
    'target latest, active alone': isLatest * activeAlone,
    'target largest, active alone': isLargest * activeAlone,
    'target latest, returns': isLatest * returns,
    'target largest, acts': isLargest * acts,
    'target largest, in general': isLargest * inGeneral,
    'target largest, wraps up': isLargest * indicator(cues.has('wraps up')),
    'target alone, acts': alone * acts,
    'target alone, in general': alone * inGeneral,
    'target of the same kind': indicator(seen !== undefined && seenInGeneral === inGeneral),
  };
};

/** How close a topic is to the message by words and vectors, whether active or not, and how far it is ahead of the others. */
const closeness = (setting: Setting, topic: TopicView): Record<string, number> => {
  const { matchOf, others, active, reader } = setting;
  const listed = active === undefined ? others : [active, ...others];
  const rivals = listed.filter((other) => other !== topic);
  const match = matchOf(topic);
  const ahead = (of: (one: TopicView) => number): number => of(topic) - Math.max(0, ...rivals.map(of));
  const best = (one: TopicView): number => Math.max(one.similarity, one.replySimilarity);
  const tip = topic.turns.at(-1);
  const kinOf = (one: TopicView): Kinship => setting.kinship.get(one) ?? UNRELATED;
  const kin = kinOf(topic);
  const answersIn = (one: TopicView): number => {
    const last = one.turns.at(-1);
    return last === undefined ? 0 : answerFit(reader.turn(last).asked, setting.given);
  };
  const person = (one: TopicView): number => setting.persons?.get(one)?.all ?? 0;
  return {
    person: person(topic),
    'person said': setting.persons?.get(topic)?.said ?? 0,
    'person of the last turn': setting.persons?.get(topic)?.last ?? 0,
    'person ahead': setting.persons === null ? 0 : person(topic) - Math.max(-1, ...rivals.map(person)),
    subjects: kin.whole,
    'subjects of the last turn': kin.last,
    'subjects by word': kin.each,
    'subjects by word of the last turn': kin.eachLast,
    'subjects of all words': kin.sum,
    'subjects of the least word': kin.least,
    'subjects in common': kin.common,
    'subjects, foremost': kin.leading,
    'subjects ahead': ahead((one) => kinOf(one).whole),
    'subjects of the last turn ahead': ahead((one) => kinOf(one).last),
    'subjects by word ahead': ahead((one) => kinOf(one).each),
    'subjects by word of the last turn ahead': ahead((one) => kinOf(one).eachLast),
    'subjects of all words ahead': ahead((one) => kinOf(one).sum),
    'subjects in common ahead': ahead((one) => kinOf(one).common),
    'match said': match.said,
    'match replied': match.replied,
    'match either': match.either,
    'match last': match.last,
    'match own': match.own,
    'match rarest': match.rarest,
    'match sum': match.sum,
    'match pieces': match.pieces,
    'match piece sum': match.pieceSum,
    'match ago': match.ago,
    'match ahead': ahead((one) => matchOf(one).sum),
    'match pieces ahead': ahead((one) => matchOf(one).pieceSum),
    'reply similarity': topic.replySimilarity,
    'tip reply similarity': topic.activeReplySimilarity,
    'tip message similarity': topic.activeSimilarity,
    'similarity ahead': ahead((one) => one.similarity),
    'reply similarity ahead': ahead((one) => one.replySimilarity),
    'best similarity': best(topic),
    'best similarity ahead': ahead(best),
    'topic age': Math.log1p(topic.age),
    'topic size': Math.log1p(topic.size),
    answers: answersIn(topic),
    'answers ahead': answersIn(topic) - Math.max(-2, ...rivals.map(answersIn)),
    'reply asks': indicator(tip !== undefined && reader.turn(tip).replyAsks),
  };
};
