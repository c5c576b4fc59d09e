import type { TreeId } from '../../domain/forest.ts';
import type { TopicQuestion } from '../../engine/ports.ts';
import { messageFeatures } from './embedded-decider-message.ts';
import { type Setting, settingOf } from './embedded-decider-setting.ts';
import { targetFeatures } from './embedded-decider-target.ts';
import type { TextReader } from './embedded-decider-texts.ts';
import { type Choice, prefixed } from './linear-choice.ts';

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
export const readTopicQuestion = (question: TopicQuestion, reader: TextReader): TopicReading => {
  const setting = settingOf(question, reader);
  const message = messageFeatures(setting);
  const leaving = prefixed('switch', message);
  const choices: TopicChoice[] = [
    { action: 'continue-topic', target: setting.active?.treeId ?? null, features: {} },
    { action: 'create-topic', target: null, features: prefixed('create', message) },
  ];
  for (const topic of setting.others) {
    const features = targetFeatures(setting, topic);
    choices.push({ action: 'switch-topic', target: topic.treeId, features, common: leaving });
  }
  return { setting, choices };
};
