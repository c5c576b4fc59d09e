import { expect, test } from 'vitest';
import { countingChat } from '../engine/testing/plain-models.ts';
import { plainApp } from './testing/plain-app.ts';

test('the language of the open conversation is known once enough was said in it', async () => {
  const { store, actions } = await plainApp(countingChat());
  const language = () => store.getState().language;
  await actions.send('hola');
  expect(language()).toBeNull();
  await actions.send('¿cuánto tiempo tengo que cocer los huevos para la ensalada?');
  await expect.poll(language).toBe('es');
  await actions.newConversation();
  await expect.poll(language).toBeNull();
});

test('the embedder that answers says which languages it knows', async () => {
  const { actions } = await plainApp(countingChat());
  expect(actions.embedderNow()).toMatchObject({ name: 'bag of words', languages: null });
});
