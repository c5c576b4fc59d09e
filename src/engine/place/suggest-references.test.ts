import { expect, test } from 'vitest';
import { nodeOf } from '../../domain/queries.ts';
import { bareHost } from '../testing/bare-host.ts';

const suggestedBy = async (...messages: string[]) => {
  const host = bareHost();
  let id = '';
  for (const message of messages) id = await host.send(message);
  const { references = [] } = nodeOf(host.life.forest, id).decision.trace ?? {};
  return references.map(({ nodeId }) => nodeOf(host.life.forest, nodeId).message);
};

test('a turn of another topic that the message points at is suggested', async () => {
  expect(
    await suggestedBy('#trip visa for japan', '#work plan a work trip', 'as we said about the visa for japan'),
  ).toEqual(['#trip visa for japan']);
});

test('so is one that was said earlier', async () => {
  const said = ['#trip visa for japan', '#work plan a work trip'];
  expect(await suggestedBy(...said, 'you said earlier visa for japan')).toEqual([said[0]]);
});

test('a typographic apostrophe, and another language, point at it too', async () => {
  const said = ['#trip visa for japan', '#work plan a work trip'];
  expect(await suggestedBy(...said, 'which we’ve agreed for the visa for japan')).toEqual([said[0]]);
  const gesagt = ['#reise das visum für japan ist schon da', '#arbeit die neuen möbel sind noch nicht gekommen'];
  expect(await suggestedBy(...gesagt, 'wie vorhin besprochen das visum für japan')).toEqual([gesagt[0]]);
});

test.each([
  ['words that point at nothing nearer than the path', 'as we said about the work trip'],
  ['a message that points at nothing', 'visa for japan'],
  ['words that ask for an earlier time', 'is there an earlier visa for japan'],
  ['words that point at nothing that was said', 'as we said about mushrooms'],
])('%s suggest none', async (_, message) => {
  expect(await suggestedBy('#trip visa for japan', '#work plan a work trip', message)).toEqual([]);
});
