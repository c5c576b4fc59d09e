import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { fold, frozen } from '../../domain/apply.ts';
import { recordsOf } from '../../domain/table.ts';
import { doneInSteps, plainForest, reopened } from '../../domain/testing/plain-forest.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { originWords, turnsByVersion } from './versions-page.tsx';

/** A long conversation, in which every third turn was decided with the default settings by name, the first with these changed. */
const decided = async (changed = {}) => {
  const { actions, store } = await plainApp(countingChat());
  await actions.send('#trip one');
  const [first] = recordsOf(store.getState().forest.nodes);
  const { trace } = first?.decision ?? {};
  if (trace == null) throw new Error('no trace');
  const { settings: _, ...unnamed } = trace;
  const named = (parameters = {}) => ({ ...unnamed, settings: { version: 0, parameters, prompts: [] } });
  const forest = plainForest(frozen(fold(syntheticLog(300, 3))));
  const nodes = recordsOf(forest.nodes).map((node, at) => {
    return { ...node, decision: { ...node.decision, trace: at % 3 === 0 ? named(at === 0 ? changed : {}) : unnamed } };
  });
  return reopened({ ...forest, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) });
};

test('the turns of each version are counted in steps, and each decision is read once', async () => {
  const { forest, reads } = await decided();
  const count = () => doneInSteps(turnsByVersion(forest, { versions: [] }), () => reads.details);
  const { result, counts } = count();
  expect([...result]).toEqual([[0, 100]]);
  expect(reads.details).toBe(300);
  expect(Math.max(...counts)).toBeLessThan(100);
  const again = count();
  expect(again.result).toEqual(result);
  expect(reads.details).toBe(300);
});

test('a turn decided with changed default settings, as in a re-run that was kept, is not counted with the default settings', async () => {
  const { forest } = await decided({ theta: 0.3 });
  const { result } = doneInSteps(turnsByVersion(forest, { versions: [] }), () => 0);
  expect([...result]).toEqual([[0, 99]]);
});

test('a version made from one that could not be read says what it is compared with', () => {
  const saved = { version: 1, at: 0, from: 0, policy: 'focused', parameters: {}, prompts: {} };
  expect(originWords({ versions: [saved] }, 0)).toBe('from the default settings');
  expect(originWords({ versions: [saved] }, 1)).toBe('from version 1');
  expect(originWords({ versions: [saved] }, 2)).toContain('compared with the default settings');
});
