import type { Decider } from '../../engine/ports.ts';
import { loadGlossary } from '../../engine/text/glossary.ts';
import { type Choice, probabilitiesOf, scoresOf } from './boosted-choice.ts';
import { type DeciderWeights, shippedWeights } from './decider-weights.ts';
import { readBranchQuestion, withTurnAffinity } from './embedded-decider-branch.ts';
import { reasonsFor } from './embedded-decider-reasons.ts';
import { TextReader } from './embedded-decider-texts.ts';
import { readTopicQuestion, type TopicReading, withAffinity } from './embedded-decider-topic.ts';
import { branchWording, topicWording } from './embedded-decider-wording.ts';
import { DECIDER } from './embedded-names.ts';
import { type PersonalLayer, withLessons } from './personal/offsets.ts';

/**
 * Role `decide` without a language model: boosted trees over similarities, discourse cues and the shape of the
 * conversation score every choice that is open. About half a millisecond to decide; the same question always gives the
 * same answer.
 */
export const createEmbeddedDecider = (
  weights: () => Promise<DeciderWeights> = shippedWeights,
  personal?: PersonalLayer,
): Decider => {
  const reader = new TextReader();
  let known: DeciderWeights | null = null;
  const read = async (): Promise<DeciderWeights> => {
    known = await weights();
    return known;
  };
  return {
    name: DECIDER,
    ungated: true,
    get instant() {
      return known !== null;
    },
    topic: async (question, signal) => {
      signal?.throwIfAborted();
      const { topic: model, affinity } = known ?? (await read());
      await loadGlossary(question.spoken);
      const reading = withAffinity(readTopicQuestion(question, reader), affinity);
      const before = probabilitiesOf(leaving(reading, scoresOf(reading.choices, model), question.pause ?? 0));
      const { all, trace } = withLessons(reading.choices, before, personal?.topic(reading));
      const { chosen, other, confidence } = choose(reading.choices, all);
      const wording = topicWording(question, reading, chosen.target ?? other.target);
      return {
        action: chosen.action,
        target: chosen.target,
        confidence,
        alternatives: nextLikely(reading.choices, chosen, all).map(([{ action, target }, chance]) => ({
          action,
          target,
          confidence: chance,
        })),
        reasons: reasonsFor(chosen, other, model, reading.setting.cues, wording),
        raw: JSON.stringify(
          reading.choices.map(({ action, target }, at) => ({ action, target, p: rounded(all[at] ?? 0) })),
        ),
        decider: DECIDER,
        ...trace,
      };
    },
    branch: async (question, signal) => {
      signal?.throwIfAborted();
      const { branch: model, affinity } = known ?? (await read());
      const reading = withTurnAffinity(readBranchQuestion(question, reader), affinity);
      const { choices, cues } = reading;
      const { all, trace } = withLessons(choices, probabilitiesOf(scoresOf(choices, model)), personal?.branch(reading));
      const { chosen, other, confidence } = choose(choices, all);
      const place = question.places.find(({ from }) => from.nodeId === (chosen.point ?? other.point));
      return {
        action: chosen.action,
        ...(chosen.point === null ? {} : { point: chosen.point }),
        confidence,
        alternatives: nextLikely(choices, chosen, all).flatMap(([{ action, point }, chance]) => {
          const from = point ?? question.path.at(-1)?.nodeId;
          return from === undefined ? [] : [{ action, point: from, confidence: chance }];
        }),
        reasons: reasonsFor(chosen, other, model, cues, branchWording(question, place)),
        raw: JSON.stringify(choices.map(({ action, point }, at) => ({ action, point, p: rounded(all[at] ?? 0) }))),
        decider: DECIDER,
        ...trace,
      };
    },
  };
};

/**
 * Log-odds for going back to another topic, beside what was learned. A return that is missed costs more than one too many: what it
 * goes back to is not in the context.
 */
const RETURNING = 0.3;

/**
 * The same for a message that says in so many words that it goes back, to the topic that shares most of its words: “back to Lisbon: …”.
 * People seldom say so, too seldom for the trees to learn it, and then they mean it.
 */
const NAMED = { by: 1.5, words: /\b(?:back|return(?:ing)?) to\b/ };

/**
 * After a pause people come back for something else: log-odds for leaving, for every doubling of the hours, and at most. No set of
 * dialogues has times, so this is set by hand, small beside what a message says.
 */
const PAUSE = { perDoubling: 0.1, most: 0.5, from: 3_600_000 };

const leaving = (
  { choices, setting }: Pick<TopicReading, 'choices' | 'setting'>,
  scores: readonly number[],
  pause: number,
): number[] => {
  const goesBack = NAMED.words.test(setting.cues.get('returns') ?? '');
  const longer = Math.min(PAUSE.most, PAUSE.perDoubling * Math.max(0, Math.log2((pause + 1) / PAUSE.from)));
  return scores.map((score, at) => {
    const { action, features = {} } = choices[at] ?? {};
    if (action === 'continue-topic') return score;
    if (action === 'create-topic') return score + longer;
    const isNamed = goesBack && (features['match ahead'] ?? 0) > 0;
    return score + longer + RETURNING + (isNamed ? NAMED.by : 0);
  });
};

/** The likeliest choice, and the next likely one. The first choice, to go on, wins a tie. */
const choose = <C extends Choice>(choices: readonly C[], all: readonly number[]) => {
  const order = all.map((_, at) => at).sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0));
  const chosen = choices[order[0] ?? 0];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return { chosen, other: choices[order[1] ?? 0] ?? chosen, confidence: all[order[0] ?? 0] ?? 0 };
};

/** How many of the answers that were not chosen are told. */
const ALTERNATIVES = 3;
/** Least probability of an answer that is told. */
const LEAST = 0.01;

const nextLikely = <C extends Choice>(choices: readonly C[], chosen: C, all: readonly number[]): [C, number][] =>
  choices
    .map((choice, at): [C, number] => [choice, rounded(all[at] ?? 0)])
    .filter(([choice, chance]) => choice !== chosen && chance >= LEAST)
    .sort(([, a], [, b]) => b - a)
    .slice(0, ALTERNATIVES);

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
