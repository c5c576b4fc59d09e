import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Entry } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { violations } from '../../domain/invariants.ts';
import { isUnsent, nodeOf, replyOf } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { briefLives, lives } from '../../domain/testing/random-life.ts';
import { createEmbeddedDecider } from '../../models/embedded/embedded-decider.ts';
import { calibratedDecider, createWhatIfDeciders } from '../../models/embedded/what-if-deciders.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import type { Decider, Models } from '../ports.ts';
import { bareHost } from '../testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, plainModels, tagDecider } from '../testing/plain-models.ts';
import { rerun } from './re-run.ts';
import { importTurn, liveWithEngine, noPauses, sortedImport, whatIfPartsOf } from './testing/engine-life.ts';
import { AS_IT_WAS, placementDifferences, type WhatIf } from './what-if.ts';

const embeddedBy = (decide: Decider) => ({ chat: countingChat(), decide, summarise: firstWords, embed: bagEmbedder });
const hostWith = (decide: Decider, more: Parameters<typeof bareHost>[1] = {}) =>
  bareHost({ decide }, { embedded: embeddedBy(decide), ...more });
const workshopWith = (decide: Decider, models: Partial<Models> = {}) =>
  whatIfPartsOf({ models: plainModels({ decide, ...models }), embedded: embeddedBy(decide) });
const whatIf = (change: Partial<WhatIf>): WhatIf => ({ ...AS_IT_WAS, ...change });

/** Every placement with everything that led to it, except timings. */
const placementsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ step, event }) => {
    if (event.type !== 'turn-placed') return [];
    const { trace, ...decision } = event.decision;
    return [{ step, event: { ...event, decision: { ...decision, trace: trace && { ...trace, timings: [] } } } }];
  });
/** Where everything is, and what the user made of it. */
const standingOf = ({ nodes, trees, branches, active, history, turnCount, title }: Forest) => ({
  nodes: recordsOf(nodes).map(({ decision: _, replies: __, ...node }) => node),
  trees,
  branches,
  active,
  done: history.past.map(({ id }) => id),
  undone: history.future.map(({ id }) => id),
  turnCount,
  title,
});
const tokensIn = (entries: readonly Entry[]) =>
  entries.flatMap(({ event }) => (event.type === 'reply-started' ? [event.context?.tokens] : []));

describe.each([
  ['by tags', tagDecider, lives],
  ['by the paper’s rule', () => calibratedDecider({ back: 0.4, stay: 0.3 }), lives],
  // In longer ones, replies come otherwise than through the engine, which then compares with what they were before.
  ['by the embedded decider', createEmbeddedDecider, briefLives],
] as const)('any life that was decided %s', (_, made, lived) => {
  const decide = made();

  test('with nothing changed, comes to exactly the same placements, edits and contexts', async () => {
    await fc.assert(
      fc.asyncProperty(lived, fc.nat({ max: 100 }), async (moves, cut) => {
        const life = await liveWithEngine(hostWith(decide), moves);
        const sent = life.entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.nodeId] : []));
        const from = sent[Math.floor((sent.length * cut) / 60)] ?? null;
        const before = structuredClone(life.entries);
        const same = await rerun(workshopWith(decide), life.entries, whatIf({ from }), noPauses());
        expect(placementsOf(same.entries)).toEqual(placementsOf(life.entries));
        expect(tokensIn(same.entries)).toEqual(tokensIn(life.entries));
        expect(placementDifferences(life, same)).toEqual([]);
        expect(same.leftOut).toEqual([]);
        expect(standingOf(same.forest)).toEqual(standingOf(life.forest));
        expect(life.entries).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});

test('begun at a later turn, it compares with the replies of all turns before, as the conversation did', async () => {
  const decide = createEmbeddedDecider();
  const say = (rootShare: number) => ({ kind: 'say' as const, target: 0, rootShare });
  const life = await liveWithEngine(hostWith(decide), [...Array.from({ length: 10 }, () => say(0)), say(2), say(1)]);
  const [from] = life.entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.nodeId] : [])).slice(8);
  const same = await rerun(workshopWith(decide), life.entries, whatIf({ from: from ?? null }), noPauses());
  expect(placementsOf(same.entries)).toEqual(placementsOf(life.entries));
});

test('begun late in a very long conversation, it compares with the messages of all turns before', async () => {
  const decide = tagDecider();
  const host = hostWith(decide);
  let tip: string | null = null;
  for (let i = 0; i < 300; i++) tip = host.life.say(tip, `stove number ${i}`);
  await host.engine.catchUp(new AbortController().signal);
  const from = await host.send('rope for the boat');
  const same = await rerun(workshopWith(decide), host.life.entries, whatIf({ from }), noPauses());
  expect(placementsOf(same.entries)).toEqual(placementsOf(host.life.entries));
});

