import type { TreeId } from '../../domain/forest.ts';
import type { TopicQuestion, TopicView } from '../../engine/ports.ts';
import type { Choice, Features } from './boosted-choice.ts';
import { messageFeatures } from './embedded-decider-message.ts';
import { type Setting, settingOf } from './embedded-decider-setting.ts';
import { targetFeatures } from './embedded-decider-target.ts';
import type { TextReader } from './embedded-decider-texts.ts';
import { type KindAxes, kindOf } from './kind-axes.ts';

/** A way to answer the topic question. `target` is null for a new topic. */
export interface TopicChoice extends Choice {
  readonly action: 'create-topic' | 'switch-topic' | 'continue-topic';
  readonly target: TreeId | null;
}

export interface TopicReading {
  readonly setting: Setting;
  /** To go on comes first, a new topic second. */
  readonly choices: readonly TopicChoice[];
}

/** The choices open to a message and their features. Going on is the choice of score zero: it has none. */
export const readTopicQuestion = (question: TopicQuestion, reader: TextReader, axes: KindAxes): TopicReading => {
  const setting = settingOf(question, reader);
  const { nearestOther, latestOther, largest, others } = setting;
  const common = Object.assign(messageFeatures(setting), kindOf(axes, question.embedding));
  const targets = new Map(others.map((topic) => [topic, targetFeatures(setting, topic)]));
  const featuresOf = (topic: TopicView | undefined): Features => (topic && targets.get(topic)) ?? {};
  const beside = { nearest: featuresOf(nearestOther), latest: featuresOf(latestOther), largest: featuresOf(largest) };
  const choices: TopicChoice[] = [
    { action: 'continue-topic', target: setting.active?.treeId ?? null, features: {} },
    { action: 'create-topic', target: null, features: {}, common, beside },
  ];
  for (const [topic, features] of targets) {
    choices.push({ action: 'switch-topic', target: topic.treeId, features, common });
  }
  return { setting, choices };
};
