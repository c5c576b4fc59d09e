import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { plainApp, until } from '../../app/testing/plain-app.ts';
import { activePath, pendingTurn } from '../../domain/queries.ts';
import type { Decider } from '../../engine/ports.ts';
import { countingChat, heldDecider, plainModels } from '../../engine/testing/plain-models.ts';
import { noteWords } from './quote.tsx';

beforeEach(() => vi.stubGlobal('getSelection', () => null));
afterEach(() => vi.unstubAllGlobals());

const opened = async (decide?: Decider) => {
  const models = plainModels(decide === undefined ? {} : { decide });
  const { actions, store } = await plainApp(countingChat(), { models: () => models });
  await actions.send('#trip one');
  const node = () => activePath(store.getState().forest)[0];
  const nodeId = node()?.id as string;
  const note = () => noteWords({ actions, state: store.getState }, { nodeId, words: 'one' });
  return { actions, store, node, nodeId, note };
};

describe('selected words', () => {
  test('are added to the note of their turn', async () => {
    const { actions, store, node, nodeId, note } = await opened();
    await actions.noteTurn(nodeId, 'Mine.');
    await note();
    expect(node()?.note).toBe('Mine.\n“one”');
    expect(store.getState().session).toMatchObject({ selectedId: nodeId, dialog: 'note' });
  });

  test('are kept in the inspector where the note cannot be saved, as while a message is being placed', async () => {
    const { decide, letGo } = heldDecider();
    const { actions, store, node, nodeId, note } = await opened(decide);
    await actions.noteTurn(nodeId, 'Mine.');
    const sending = actions.send('two');
    await until(store, ({ forest }) => pendingTurn(forest) !== null);
    await note();
    expect(node()?.note).toBe('Mine.');
    expect(store.getState().session).toMatchObject({
      writing: [{ nodeId, what: 'note', text: 'Mine.\n“one”' }],
      dialog: null,
      tab: 'turn',
    });
    letGo();
    await sending;
  });

  test('are added to what is being written there, and saved with it', async () => {
    const { actions, store, node, nodeId, note } = await opened();
    actions.session({ writing: [{ nodeId, what: 'note', text: 'half a thought\n' }], folded: ['inspector'] });
    await note();
    expect(node()?.note).toBeNull();
    expect(store.getState().session).toMatchObject({
      writing: [{ text: 'half a thought\n“one”' }],
      dialog: null,
      tab: 'turn',
      folded: [],
    });
  });
});
