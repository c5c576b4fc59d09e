import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { recordsOf } from '../../domain/table.ts';
import type { Decider } from '../../engine/ports.ts';
import { createEmbeddedDecider } from '../../models/embedded/embedded-decider.ts';
import { createPersonalLayer } from '../../models/embedded/personal/learner.ts';
import { modelsFromDisk } from '../../models/embedded/testing/models-from-disk.ts';
import { alwaysContinue, createWhatIfDeciders } from '../../models/embedded/what-if-deciders.ts';
import { goldOf } from './adjudicate.ts';
import { withoutEngine } from './author.ts';
import {
  ENGINE_DECIDERS,
  engineLabels,
  engineLabelsOf,
  enginePersonName,
  findTrainingDialogues,
  isEmbedded,
  lessonCount,
  replaceLessonsOf,
} from './engine-person.ts';
import type { Study } from './study.ts';
import { packStudy, readPackage } from './study-package.ts';
import { lessonsOfGold } from './teach-gold.ts';
import { eventsBy, smallStudy } from './testing/small-study.ts';

const fromDisk = await modelsFromDisk();

const realKernel = async (ports: Parameters<typeof plainApp>[1] = {}) => {
  const learner = createPersonalLayer();
  const models = { ...fromDisk, decide: createEmbeddedDecider(undefined, learner) };
  const app = await plainApp(models.chat, {
    models: () => models,
    embedded: models,
    learner,
    rerunDeciders: async () => createWhatIfDeciders(),
    ...ports,
  });
  return { app, kernel: await app.part((kernel) => kernel) };
};

const watch = { progress: () => undefined, breathe: async () => undefined, signal: new AbortController().signal };

test('every decider labels every turn, each under the one that it says', async () => {
  const { kernel } = await realKernel();
  const trip = smallStudy().dialogues[1];
  if (trip === undefined) throw new Error('the study has a trip');
  for (const { decider } of ENGINE_DECIDERS) {
    const labels = await engineLabels(kernel, smallStudy(), trip, { decider, policy: 'context-agent' }, watch);
    expect(labels).toHaveLength(8);
    expect(labels[0]).toMatchObject({ placement: 'create-topic', parent: 'new-topic' });
    for (const [turn, label] of labels.entries()) {
      expect(label?.placement === 'create-topic').toBe(label?.parent === 'new-topic');
      if (typeof label?.parent === 'number') expect(label.parent).toBeLessThan(turn);
    }
  }
  const silent = { ...trip, turns: [...trip.turns, { user: '  ', assistant: '' }] };
  expect(
    (await engineLabels(kernel, smallStudy(), silent, { decider: 'paper-rule', policy: 'focused' }, watch))[8],
  ).toBeNull();
});

test('a dialogue that it was trained on is labelled by one that was not', async () => {
  const study = smallStudy();
  const [first, trip] = study.dialogues;
  if (first === undefined || trip === undefined) throw new Error('the study has two dialogues');
  const opening = trip.turns[0]?.user ?? '';
  const { kernel } = await realKernel({
    heldOutDeciders: async (messages) =>
      messages.includes(opening) ? { ...createWhatIfDeciders(), taught: async () => alwaysContinue } : null,
  });
  expect(await findTrainingDialogues(kernel, study.dialogues)).toEqual([trip]);
  const person = { decider: 'embedded-untaught', policy: 'focused' } as const;
  const labels = await engineLabelsOf(kernel, study, [first, trip], person, watch);
  expect(labels.get(trip.id)?.[1]?.by).toBe('always-continue');
  expect(labels.get(first.id)?.[1]?.by).not.toBe('always-continue');
});

test('a turn is labelled by its message, as people label it, not by a reply that they do not see', async () => {
  const moving: Decider = {
    ...alwaysContinue,
    reconsider: async ({ message }) => {
      const answer = await alwaysContinue.topic(message);
      return { ...answer, action: 'create-topic', target: null, confidence: 1 };
    },
  };
  const [, trip] = smallStudy().dialogues;
  if (trip === undefined) throw new Error('the study has a trip');
  const { kernel } = await realKernel({
    heldOutDeciders: async () => ({ ...createWhatIfDeciders(), taught: async () => moving }),
  });
  const person = { decider: 'embedded-untaught', policy: 'focused' } as const;
  const labels = await engineLabels(kernel, smallStudy(), trip, person, watch);
  expect(labels.map((label) => label?.parent)).toEqual(['new-topic', 0, 1, 2, 3, 4, 5, 6]);
});