test('imported turns that were sorted into topics are decided with the settings that they were sorted with', async () => {
  const decide = tagDecider();
  const decided = hostWith(decide, { parameters: { k: 3 } });
  await decided.send('#boat one');
  const [by] = recordsOf(decided.life.forest.nodes).map(({ decision }) => decision);
  const { life } = hostWith(decide);
  const first = importTurn(life, null, '#boat one');
  const second = importTurn(life, first, '#tent two');
  const fresh = { treeId: life.id(), branchId: life.id() };
  const turns = [{ nodeId: second, parentId: null, fresh, decision: by ?? null, title: 'Tent' }];
  expect(life.do({ type: 'arrange', turns, step: life.id() }).ok).toBe(true);
  const same = await rerun(workshopWith(decide), life.entries, whatIf({}), noPauses());
  const parametersOf = (id: string) => same.forest.nodes[id]?.decision.trace?.settings?.parameters;
  expect(parametersOf(second)).toEqual({ k: 3 });
  expect(parametersOf(first)).toEqual({});
});

test('begun at a later turn, an import that was sorted into topics is taken over in these', async () => {
  const decide = tagDecider();
  const host = hostWith(decide);
  const ids = await sortedImport(host, ['#boat one', 'two', '#code three', 'four', '#boat five']);
  const { life } = host;
  const same = await rerun(workshopWith(decide), life.entries, whatIf({ from: ids[4] ?? null }), noPauses());
  expect(placementDifferences(life, same)).toEqual([]);
  const placesOf = ({ nodes }: Forest) => recordsOf(nodes).map(({ id, parentId, treeId }) => [id, parentId, treeId]);
  expect(placesOf(same.forest)).toEqual(placesOf(life.forest));
  const titlesOf = ({ trees }: Forest) => recordsOf(trees).map(({ id, title }) => [id, title]);
  expect(titlesOf(same.forest)).toEqual(titlesOf(life.forest));

  const later = await host.send('#code six');
  const since = await rerun(workshopWith(decide), life.entries, whatIf({ from: later }), noPauses());
  expect(placementDifferences(life, since)).toEqual([]);
  expect(since.forest.history.past.map(({ type }) => type)).toContain('turns-arranged');
});

test('only the chosen decider asks the model that is asked where it is unsure', async () => {
  const decide = createEmbeddedDecider();
  const { life, send } = hostWith(decide);
  for (const message of ['#boat one', '#tent two', '#boat three']) await send(message);
  const consult = { ...tagDecider(), name: 'language model' };
  const shared = whatIfPartsOf(
    { models: plainModels({ decide, consult }), embedded: embeddedBy(decide) },
    { deciders: createWhatIfDeciders() },
  );
  const askedIn = async (decider: WhatIf['decider']) => {
    const again = await rerun(shared, life.entries, whatIf({ decider, base: 'now' }), noPauses());
    return recordsOf(again.forest.nodes).map(({ decision }) => decision.trace?.decider);
  };
  expect((await askedIn('chosen')).every((name) => name?.includes('language model'))).toBe(true);
  for (const decider of ['embedded', 'embedded-taught', 'embedded-untaught', 'paper-rule', 'one-threshold'] as const) {
    expect((await askedIn(decider)).filter((name) => name?.includes('language model'))).toEqual([]);
  }
});

test('nothing was sent of the contexts that it builds, unlike those from before its first turn', async () => {
  const decide = tagDecider();
  const host = hostWith(decide);
  const ids: string[] = [];
  for (const message of ['#boat one', 'two', '#tent three']) ids.push(await host.send(message));
  const again = await rerun(workshopWith(decide), host.life.entries, whatIf({ from: ids[1] ?? null }), noPauses());
  expect(again.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))))).toEqual(again.entries);
  const sent: (boolean | undefined)[] = [];
  for (const id of ids) {
    const [told] = await host.engine.contextsFor(again.entries, id, [contextAgent], new AbortController().signal);
    sent.push(told?.sent);
    const reply = replyOf(nodeOf(again.forest, id));
    expect(reply && isUnsent(reply)).toBe(told?.sent === false);
  }
  expect(sent).toEqual([true, false, false]);
});

test('turns that were deleted together without those below them are deleted again, though one alone could not be', async () => {
  const decide = tagDecider();
  const host = hostWith(decide);
  const root = await host.send('#boat');
  const tip = await host.send('#boat oars');
  const fork = host.life.say(root);
  host.life.do({ type: 'delete', nodeIds: [root, fork], alone: true, step: host.life.id() });
  const same = await rerun(workshopWith(decide), host.life.entries, whatIf({}), noPauses());
  expect(same.leftOut).toEqual([]);
  expect(idsOf(same.forest.nodes)).toEqual([tip]);
});

test('any life, decided otherwise, comes to a sound forest, and what is not in it is told', async () => {
  const decide = calibratedDecider({ back: 0.4, stay: 0.3 });
  await fc.assert(
    fc.asyncProperty(lives, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), async (moves, theta, again) => {
      const life = await liveWithEngine(hostWith(decide), moves);
      const question = whatIf({ parameters: { theta }, byHand: again ? 'again' : 'left-out' });
      const other = await rerun(workshopWith(decide), life.entries, question, noPauses());
      expect(violations(other.forest)).toEqual([]);
      expect(other.entries.map(({ seq }) => seq)).toEqual(other.entries.map((_, at) => at + 1));
      const sent = (entries: readonly Entry[]) =>
        entries.flatMap(({ event }) => (event.type === 'message-sent' ? [event.nodeId] : []));
      expect(sent(other.entries)).toEqual(sent(life.entries));
    }),
    { numRuns: 80 },
  );
});
