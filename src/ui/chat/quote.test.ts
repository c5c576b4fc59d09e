import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { activePath } from '../../domain/queries.ts';
import { noteWords } from './quote.tsx';

beforeEach(() => vi.stubGlobal('getSelection', () => null));
afterEach(() => vi.unstubAllGlobals());

const opened = async () => {
  const { actions, store } = await plainApp();
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