test('the embedded decider is known by its name among people, and no other model is taken for it', () => {
  const named = ENGINE_DECIDERS.filter(({ title }) => isEmbedded(`${title}, focused`));
  expect(named.map(({ decider }) => decider)).toEqual(['embedded-untaught', 'embedded-taught']);
  expect(isEmbedded('chosen decider (embedded decider), focused')).toBe(true);
  expect(isEmbedded('chosen decider (embedded-tiny-1b), focused')).toBe(false);
});

test('the chosen decider is another person if another model is asked where it is unsure', async () => {
  const nameWith = async (models: { readonly consult?: Decider }) => {
    const { kernel } = await realKernel({ models: () => ({ ...fromDisk, ...models }) });
    return enginePersonName(kernel, { decider: 'chosen', policy: 'focused' });
  };
  expect(await nameWith({})).toBe('chosen decider (embedded decider), focused');
  const name = await nameWith({ consult: alwaysContinue });
  expect(name).toBe('chosen decider (embedded decider, and always-continue where it is unsure), focused');
  expect(isEmbedded(name)).toBe(true);
});

test('what the engine was asked is in the package of who is assisted, and nothing of it in that of who labels blind', async () => {
  const { kernel } = await realKernel();
  const study: Study = { ...smallStudy(), mode: 'assisted' };
  expect(withoutEngine(study)).toHaveLength(3);
  const labels = await engineLabelsOf(
    kernel,
    study,
    study.dialogues,
    { decider: 'embedded-untaught', policy: 'focused' },
    watch,
  );
  const dialogues = study.dialogues.map((one) => ({ ...one, engine: labels.get(one.id) }));
  const asked = { ...study, dialogues };
  expect(withoutEngine(asked)).toEqual([]);
  const seen = readPackage(packStudy(asked, 'annotator')).study.dialogues;
  expect(seen.map(({ engine }) => engine)).toEqual(dialogues.map(({ engine }) => engine));
  expect(seen.map(({ engine }) => engine?.length)).toEqual([3, 8, 4]);
  const by = labels.get('trip')?.[1]?.by ?? 'nobody';
  for (const bytes of Object.values(unzipSync(packStudy({ ...asked, mode: 'blind' }, 'annotator')))) {
    expect(strFromU8(bytes)).not.toContain('"engine"');
    expect(strFromU8(bytes)).not.toContain('confidence');
    expect(strFromU8(bytes)).not.toContain(`"${by}"`);
  }
});

test('the decider as it ships says of a dialogue what it does when that is played', async () => {
  const { app, kernel } = await realKernel();
  app.store.subscribe(({ replay }) => {
    if (replay !== null && replay.pause > 0) app.actions.setReplayPause(0);
  });
  for (const dialogue of smallStudy().dialogues) {
    const turns = dialogue.turns.map(({ user, assistant }) => ({ message: user, reply: assistant }));
    await app.actions.replay({ title: dialogue.name, turns });
    const { nodes } = app.store.getState().forest;
    const played = recordsOf(nodes)
      .toSorted((a, b) => a.number - b.number)
      .map(({ parentId }) => (parentId === null ? 'new-topic' : (nodes[parentId]?.number ?? 0) - 1));
    const person = { decider: 'embedded-untaught', policy: 'focused' } as const;
    const labels = await engineLabels(kernel, smallStudy(), dialogue, person, watch);
    expect(labels.map((label) => label?.parent)).toEqual(played);
  }
});

test('gold makes lessons, once however often it is taught, and they can be forgotten by themselves', async () => {
  const { kernel } = await realKernel();
  const study = smallStudy();
  const gold = goldOf(study, [...eventsBy(study, 'Ann'), ...eventsBy(study, 'Ben')], 'blind');
  const lessons = await lessonsOfGold(kernel, study, gold, watch);
  expect(lessons.length).toBeGreaterThan(5);
  expect(lessons.every(({ choices, right }) => choices[right] !== undefined)).toBe(true);
  const own = { ...(lessons[0] as (typeof lessons)[number]), conversationId: 'chat' };
  await kernel.storage.replaceLessons([own]);
  await replaceLessonsOf(kernel.storage, study, lessons);
  await replaceLessonsOf(kernel.storage, study, lessons);
  expect(await lessonCount(kernel.storage, study)).toBe(lessons.length);
  await replaceLessonsOf(kernel.storage, study, []);
  expect(await kernel.storage.lessons()).toEqual([own]);
});
