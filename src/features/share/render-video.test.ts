import { expect, test } from 'vitest';
import { fold } from '../../domain/apply.ts';
import { violations } from '../../domain/invariants.ts';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { withoutGone } from './render-video.ts';

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
