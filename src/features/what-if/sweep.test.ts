import { expect, test } from 'vitest';
import { Life } from '../../domain/testing/random-life.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { noPauses, whatIfPartsOf } from '../../engine/history/testing/engine-life.ts';
import { AS_IT_WAS } from '../../engine/history/what-if.ts';
import { bareHost } from '../../engine/testing/bare-host.ts';
import { bagEmbedder, countingChat, firstWords, plainModels } from '../../engine/testing/plain-models.ts';
import { calibratedDecider } from '../../models/embedded/what-if-deciders.ts';
import { type SweepPoint, shapeOf, sweep, THETA_RANGE, valuesOf } from './sweep.ts';

const decide = calibratedDecider({ back: 0.4, stay: 0.05 });
const embedded = { chat: countingChat(), decide, summarise: firstWords, embed: bagEmbedder };

const life = async () => {
  const host = bareHost({ decide }, { embedded, parameters: { theta: 0.99 } });
  for (const text of [
    'boats on the river',
    'boats with a sail on the river',
    'a sail of red cloth',
    'boats with oars on the river',
  ]) {
    await host.send(text);
  }
  return host.life;
};

test('values of a range', () => {
  expect(valuesOf(THETA_RANGE)).toHaveLength(10);
  expect(valuesOf(THETA_RANGE).slice(0, 2)).toEqual([0.3, 0.367]);
  expect(valuesOf(THETA_RANGE).at(-1)).toBe(0.9);
  expect(valuesOf({ parameter: 'k', from: 1, to: 8, steps: 4 })).toEqual([1, 3, 6, 8]);
  expect(valuesOf({ parameter: 'k', from: 1, to: 2, steps: 4 })).toEqual([1, 2]);
  expect(valuesOf({ parameter: 'k', from: 4, to: 1, steps: 10 })).toEqual([4, 3, 2, 1]);
  const alphas = valuesOf({ parameter: 'threadDecay', from: 0, to: 0.01, steps: 5 });
  expect(alphas).toEqual([0, 0.0025, 0.005, 0.0075, 0.01]);
  expect(valuesOf({ parameter: 'k', from: 5, to: 9, steps: 1 })).toEqual([5]);
});

test('each value comes with what it moved; the value of then moves nothing', async () => {
  const { entries, forest } = await life();
  const points: SweepPoint[] = [];
  const workshop = whatIfPartsOf({ models: plainModels({ decide }), embedded });
  const told: [number, number][] = [];
  const going = { ...noPauses(), progress: (done: number, of: number) => told.push([done, of]) };
  const range = { parameter: 'theta', from: 0.3, to: 0.99, steps: 3 } as const;
  await sweep(workshop, { entries, forest }, AS_IT_WAS, range, going, (point) => points.push(point));
  expect(points.map(({ value }) => value)).toEqual([0.3, 0.645, 0.99]);
  expect(points.map(({ moved }) => moved > 0)).toEqual([true, true, false]);
  expect(points[2]?.differences).toEqual([]);
  expect(points[0]?.movedSince).toBe(0);
  expect(points[2]?.movedSince).toBe(points[1]?.moved);
  expect(told.at(-1)).toEqual([12, 12]);
  expect(told.map(([done]) => done)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
});

const answer = (of: Life, nodeId: string, tokens: number | null): void => {
  const context = tokens === null ? null : { policy: 'p', segments: [], tokens, fullHistoryTokens: tokens, unit: 'u' };
  of.do({
    type: 'record',
    step: of.id(),
    event: { type: 'reply-started', nodeId, replyId: of.id(), model: 'm', context },
  });
};

test('the tokens per turn are of the turns of which it is known what was sent', () => {
  const one = new Life();
  for (let turn = 0; turn < 9; turn++) answer(one, one.say(null), null);
  expect(shapeOf(one.forest)).toMatchObject({ tokens: 0, tokensPerTurn: null });
  for (const tokens of [500, 300]) answer(one, one.say(null), tokens);
  one.say(null);
  expect(shapeOf(one.forest)).toMatchObject({ topics: 12, tokens: 800, tokensPerTurn: 400 });
});

test('a sweep and a re-run end as soon as they are cancelled, and the log is as it was', async () => {
  const { entries, forest } = await life();
  const before = structuredClone(entries);
  const controller = new AbortController();
  const points: SweepPoint[] = [];
  const workshop = whatIfPartsOf({ models: plainModels({ decide }), embedded });
  const going = { ...noPauses(controller.signal), progress: (done: number) => done === 6 && controller.abort() };
  await expect(
    sweep(workshop, { entries, forest }, AS_IT_WAS, THETA_RANGE, going, (point) => points.push(point)),
  ).rejects.toThrow();
  expect(points).toHaveLength(1);
  await expect(rerun(workshop, entries, AS_IT_WAS, going)).rejects.toThrow();
  expect(entries).toEqual(before);
});
