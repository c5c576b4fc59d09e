import { expect, test } from 'vitest';
import type { ModelChoice, Offer, StoredModel } from './model-control.ts';
import { noChoice, plainApp } from './testing/plain-app.ts';

const offer = (key: string, parts: Partial<Offer> = {}): Offer => ({
  key,
  name: key,
  runtime: 'webllm',
  roles: ['chat'],
  about: '',
  downloadBytes: 1000,
  memoryBytes: null,
  speed: null,
  licence: null,
  unfit: null,
  own: false,
  leavesFor: null,
  ...parts,
});

/** Chooses a persona with this model; returns what was loaded for it, and what was said. */
const chosenWith = async (one: Offer, stored: readonly Omit<StoredModel, 'key' | 'name'>[] = []) => {
  const chosen: ModelChoice[] = [];
  const app = await plainApp(undefined, {
    modelControl: {
      ...noChoice,
      offers: async () => [one],
      stored: async () => stored.map((files) => ({ key: one.key, name: one.name, ...files })),
      choose: async (_, choice) => void chosen.push(choice),
    },
  });
  const model = { key: one.key, name: one.name };
  const persona = { id: 'p', name: 'Reviewer', instructions: '', temperature: null, model };
  await app.actions.changePersonas((now) => ({ ...now, all: [...now.all, persona] }));
  await app.actions.choosePersona('p');
  return { loads: chosen.length > 0, says: app.store.getState().notice?.text };
};

const MISSING = { loads: false, says: 'm, which Reviewer uses for replies, is not downloaded.' };

test('a persona takes its model if all of that is here', async () => {
  expect(await chosenWith(offer('m'), [{ bytes: 1000, total: 1000 }])).toMatchObject({ loads: true });
  expect(await chosenWith(offer('m', { runtime: 'server', downloadBytes: null }))).toMatchObject({ loads: true });
  expect(await chosenWith(offer('m', { runtime: 'prompt-api', downloadBytes: 0 }))).toMatchObject({ loads: true });
});

test('a persona downloads nothing unasked: neither what is missing, nor the rest of it, nor the browser’s own model', async () => {
  expect(await chosenWith(offer('m'))).toEqual(MISSING);
  expect(await chosenWith(offer('m'), [{ bytes: 600, total: 1000 }])).toEqual(MISSING);
  // Broken off before its size was known, or before its other files were begun.
  expect(await chosenWith(offer('m'), [{ bytes: 600, total: null }])).toEqual(MISSING);
  expect(await chosenWith(offer('m'), [{ bytes: 20, total: 20 }])).toEqual(MISSING);
  expect(await chosenWith(offer('m', { runtime: 'prompt-api', downloadBytes: null }))).toEqual(MISSING);
});
