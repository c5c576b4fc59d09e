import { expect, test } from 'vitest';
import { nodeOf } from '../domain/queries.ts';
import { knownParameters } from './parameters.ts';
import { bareHost } from './testing/bare-host.ts';
import { plainModels } from './testing/plain-models.ts';

test('a trace names the version of the settings and what differs from the shipped ones', async () => {
  const host = bareHost({}, { version: 3, parameters: { k: 2, sureFrom: 0.65 }, prompts: { topic: 'Sort this.' } });
  const nodeId = await host.send('good morning');
  expect(nodeOf(host.life.forest, nodeId).decision.trace?.settings).toEqual({
    version: 3,
    parameters: { k: 2 },
    prompts: ['topic'],
    reconsiders: true,
  });
});

test('of a trace of another version, only those settings count that there are here', () => {
  const parameters = {
    k: 2,
    theta: null,
    sureFrom: null,
    fittedNeed: 'more',
    patience: true,
    contextBudget: 90,
    depth: 4,
  };
  expect(knownParameters({ version: 3, parameters, prompts: [] })).toEqual({ k: 2, theta: null, contextBudget: 90 });
  expect(knownParameters(undefined)).toEqual({});
});

test('the person’s own prompts go with the questions that they are for', async () => {
  const told: (string | undefined)[] = [];
  const { decide, summarise } = plainModels();
  const host = bareHost(
    {
      decide: {
        ...decide,
        topic: (question, signal) => {
          told.push(question.instructions);
          return decide.topic(question, signal);
        },
      },
      summarise: {
        ...summarise,
        summarise: (turn, signal) => {
          told.push(turn.instructions);
          return summarise.summarise(turn, signal);
        },
        title: (turn, signal) => {
          told.push(turn.instructions);
          return summarise.title(turn, signal);
        },
      },
    },
    { prompts: { topic: 'Sort this.', summary: 'Shorten this.' } },
  );
  await host.send('good morning');
  await host.send('and now?');
  // The topic is also titled after its second turn.
  expect(told).toEqual(['Shorten this.', undefined, 'Sort this.', 'Shorten this.', undefined]);
});
