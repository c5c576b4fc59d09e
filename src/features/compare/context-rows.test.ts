import { expect, test } from 'vitest';
import { POLICIES } from '../../engine/context/policies/policies.ts';
import { bareHost } from '../../engine/testing/bare-host.ts';
import { cellWords, contextComparisonRows } from './context-rows.ts';

const compared = async (parameters = {}) => {
  const host = bareHost({}, { parameters: { lastTurns: 1, retrievedTurns: 1, ...parameters } });
  await host.send('#trip red apples');
  await host.send('#code green cars');
  const id = await host.send('blue boats');
  const contexts = await host.engine.contextsFor(host.life.entries, id, POLICIES, new AbortController().signal);
  return { contexts, rows: contextComparisonRows(contexts) };
};

test('everything that any policy sends is a row: what opens it, the overview, turns in order of time, the message', async () => {
  const { contexts, rows } = await compared();
  expect(rows.map(({ label }) => label)).toEqual([
    'Instructions',
    'Heading of the overview',
    '#trip red apples',
    'Left out',
    'Turn 1',
    'Turn 2',
    'The message',
  ]);
  contexts.forEach(({ context }, column) => {
    expect(rows.reduce((sum, { cells }) => sum + (cells[column]?.tokens ?? 0), 0)).toBe(context.tokens);
  });
});

test('what one has and another lacks is told', async () => {
  const { contexts, rows } = await compared();
  const row = (label: string) => rows.find((one) => one.label === label);
  const words = (label: string) => row(label)?.cells.map((cell) => cell && cellWords(cell));
  expect(contexts.map(({ policy }) => policy)).toEqual(POLICIES.map(({ name }) => name));
  // focused is in turn 2's topic, and so is context-agent, which has turn 1 in its overview.
  expect(words('Turn 1')?.slice(0, 4)).toEqual([null, null, 'in full', null]);
  expect(words('#trip red apples')?.slice(0, 4)).toEqual([null, 'in short', null, null]);
  expect(words('Turn 2')?.slice(0, 4)).toEqual(['in full', 'in full', 'in full', 'in full']);
  // focused sends nothing of turn 1; context-agent and full-history send everything.
  expect(words('Left out')?.slice(0, 3)).toEqual(['1 turn', null, null]);
  expect(row('Instructions')?.differs).toBe(false);
  expect(row('Turn 1')?.differs).toBe(true);
});

test('what a request says of left-out turns stands in the message that says it', async () => {
  const { contexts } = await compared();
  const [first] = contexts;
  const line = { kind: 'turns-left-out' as const, nodeIds: ['n1'], text: '[turn 1]', tokens: 3 };
  const segments = first?.context.segments.toSpliced(1, 0, line) ?? [];
  const rows = contextComparisonRows(
    contexts.slice(0, 1).map((one) => ({ ...one, context: { ...one.context, segments } })),
  );
  const said = rows.find(({ label }) => label === 'Left out')?.cells[0]?.said ?? [];
  expect(said.map(({ role }) => role)).toEqual(['user']);
});
