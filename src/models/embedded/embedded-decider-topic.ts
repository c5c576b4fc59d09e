import type { TreeId } from '../../domain/forest.ts';
import type { Embedding, TopicQuestion, TopicVectors, TopicView } from '../../engine/ports.ts';
import { type Affinity, goesWith, standsAlone } from './affinity.ts';
import type { Choice, Features } from './boosted-choice.ts';
import { messageFeatures } from './embedded-decider-message.ts';
import { type Setting, settingOf } from './embedded-decider-setting.ts';
import { closeness, targetFeatures } from './embedded-decider-target.ts';
import type { TextReader } from './embedded-decider-texts.ts';

/** A way to answer the topic question. `target` is null for a new topic. */
export interface TopicChoice extends Choice {
  readonly action: 'create-topic' | 'switch-topic' | 'continue-topic';
  readonly target: TreeId | null;
}

export interface TopicReading {
  readonly setting: Setting;
  /** To go on comes first, a new topic second. */
  readonly choices: readonly TopicChoice[];
  readonly material: Material;
}

/** The vectors of a question: of the message, and of each choice's topic. */
export interface Material {
  readonly message: Embedding | null;
  readonly topics: readonly (TopicVectors | null)[];
}

/** The choices open to a message and their features. Going on is the choice of score zero: it has none. */
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

/** The same with what embeddings say of the choices, as far as there are any. */
export const withAffinity = <R extends Pick<TopicReading, 'choices' | 'material'>>(
  reading: R,
  affinity: Affinity,
): R => {
  const { message: embedding, topics } = reading.material;
  if (embedding?.embedder !== affinity.embedder) return reading;
  const message = embedding.vector;
  const all = topics.map((topic) => (topic === null ? null : goesWith(affinity, message, topic)));
  const here = all[0] ?? 0;
  const most = Math.max(...all.filter((one) => one !== null));
  const alone = standsAlone(affinity, message);
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
