import { expect, test } from 'vitest';
import { PROVENANCE, provenanceWords } from '../../app/provenance.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { fold, frozen } from '../../domain/apply.ts';
import { recordsOf } from '../../domain/table.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import type { Decider } from '../../engine/ports.ts';
import { countingChat, plainModels, tagDecider } from '../../engine/testing/plain-models.ts';
import { type DecisionFilter, decisionRows, everyDecision, filtered, sorted, sureFromNow } from './analysis.ts';
import { tableFile, tokensFile, tracesFile } from './analysis-export.ts';

/** As confident as the message says (`sure 0.7`), with a new topic as the runner-up; fails on `fail`. */
const tellingDecider = (): Decider => {
  const tags = tagDecider();
  return {
    ...tags,
    topic: async (question, signal) => {
      if (question.message.includes('fail')) throw new Error('it fell over');
      const answer = await tags.topic(question, signal);
      const confidence = Number(question.message.match(/sure (\d\.\d+)/)?.[1] ?? 1);
      const next = { action: 'create-topic' as const, target: null, confidence: (1 - confidence) / 2 };
      return { ...answer, confidence, alternatives: [next] };
    },
  };
};

const conversation = async (...messages: readonly string[]) => {
  const models = plainModels({ decide: tellingDecider() });
  const { actions, store } = await plainApp(countingChat(), { models: () => models });
  for (const message of messages) await actions.send(message);
  const id = (number: number) =>
    recordsOf(store.getState().forest.nodes).find((node) => node.number === number)?.id ?? '';
  const rows = () => resultOf(decisionRows(store.getState().forest));
  return { actions, state: store.getState, id, rows };
};

const four = () => conversation('#trip one', 'sure 0.9 two', '#food sure 0.4 three', '=fail, “four”');

test('the turns of a long conversation are read in steps, and once', () => {
  const { forest, reads } = reopened(frozen(fold(syntheticLog(300, 3))));
  const { result, counts } = doneInSteps(decisionRows(forest), () => reads.texts + reads.details);
  expect(result).toHaveLength(300);
  expect(result.map(({ number }) => number)).toEqual(result.map(({ number }) => number).sort((a, b) => a - b));
  expect(Math.max(...counts)).toBeLessThan(Math.max(reads.texts, reads.details) / 5);
  const again = doneInSteps(decisionRows(forest), () => reads.texts + reads.details);
  expect(Math.max(...again.counts)).toBe(0);
  expect(again.result).toEqual(result);
});

test('a row tells how a turn was placed, how sure that was and what it cost', async () => {
  const { rows, actions, id } = await four();
  await actions.correct(id(2), { kind: 'new-topic' });
  await actions.confirm(id(3));
  const [first, second, third, fourth] = rows();
  expect(first).toMatchObject({ number: 1, topic: 'create-topic', branch: null, rule: 'first-turn', confidence: null });
  expect(second).toMatchObject({
    topic: 'continue-topic',
    by: 'engine',
    confidence: 0.9,
    word: 'corrected',
    version: 0,
  });
  expect(second?.margin).toBeCloseTo(0.85);
  expect(third).toMatchObject({
    topic: 'create-topic',
    rule: 'new-topic',
    word: 'confirmed',
    fallbacks: 0,
    theta: 0.6,
  });
  expect(fourth).toMatchObject({ fallbacks: 1, word: null, policy: 'focused' });
  expect(fourth?.tokens).toBeGreaterThan(0);
  expect(Object.keys(fourth?.deciding ?? {})).toEqual(['embed', 'topic', 'branch']);
  expect(Object.keys(fourth?.replying ?? {})).toEqual(['context', 'first token', 'writing']);
});

test('a row tells default settings from changed ones without a version, as in a re-run that was kept', async () => {
  const { rows, state, id } = await four();
  expect(rows()[1]).toMatchObject({ version: 0, isChanged: false });
  const { forest } = state();
  const node = forest.nodes[id(2)];
  const trace = node?.decision.trace;
  if (node === undefined || !trace) throw new Error('no trace');
  const settings = { version: 0, parameters: { theta: 0.3 }, prompts: [] };
  const changed = { ...node, decision: { ...node.decision, trace: { ...trace, settings } } };
  const [row] = resultOf(decisionRows({ ...forest, nodes: { [node.id]: changed } }));
  expect(row).toMatchObject({ version: 0, isChanged: true });
});

test('a turn that the person placed is theirs', async () => {
  const { rows, actions, id } = await four();
  actions.session({ target: { kind: 'under', nodeId: id(1) } });
  await actions.send('five');
  expect(rows().at(-1)).toMatchObject({ by: 'person', rule: 'person', confidence: null, margin: null });
});

