import { expect, test } from 'vitest';
import type { Entry } from '../../domain/entry.ts';
import { recordsOf } from '../../domain/table.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import { contextAgentCode } from '../context/policies/context-agent-code.ts';
import { truncation } from '../context/policies/flat-policies.ts';
import type { Policy } from '../context/policy.ts';
import type { Lesson } from '../lessons.ts';
import type { Decider } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, plainModels, tagDecider } from '../testing/plain-models.ts';
import type { TurnContexts } from './contexts-over-time.ts';
import { rerun } from './re-run.ts';
import { noPauses, whatIfPartsOf } from './testing/engine-life.ts';
import { AS_IT_WAS, type WhatIfDecider } from './what-if.ts';

const embedded = { chat: countingChat(), decide: tagDecider(), summarise: firstWords, embed: bagEmbedder };
const settings = (change: Partial<Settings>): Settings => ({
  version: 0,
  policy: contextAgent,
  parameters: {},
  prompts: {},
  ...change,
});

test('each turn is decided by the settings that it was decided by, or by those of now', async () => {
  let used = settings({ version: 1, parameters: { theta: 0.2, k: 2 }, prompts: { topic: 'Say it.' } });
  const host = bareHost({}, { settings: () => used });
  await host.send('#boat one');
  await host.send('two');
  used = settings({ version: 2, policy: truncation, parameters: { lastTurns: 1 } });
  await host.send('three');
  const first = settings({ version: 1, prompts: { topic: 'Say it.' } });
  const now = settings({ version: 3, parameters: { theta: 0.5 } });
  const heard: (string | undefined)[] = [];
  const listening: Decider = {
    ...tagDecider(),
    name: 'listening',
    topic: async (question) => {
      heard.push(question.instructions);
      return tagDecider().topic(question);
    },
  };
  const workshop = whatIfPartsOf(
    { models: plainModels({ decide: listening }), embedded },
    { settings: now, settingsOf: (version) => (version === 1 ? first : null) },
  );
  const tracesOf = ({ entries }: { entries: typeof host.life.entries }) =>
    entries.flatMap(({ event }) => {
      if (event.type !== 'turn-placed') return [];
      const { policy, settings: named, fork } = event.decision.trace ?? {};
      return [{ policy, named, theta: fork?.theta }];
    });
  const going = noPauses();
  const then = await rerun(workshop, host.life.entries, AS_IT_WAS, going);
  expect(tracesOf({ entries: [...then.entries] })).toEqual(tracesOf(host.life));
  // The first turn asks nothing.
  expect(heard).toEqual(['Say it.', undefined]);
  const contexts = then.entries.flatMap(({ event }) => (event.type === 'reply-started' ? [event.context?.policy] : []));
  expect(contexts).toEqual(['context-agent', 'context-agent', 'truncation']);

  const anew = await rerun(workshop, host.life.entries, { ...AS_IT_WAS, base: 'now' }, going);
  expect(tracesOf({ entries: [...anew.entries] }).map(({ named }) => named?.version)).toEqual([3, 3, 3]);
  expect(tracesOf({ entries: [...anew.entries] }).map(({ theta }) => theta)).toEqual([0.5, 0.5, 0.5]);

  const other = await rerun(workshop, host.life.entries, { ...AS_IT_WAS, parameters: { theta: 0.9 } }, going);
  expect(tracesOf({ entries: [...other.entries] })[1]).toEqual({
    policy: 'context-agent',
    named: { version: 1, parameters: { theta: 0.9, k: 2 }, prompts: ['topic'], reconsiders: true },
    theta: 0.9,
  });
});

test('a policy or prompts of a version that is not known any more do not end it', async () => {
  const host = bareHost({}, { settings: () => settings({ version: 9, prompts: { topic: 'Lost.' } }) });
  await host.send('#boat one');
  await host.send('two');
  const workshop = whatIfPartsOf({ models: plainModels(), embedded });
  const strange = host.life.entries.map((entry) => {
    const { event } = entry;
    if (event.type !== 'turn-placed' || event.decision.trace === null) return entry;
    const trace = { ...event.decision.trace, policy: 'from the future' };
    return { ...entry, event: { ...event, decision: { ...event.decision, trace } } };
  });
  const other = await rerun(workshop, strange, AS_IT_WAS, noPauses());
  expect(recordsOf(other.forest.nodes).map(({ decision }) => decision.trace?.policy)).toEqual(['focused', 'focused']);
});

