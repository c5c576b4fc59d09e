import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Lesson } from '../../src/engine/lessons.ts';
import { loadGlossaries } from '../../src/engine/text/glossary.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/dialogues.ts';
import { textsInDialogue, type VectorOf } from '../../src/features/evaluate/measurement/embedded-texts.ts';
import type { GeneralQuestions, LabelledQuestion } from '../../src/models/embedded/personal/fit-lessons.ts';
import { shippedGeneral } from '../../src/models/embedded/personal/general-questions.ts';
import { createPersonalLayer } from '../../src/models/embedded/personal/learner.ts';
import { measuredHalf, readDataSets, shippedHalf } from '../dialogues-on-disk.ts';
import { embedAll } from '../vectors.ts';
import { generalFrom, heldOutLearner, lessonsOf } from './lessons.ts';
import { persons } from './persons.ts';
import { accuracyOf, type Life, live } from './simulate.ts';

/** Milliseconds for embedding several thousand messages for the first time on a busy machine. */
const EMBEDDING = 600_000;
/** What one person's habits may cost everyone else: one decision in a hundred, or two within one kind of dialogue. */
const COST = 0.01;
const COST_OF_A_KIND = 0.02;
/** The share by which fifty corrections must lower a person's later errors, for every habit that can be learned. */
const FEWER = 0.25;
/** Two decisions in five hundred may differ on another processor, where the last digits of a vector differ. */
const SLACK = 0.02;
/**
 * A person who splits topics finer has no words for it: other people continue with the same message, and nothing in it
 * tells the two apart. This habit only has to do no harm.
 */
const NOT_THERE_TO_LEARN = 'splits topics finer';

/** Share of the shipped questions that must be answered alike on any processor. */
const SAME = 0.98;

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const SAMPLES: Readonly<Record<string, number>> = { ntm: 30, sgd: 60, tiage: 40 };
const hasData = existsSync(DATA);

const sampled = async (): Promise<LabelledDialogue[]> => {
  const all = hasData ? await readDataSets(DATA) : [];
  return Object.entries(SAMPLES).flatMap(([set, count]) => all.filter((one) => one.set === set).slice(0, count));
};

describe('fifty corrections of a person with a habit', { timeout: EMBEDDING }, () => {
  const lives = new Map<string, Life>();
  const others = new Map<string, Lesson[]>();
  let general: GeneralQuestions;

  const learnerFor = heldOutLearner();
  const questionsOf = async (dialogues: readonly LabelledDialogue[], vectorOf: VectorOf): Promise<Lesson[]> => {
    const questions: Lesson[] = [];
    for (const dialogue of dialogues) questions.push(...(await lessonsOf(dialogue, vectorOf, learnerFor(dialogue))));
    return questions;
  };

  beforeAll(async () => {
    general = shippedGeneral();
    const dialogues = await measuredHalf();
    const data = await sampled();
    const all = [...dialogues, ...data, ...persons.flatMap(({ rewrite }) => dialogues.map(rewrite))];
    await loadGlossaries();
    const vectorOf = await embedAll(all.flatMap(textsInDialogue), () => undefined);
    for (const person of persons) {
      lives.set(person.name, await live(person, dialogues, general, vectorOf, createPersonalLayer()));
    }
    others.set('other people’s dialogues', await questionsOf(dialogues, vectorOf));
    for (const set of Object.keys(SAMPLES)) {
      others.set(
        set,
        await questionsOf(
          data.filter((one) => one.set === set),
          vectorOf,
        ),
      );
    }
  }, EMBEDDING);

  test.each(persons.map(({ name }) => name))('of one who %s bring on their later turns what is promised', (name) => {
    const { stages, later, corrections } = lives.get(name) as Life;
    expect(corrections).toBe(50);
    const errors = stages.map((weights) => 1 - accuracyOf(weights, later));
    const [before = 0, after = before] = [errors[0], errors.at(-1)];
    console.log(`${name}: errors ${errors.map(percent).join(', ')} of ${later.length} later decisions`);
    expect(1 - after / before).toBeGreaterThanOrEqual(name === NOT_THERE_TO_LEARN ? 0 : FEWER - SLACK);
  });

  test.each(persons.map(({ name }) => name))(
    'of one who %s cost other people’s conversations next to nothing',
    (name) => {
      expectLittleLost(name, others.get('other people’s dialogues') ?? [], COST);
    },
  );

  describe.skipIf(!hasData)(`in public sets (skipped where ${DATA} is absent)`, () => {
    const sets = Object.keys(SAMPLES);
    const questionsIn = (set: string): readonly Lesson[] => others.get(set) ?? [];
    test.each(persons.map(({ name }) => name))('of one who %s cost next to nothing', (name) => {
      for (const set of sets) expectLittleLost(`${name}, ${set}`, questionsIn(set), COST_OF_A_KIND, name);
      expectLittleLost(name, sets.flatMap(questionsIn), COST);
    });
  });

  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

  function expectLittleLost(what: string, questions: readonly Lesson[], most: number, name = what): void {
    expect(questions.length).toBeGreaterThan(100);
    const [before, after] = [accuracyOf({}, questions), accuracyOf(lives.get(name)?.weights ?? {}, questions)];
    console.log(`${what}: ${percent(before)} → ${percent(after)} of ${questions.length}`);
    expect(before - after).toBeLessThanOrEqual(most);
  }
});

test('the shipped general questions are those of the shipped decider: else run npm run compile-general', {
  timeout: EMBEDDING,
}, async () => {
  const dialogues = await shippedHalf();
  const messages = dialogues.flatMap(({ turns }) => turns.map(({ message }) => message));
  await loadGlossaries();
  const vectorOf = await embedAll(dialogues.flatMap(textsInDialogue), () => undefined);
  const questions: Lesson[] = [];
  for (const dialogue of dialogues) questions.push(...(await lessonsOf(dialogue, vectorOf, createPersonalLayer())));
  const now = generalFrom(questions, messages);
  const shipped = shippedGeneral();
  expect(shipped.wordings).toEqual(now.wordings);
  expect(shipped.questions.length).toBe(now.questions.length);
  const answerOf = ({ choices }: LabelledQuestion) =>
    choices.findIndex(({ base }) => base === Math.max(...choices.map((one) => one.base)));
  const same = shipped.questions.filter((one, at) => answerOf(one) === answerOf(now.questions[at] as LabelledQuestion));
  expect(same.length / now.questions.length).toBeGreaterThan(SAME);
});
