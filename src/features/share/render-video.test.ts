import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { violations } from '../../domain/invariants.ts';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { timesOf, withoutGone } from './render-video.ts';

test('a moment of a film has no turn that was deleted later, and is left as it was', () => {
  const life = new Life();
  const root = life.say(null);
  const [one, other] = [life.say(root), life.say(root)];
  const leaf = life.say(other);
  life.say(null);
  const moment = fold(life.entries);
  life.do({ type: 'delete', nodeIds: [one], alone: false, step: life.id() });
  life.do({ type: 'delete', nodeIds: [root], alone: true, step: life.id() });
  const shown = withoutGone(moment, life.forest);
  expect(violations(shown)).toEqual([]);
  expect(Object.keys(moment.nodes)).toHaveLength(5);
  expect([root, one].filter((id) => shown.nodes[id] !== undefined)).toEqual([]);
  expect([nodeOf(shown, other).parentId, nodeOf(shown, leaf).parentId]).toEqual([null, other]);
  expect(withoutGone(shown, life.forest)).toBe(shown);
});

test('a film shows every turn for as long as it has time for them, and is never much longer than a minute', () => {
  for (let turns = 1; turns <= 200; turns++) {
    expect(timesOf(turns)).toMatchObject({ step: 1, moments: turns });
    expect(timesOf(turns).length).toBeLessThan(64.1);
  }
  expect(timesOf(58).length).toBeCloseTo(64);
  expect(timesOf(201)).toMatchObject({ step: 2, moments: 101, each: 0.3 });
  expect(timesOf(0)).toMatchObject({ moments: 0 });
});