test('a row stays the same while its turn does', async () => {
  const { rows, actions } = await four();
  const before = rows();
  await actions.send('five');
  expect(rows()[1]).toBe(before[1]);
});

test.each<[string, Partial<DecisionFilter>, number[]]>([
  ['all', {}, [1, 2, 3, 4]],
  ['words, in any order and case', { text: 'TWO sure' }, [2]],
  ['an action of the topic', { action: 'create-topic' }, [1, 3]],
  ['an action of the branch', { action: 'continue-branch' }, [2, 4]],
  ['what was corrected', { word: 'corrected' }, [2]],
  ['what nothing was said of', { word: 'none' }, [1, 3, 4]],
  ['who placed it', { by: 'person' }, []],
  ['a fallback', { fallback: true }, [4]],
  ['less sure than that', { below: 0.95 }, [2, 3]],
  ['several at once', { below: 0.95, action: 'create-topic' }, [3]],
])('rows are found by %s', async (_, filter, numbers) => {
  const { rows, actions, id } = await four();
  await actions.correct(id(2), { kind: 'new-topic' });
  expect(filtered(rows(), { ...everyDecision, ...filter }).map(({ number }) => number)).toEqual(numbers);
});

test('rows are sorted either way, and what is not known comes last', async () => {
  const { rows } = await four();
  const order = (by: 'confidence' | 'message' | 'number', down: boolean) =>
    sorted(rows(), { by, down }).map(({ number }) => number);
  expect(order('confidence', false)).toEqual([3, 2, 4, 1]);
  expect(order('confidence', true)).toEqual([4, 2, 3, 1]);
  expect(order('number', true)).toEqual([4, 3, 2, 1]);
});

test('traces are written one decision a line, in the order of the table', async () => {
  const { rows, actions, id, state } = await four();
  await actions.changeSettings({ parameters: { k: 2 } });
  await actions.send('five');
  await actions.correct(id(2), { kind: 'new-topic' });
  const { forest, conversationId } = state();
  const { name, text } = tracesFile(sorted(rows(), { by: 'number', down: true }), { conversationId, forest });
  expect(name).toBe('trip-one.decisions.jsonl');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ turn }) => turn)).toEqual([5, 4, 3, 2, 1]);
  expect(lines[0].versions).toEqual({ form: 2, log: 1, settings: 1 });
  expect(lines[0].madeBy).toEqual(PROVENANCE);
  const second = forest.nodes[id(2)];
  expect(lines[3]).toMatchObject({
    coppice: 'decision',
    conversation: { id: conversationId, title: '#trip one' },
    message: 'sure 0.9 two',
    placement: { treeId: second?.treeId, parentId: null, parentTurn: null },
    trace: JSON.parse(JSON.stringify(second?.decision.trace)),
    label: { person: { parentId: null } },
    context: { policy: 'focused', unit: 'words' },
  });
});

test('the table is written for spreadsheets, which run nothing of it', async () => {
  const { rows, state } = await conversation('#trip, "one"', '=1+1');
  const { name, text } = tableFile(rows(), state());
  expect(name).toBe('trip-one.decisions.csv');
  const [head, one, two, end] = text.split('\r\n');
  // With a byte order mark, in which Excel recognises UTF-8.
  expect(head).toMatch(/^\uFEFFnumber,message,topic,/);
  expect(head).toMatch(/,embedder,unit,app$/);
  const { unit } = recordsOf(state().forest.nodes)[0]?.replies[0]?.context ?? { unit: 'none' };
  for (const line of [one, two]) expect(line).toContain(`,${unit},${provenanceWords()}`);
  expect(one).toMatch(/^1,"#trip, ""one""",create-topic,,engine,first-turn,,,/);
  expect(two).toMatch(/^2,'=1\+1,continue-topic,continue-branch,engine,/);
  expect(end).toBe('');
});

test('tokens go out per turn and policy', async () => {
  const { state, rows } = await conversation('#trip one', 'two');
  const series = [
    { name: 'Sent (focused)', values: [5, 9] },
    { name: 'memtree', values: [5, null] },
  ];
  const { name, text } = tokensFile(rows(), series, state().forest);
  expect(name).toBe('trip-one.tokens.csv');
  expect(text.split('\r\n')).toEqual([
    '\uFEFFturn,message,policy,Sent (focused),memtree,app',
    `1,#trip one,focused,5,5,${provenanceWords()}`,
    `2,two,focused,9,,${provenanceWords()}`,
    '',
  ]);
});

test('a decision counts as sure from the confidence that is set now', async () => {
  const { actions, state } = await four();
  expect(sureFromNow(state())).toBe(0.65);
  await actions.changeSettings({ parameters: { sureFrom: 0.95 } });
  expect(sureFromNow(state())).toBe(0.95);
});
