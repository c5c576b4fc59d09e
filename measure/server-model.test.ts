import { afterEach, expect, test } from 'vitest';
import { contextAgentCode } from '../src/engine/context/policies/context-agent-code.ts';
import type { LabelledDialogue, LabelledTurn } from '../src/features/evaluate/datasets/dialogues.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import { subjectsNamed, UnknownSubject } from '../src/features/evaluate/measurement/subjects.ts';
import { type OpenAiServer, startOpenAiServer } from '../src/models/runtimes/server/testing/open-ai-server.ts';
import { promptedSubject } from './server-model.ts';

let server: OpenAiServer;
afterEach(() => server.close());

const turn = (message: string, parent: number | null): LabelledTurn => ({
  message,
  reply: null,
  parent,
  disputed: false,
});
const dialogue: LabelledDialogue = {
  set: 'made-up',
  id: 'one',
  group: 'one',
  labels: 'parents',
  turns: [turn('Trams in Lisbon', null), turn('And the fare?', 0), turn('Write a parser', null), turn('In Rust', 2)],
};
const vectorOf = (text: string): Float32Array =>
  Float32Array.from([1, text.length % 7, text.length % 5]).map((x) => x / 9);

test('a model at a server places turns, and its useless answers are counted where the learned decider stands in', async () => {
  const none = 'I do not know.';
  const answers = ['{"action":"continue","target":0}', '{"action":"create","target":0}', none, none];
  server = await startOpenAiServer({ answer: () => answers.shift() ?? '{"action":"continue","target":0}' });
  const { placing, summary } = await promptedSubject(server.address, 'small-model', '');
  const { records, placed } = await placeDialogue('made-up', dialogue, placing, 'teacher-forced', vectorOf);
  expect(records.slice(0, 2).map(({ predicted }) => predicted.topic)).toEqual(['continue-topic', 'create-topic']);
  expect(placed[1]?.decision?.trace?.topic.answer?.prompt?.[1]?.content).toContain('And the fare?');
  expect(placed[3]?.decision?.trace?.topic.answer?.decider).not.toContain('small-model');
  expect(summary()).toMatch(
    /small-model .*: \d+ questions, 1 answer of no use \(nonsense 1\), where learned stood in\.$/,
  );
});

test('under the published code it is asked a question a path, and the first yes wins', async () => {
  server = await startOpenAiServer({ answer: '{"answer":"no"}' });
  const { placing, summary } = await promptedSubject(server.address, 'small-model', '');
  const byPath = { ...placing, policy: contextAgentCode };
  const { records, placed } = await placeDialogue('made-up', dialogue, byPath, 'teacher-forced', vectorOf);
  expect(records.map(({ predicted }) => predicted.topic)).toEqual(['create-topic', 'create-topic', 'create-topic']);
  const asked = placed[3]?.decision?.trace?.topic.paths ?? [];
  // Two topics with one path each.
  expect(asked.map(({ yes, decider }) => [yes, decider.includes('small-model')])).toEqual([
    [false, true],
    [false, true],
  ]);
  // One path at the second and third turns, two at the fourth.
  expect(summary()).toMatch(/: 4 questions, every answer was of use\.$/);
});

test('where an answer about a path is of no use, the learned decider says whether it goes on there', async () => {
  server = await startOpenAiServer({ answer: 'perhaps' });
  const { placing, summary } = await promptedSubject(server.address, 'small-model', '');
  const byPath = { ...placing, policy: contextAgentCode };
  const { placed } = await placeDialogue('made-up', dialogue, byPath, 'teacher-forced', vectorOf);
  expect(placed[1]?.decision?.trace?.topic.answer?.decider).not.toContain('small-model');
  expect(summary()).toMatch(/\(nonsense \d\), where learned stood in\.$/);
});

test('a server that fails ends the measurement, and says why', async () => {
  server = await startOpenAiServer();
  const { placing } = await promptedSubject(server.address, 'small-model', '');
  server.fail({ kind: 'status', status: 401 });
  const placed = placeDialogue('made-up', dialogue, placing, 'teacher-forced', vectorOf);
  await expect(placed).rejects.toThrow(/prompted failed at turn 2 of made-up one: .*requires a key/);
  await expect(promptedSubject(server.address, 'other', '')).rejects.toMatchObject({ kind: 'not-found' });
});

test('a connection that broke is tried once more', async () => {
  server = await startOpenAiServer({ answer: '{"action":"continue","target":0}' });
  const { placing, summary } = await promptedSubject(server.address, 'small-model', '');
  server.fail({ kind: 'reset' });
  await placeDialogue('made-up', dialogue, placing, 'teacher-forced', vectorOf);
  expect(summary()).toMatch(/every answer was of use\.$/);
});

test('it is a subject only where there is a server', async () => {
  server = await startOpenAiServer();
  const { placing } = await promptedSubject(server.address, 'small-model', '');
  expect(() => subjectsNamed(['prompted'], [])).toThrow(UnknownSubject);
  expect(subjectsNamed(['prompted'], ['full-history'], [placing]).placings).toEqual([placing]);
  const named = subjectsNamed(['prompted'], ['context-agent-code'], [placing]).placings;
  expect(named.map(({ subject, policy }) => [subject, policy.name])).toEqual([
    ['prompted', 'context-agent'],
    ['context-agent-code', 'context-agent-code'],
    ['prompted, context-agent-code', 'context-agent-code'],
  ]);
});
