import type { NodeView, TopicView } from '../../engine/ports.ts';
import type { Features } from './boosted-choice.ts';
import type { Setting } from './embedded-decider-setting.ts';

/*
 * How near the message is to what was replied. A short follow-up ("what about the second one?") is often nearer to the
 * reply it takes up than to any message. Where there is no reply to compare with, a feature is left out: that is
 * another thing than a reply that is far away.
 */

/** Of leaving the active topic, whichever topic it is left for. */
export const replyFeatures = ({ question, active, nearestOther }: Setting): Features => {
  const features: Record<string, number> = {};
  const tip = question.path.at(-1);
  const toTip = nearness(tip?.replySimilarity);
  if (tip !== undefined && toTip !== null) {
    features['tip reply similarity'] = toTip;
    features['tip reply ahead'] = toTip - tip.similarity;
  }
  const toActive = nearness(active?.replySimilarity);
  const toOther = nearness(nearestOther?.replySimilarity);
  if (toActive !== null) features['active reply similarity'] = toActive;
  if (toActive !== null && toOther !== null) features['nearest other reply ahead'] = toOther - toActive;
  return features;
};

/** Of returning to this topic rather than to another. */
export const targetReplyFeatures = ({ active, others }: Setting, topic: TopicView): Features => {
  const features: Record<string, number> = {};
  const toTip = nearness(topic.activeReplySimilarity);
  if (toTip !== null) features['target tip reply similarity'] = toTip;
  const toTopic = nearness(topic.replySimilarity);
  if (toTopic === null) return features;
  const rivals = others.filter((other) => other !== topic).map((other) => other.replySimilarity ?? 0);
  const toActive = nearness(active?.replySimilarity);
  const best = Math.max(toTopic, topic.similarity);
  features['target reply similarity'] = toTopic;
  features['target reply ahead of others'] = toTopic - Math.max(0, ...rivals);
  features['target turn or reply similarity'] = best;
  features['target turn or reply ahead of active'] = best - Math.max(toActive ?? 0, active?.similarity ?? 0);
  if (toActive !== null) features['target reply ahead of active'] = toTopic - toActive;
  return features;
};

/** Of going on from this place rather than from the active node. */
export const placeReplyFeatures = (from: NodeView, tip: NodeView | undefined): Features => {
  const toPlace = nearness(from.replySimilarity);
  if (toPlace === null) return {};
  const toTip = nearness(tip?.replySimilarity) ?? 0;
  return {
    'reply similarity': toPlace,
    'reply ahead of the active turn': toPlace - toTip,
    'turn or reply ahead': Math.max(toPlace, from.similarity) - Math.max(toTip, tip?.similarity ?? 0),
  };
};

const nearness = (similarity: number | null | undefined): number | null => similarity ?? null;
