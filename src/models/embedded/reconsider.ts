import { indicator } from '../../domain/numbers.ts';
import { once } from '../../engine/tasks.ts';
import { type Features, type Model, type PackedModel, unpackModel } from './boosted-trees.ts';
import type { TopicChoice, TopicReading } from './topic-features.ts';

/**
 * Asks the topic question again once the reply is there: a reply names what its message only hints at. Uses the probabilities that
 * the message alone gave the answers, how the message relates to the topics, and how the reply relates to them as if it were the
 * message.
 */

/** Probabilities are reported to three decimals: one below this is as good as none. */
const LEAST = 1e-3;

/** Features that say how a text relates to topics. */
const STANDING = /^match|^subject|simil|overlap/;
/** Features of kinds of messages, which do not apply to a reply. */
const OF_MESSAGES = /general|acts|kind|knowledge|cues?\b/;

/** Returns the answers open to the message, with what the reply says about them. `chances`: of the message's own choices, in order. */
export const choicesWithReply = (
  message: TopicReading,
  chances: readonly number[],
  reply: TopicReading,
): TopicChoice[] => {
  const chanceOf = new Map(message.choices.map((choice, at) => [keyOf(choice), chances[at] ?? 0]));
  const ofMessage = new Map(message.choices.map((choice) => [keyOf(choice), choice]));
  const ofReply = new Map(reply.choices.map((choice) => [keyOf(choice), choice]));
  const oddsOf = (key: string): number => Math.log(Math.max(LEAST, chanceOf.get(key) ?? 0));
  const [here = '', fresh = ''] = message.choices.map(keyOf);
  const likeliest = Math.max(...chances);
  return [...new Set([...ofMessage.keys(), ...ofReply.keys()])].flatMap((key): TopicChoice[] => {
    const [said, replied] = [ofMessage.get(key), ofReply.get(key)];
    const choice = said ?? replied;
    if (choice === undefined) return [];
    const { action, target } = choice;
    if (action === 'continue-topic') return [{ action, target, features: {} }];
    return [
      {
        action,
        target,
        features: {
          'alone, in odds': oddsOf(key),
          'alone, here': oddsOf(here),
          'alone, new': oddsOf(fresh),
          'alone, likeliest': indicator((chanceOf.get(key) ?? 0) === likeliest),
          'alone, over here': oddsOf(key) - oddsOf(here),
          ...named('reply', replied?.features, () => true),
          ...beside('reply', replied),
          ...named('reply all', replied?.common, (name) => !OF_MESSAGES.test(name)),
          ...named('message', said?.features, (name) => STANDING.test(name)),
          ...beside('message', said),
        },
      },
    ];
  });
};

const keyOf = ({ action, target }: Pick<TopicChoice, 'action' | 'target'>): string => `${action} ${target}`;

const named = (prefix: string, features: Features | undefined, wanted: (name: string) => boolean): Features => {
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(features ?? {})) if (wanted(name)) found[`${prefix}: ${name}`] = value;
  return found;
};

const beside = (prefix: string, choice: TopicChoice | undefined): Features =>
  Object.assign(
    {},
    ...Object.entries(choice?.beside ?? {}).map(([part, features]) =>
      named(`${prefix}: ${part}`, features, (name) => STANDING.test(name)),
    ),
  );

/** The shipped trees, loaded when the first reply is there. */
export const shippedReconsidering = once(
  async (): Promise<Model> => unpackModel((await import('./reconsider-weights.json')).default as PackedModel),
);