test('a turn of another device is decided by the words it was asked with, not by those of the same version here', async () => {
  const answering = (told: (string | undefined)[]): Decider => ({
    ...tagDecider(),
    name: 'listening',
    topic: async (question, signal) => {
      told.push(question.instructions);
      const answer = await tagDecider().topic(question, signal);
      const content = `${question.instructions} /no_think`;
      return { ...answer, prompt: [{ role: 'system', content }] };
    },
  });
  const there = settings({ version: 1, prompts: { topic: 'As there.' }, parameters: { k: 2 } });
  const host = bareHost({ decide: answering([]) }, { settings: () => there });
  await host.send('#boat one');
  await host.send('two');
  const heard = async (here: Settings) => {
    const told: (string | undefined)[] = [];
    const workshop = whatIfPartsOf(
      { models: plainModels({ decide: answering(told) }), embedded },
      { settings: here, settingsOf: () => here },
    );
    await rerun(workshop, host.life.entries, AS_IT_WAS, noPauses());
    return told;
  };
  expect(await heard(settings({ version: 1, prompts: { topic: 'As here.' } }))).toEqual(['As there. /no_think']);
  expect(await heard(there)).toEqual(['As there.']);
});

test('another reply to an earlier turn is sent by the settings of that reply, not by those decided with last', async () => {
  let used = settings({ version: 1, policy: truncation, parameters: { lastTurns: 1 } });
  const host = bareHost({}, { settings: () => used });
  const [first, second] = [await host.send('#boat one'), await host.send('two')];
  used = settings({ version: 2, policy: contextAgent });
  await host.send('three');
  const never = new AbortController().signal;
  // As the turn was decided, and by settings of its own.
  used = settings({ version: 1, policy: truncation, parameters: { lastTurns: 1 } });
  await host.engine.regenerate(second, 'again', never);
  used = settings({ version: 3, policy: truncation, parameters: { lastTurns: 9 } });
  await host.engine.regenerate(first, 'once more', never);
  const sent = ({ entries }: { readonly entries: readonly Entry[] }) =>
    entries.flatMap(({ event }) => (event.type === 'reply-started' && event.context ? [event.context] : []));
  const before = sent(host.life);
  expect(before.map(({ settings: own }) => own?.version)).toEqual([undefined, undefined, undefined, undefined, 3]);
  const workshop = whatIfPartsOf({ models: plainModels(), embedded }, { settings: used });
  const after = sent(await rerun(workshop, host.life.entries, AS_IT_WAS, noPauses()));
  const told = (contexts: typeof after) =>
    contexts.map(({ policy, tokens, settings: own }) => ({ policy, tokens, version: own?.version }));
  expect(told(after)).toEqual(told(before));
  const anew = await rerun(workshop, host.life.entries, { ...AS_IT_WAS, policy: 'full-history' }, noPauses());
  expect(new Set(sent(anew).map(({ policy }) => policy))).toEqual(new Set(['full-history']));
});

test('what other policies would have sent for another reply is built by the settings of that reply', async () => {
  let used = settings({ version: 1, policy: contextAgent, parameters: { lastTurns: 1 } });
  const host = bareHost({}, { settings: () => used });
  for (const text of ['#boat one', 'two', 'three']) await host.send(text);
  const last = await host.send('four');
  const never = new AbortController().signal;
  const turnsSent = async () => {
    const [found] = await host.engine.contextsFor(host.life.entries, last, [truncation], never);
    return found?.context.segments.filter(({ kind }) => kind === 'turn').length;
  };
  const settingsOfLast = async () => {
    const found: TurnContexts['settings'][] = [];
    const take = (turns: readonly TurnContexts[]) => void found.push(...turns.map((turn) => turn.settings));
    await host.engine.contextsOverTime(host.life.entries, [truncation], take, never);
    return found.at(-1);
  };
  expect(await turnsSent()).toBe(1);
  used = settings({ version: 2, policy: contextAgent, parameters: { lastTurns: 3 } });
  expect(await turnsSent()).toBe(1);
  expect(await settingsOfLast()).toEqual({ version: 1, parameters: { lastTurns: 1 } });
  await host.engine.regenerate(last, 'again', never);
  expect(await turnsSent()).toBe(3);
  expect(await settingsOfLast()).toEqual({ version: 2, parameters: { lastTurns: 3 } });
});

