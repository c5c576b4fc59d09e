import { CUES } from '../../engine/place/cues.ts';
import type { NodeView } from '../../engine/ports.ts';
import { asksForKnowledge, asksInGeneral, isAct } from './embedded-decider-kinds.ts';
import {
  newWords,
  overlapWith,
  ownOverlapWith,
  pointedAt,
  replyOverlapWith,
  share,
} from './embedded-decider-overlap.ts';
import type { Setting } from './embedded-decider-setting.ts';
import { common } from './embedded-decider-texts.ts';

/** Similarity below which a message is far from a topic, and above which it is close: near the quartiles over the labelled sets. */
const FAR = 0.3;
export const CLOSE = 0.5;
/** Content words from which a message counts as long. */
const MANY_WORDS = 12;
/** Content words up to which a reference back is all that a message says. */
const FEW_WORDS = 1;

/** What can be said of leaving the active topic, whichever topic it is left for. */
export const messageFeatures = (setting: Setting): Record<string, number> => {
  const { question, reader, cues, words, active, others, nearestOther, largest } = setting;
  const { message, path, recent } = question;
  const tip = path.at(-1);
  const tipTexts = tip === undefined ? undefined : reader.turn(tip.node);
  const near = active?.similarity ?? 0;
  const nearOther = nearestOther?.similarity ?? 0;
  const alone = active?.size === 1 ? 1 : 0;
  const pointed = pointedAt(setting, active);
  const unheard = newWords(setting);
  const length = wordsIn(message);
  const inGeneral = is(asksInGeneral(cues));
  const knowledge = is(asksForKnowledge(cues));
  const acts = is(isAct(cues));
  const tipInGeneral = is(tipTexts !== undefined && asksInGeneral(tipTexts.cues));
  const lately = recent.map(({ node }) => reader.turn(node).cues);
  const recentActs = mean(lately.map((of) => is(isAct(of))));
  const recentlyAsked = mean(lately.map((of) => is(of.has('asks for knowledge'))));
  const changes = changeRate(recent);

  const listed = active === undefined ? others : [active, ...others];
  const features: Record<string, number> = {
    'log words': length,
    'content words': Math.min(words.size, MANY_WORDS) / MANY_WORDS,
    'no content': is(words.size === 0),
    'short reference': is(cues.has('refers back') && words.size <= FEW_WORDS),

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
    'reply closes': is(tipTexts?.replyCloses),
    'tip overlap': share(tipTexts === undefined ? 0 : common(words, tipTexts.words).length, words),
    'active overlap': overlapWith(setting, active),
    'active own overlap': ownOverlapWith(setting, active),
    'active reply overlap': replyOverlapWith(setting, active),
    'new words': unheard,
    'pointed at': pointed,

    'active size': Math.log1p(active?.size ?? 0),
    'active alone': alone,
    'active alone, others': others.length > 0 ? alone : 0,
    'active is largest': is(largest === active),
    'others open': is(others.length > 0),
    'topics open': Math.log1p(others.length),
    'rate of changes': changes,
    'turns since a change': Math.log1p(turnsSinceChange(recent)),
    'longer than usual': length - mean(recent.map(({ node }) => wordsIn(node.message))),
    'tip against recent': (tip?.similarity ?? 0) - mean(recent.map(({ similarity }) => similarity)),
    'recent acts': recentActs,
    'recent acts, near': recentActs * near,
    'recently asked': recentlyAsked,
    task: is(setting.task),

    english: is(setting.language === 'en' || setting.language === null),
    'words written': Math.log1p(setting.matches.terms.length),
    weight: Math.min(setting.matches.weight, 12),
    unheard: setting.matches.unheard,
    'unheard pieces': setting.matches.unheardPieces,
    'unheard weight': Math.min(setting.matches.unheard * setting.matches.weight, 12),
    'most heard': Math.max(0, ...setting.matches.of.map(({ sum }) => sum)),
    'most pieces heard': Math.max(0, ...setting.matches.of.map(({ pieces }) => pieces)),
    'highest similarity': Math.max(0, ...listed.map((one) => Math.max(one.similarity, one.replySimilarity))),

    'in general': inGeneral,
    'in general, changes': inGeneral * changes,
    'in general, near': inGeneral * near,
    'in general, new words': inGeneral * unheard,
    'in general, alone': inGeneral * alone,
    'in general, long': inGeneral * length,
    'in general, refers back': inGeneral * is(cues.has('refers back')),
    'in general, pointed at': inGeneral * pointed,
    'in general, own': inGeneral * is(cues.has('tells of oneself')),
    'in general, names the work': inGeneral * is(cues.has('names the work')),
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
    'seeks, new words': is(cues.has('seeks')) * unheard,
    'seeks, near': is(cues.has('seeks')) * near,
    'asks, near': is(cues.has('asks')) * near,
    'tip in general': tipInGeneral,
    'tip asks': is(tipTexts?.cues.has('asks')),
    'reply asks': is(tipTexts?.replyAsks),
  };
  for (const cue of CUES) features[cue] = is(cues.has(cue));
  return features;
};

export const is = (holds: boolean | undefined): number => (holds === true ? 1 : 0);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Logarithm of the number of words, from 0 for none. */
const wordsIn = (message: string): number => Math.log1p(message.split(/\s+/).length);

/** How many of the last turns are in the topic of the very last. */
const turnsSinceChange = (recent: readonly NodeView[]): number => {
  const treeId = recent.at(-1)?.node.treeId;
  const change = recent.findLastIndex(({ node }) => node.treeId !== treeId);
  return recent.length - 1 - change;
};

/** How often the last turns changed the topic, 0–1. */
const changeRate = (recent: readonly NodeView[]): number => {
  if (recent.length < 2) return 0;
  const changes = recent.filter(({ node }, at) => at > 0 && node.treeId !== recent[at - 1]?.node.treeId).length;
  return changes / (recent.length - 1);
};