test('a decision knows the lessons that there were when its message was sent, and no later ones', async () => {
  const host = bareHost();
  for (const text of ['#boat one', 'two', 'three', 'four']) await host.send(text);
  const sentAt = host.life.entries.flatMap(({ at, event }) => (event.type === 'message-sent' ? [at] : []));
  const lessonAt = (at: number): Lesson => ({
    conversationId: 'c',
    nodeId: `of ${at}`,
    question: 'topic',
    by: 'correction',
    at,
    message: {},
    choices: [],
    right: 0,
  });
  const [, , third = 0, fourth = 0] = sentAt;
  const lessons = [lessonAt(third + 1), lessonAt(third - 1), lessonAt(fourth + 1)];
  const made: number[] = [];
  const taught = async (known: readonly Lesson[]): Promise<Decider> => {
    made.push(known.length);
    return { ...tagDecider(), name: `knows ${known.length}` };
  };
  const workshop = whatIfPartsOf(
    { models: plainModels({ decide: embedded.decide }), embedded },
    { lessons, deciders: { taught, paperRule: tagDecider(), oneThreshold: tagDecider() } },
  );
  const decidedBy = async (decider: WhatIfDecider) => {
    const { forest } = await rerun(workshop, host.life.entries, { ...AS_IT_WAS, decider }, noPauses());
    return recordsOf(forest.nodes).map(({ decision }) => decision.trace?.decider);
  };
  expect(await decidedBy('chosen')).toEqual(['knows 0', 'knows 0', 'knows 1', 'knows 2']);
  expect(await decidedBy('embedded-untaught')).toEqual(['knows 0', 'knows 0', 'knows 0', 'knows 0']);
  expect(await decidedBy('embedded-taught')).toEqual(['knows 3', 'knows 3', 'knows 3', 'knows 3']);
  // Each state is learned once, however often it is requested.
  expect(made.sort()).toEqual([0, 1, 2, 3]);
});

test('a decider that fails is stood in for by the embedded one, and the trace says so', async () => {
  const host = bareHost();
  await host.send('#boat one');
  await host.send('#tent two');
  const failing: Decider = {
    name: 'out of order',
    topic: () => Promise.reject(new Error('it is gone')),
    branch: () => Promise.reject(new Error('it is gone')),
  };
  const workshop = whatIfPartsOf({ models: plainModels({ decide: failing }), embedded });
  const { forest } = await rerun(workshop, host.life.entries, AS_IT_WAS, noPauses());
  const [, two] = recordsOf(forest.nodes);
  expect(two?.parentId).toBeNull();
  expect(two?.decision.trace?.fallbacks).toEqual([
    { role: 'decide', from: 'out of order', to: 'tags', why: 'it is gone' },
  ]);
});

test('a policy’s own θ goes with the policy, and not with what is asked instead of it', async () => {
  const embed = { ...bagEmbedder, theta: 0.3 };
  const asked = async (from: Policy, policy: string | null) => {
    const host = bareHost({ embed }, { policy: from });
    for (const message of ['#boat one', 'two', '#car three']) await host.send(message);
    const workshop = whatIfPartsOf({ models: plainModels({ embed }), embedded });
    const { entries } = await rerun(workshop, host.life.entries, { ...AS_IT_WAS, policy }, noPauses());
    return entries.flatMap(({ event }) => {
      const { topic, fork, settings: named } = (event.type === 'turn-placed' && event.decision.trace) || {};
      return topic === undefined ? [] : [[topic.rule, fork?.theta, named?.parameters]];
    });
  };
  const byPaths = [['first-turn', 0.6, {}], ...Array(2).fill(['asked-by-path', 0.6, {}])];
  const byOneQuestion = [['first-turn', 0.3, {}], ...Array(2).fill(['asked', 0.3, {}])];
  expect(await asked(contextAgentCode, null)).toEqual(byPaths);
  expect(await asked(contextAgentCode, 'context-agent')).toEqual(byOneQuestion);
  expect(await asked(contextAgent, 'context-agent-code')).toEqual(byPaths);
});
