import { describe, expect, test } from 'vitest';
import type { Target } from '../domain/decision.ts';
import { nodeOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import type { Embedder } from '../engine/ports.ts';
import { bagEmbedder, countingChat, gate, heldDecider, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { plainApp, toldOfChanges, until } from './testing/plain-app.ts';

/** A conversation, and where its next message goes. */
const conversation = async (messages: readonly string[], ports?: Parameters<typeof plainApp>[1]) => {
  const app = await plainApp(countingChat(), ports);
  for (const message of messages) await app.actions.send(message);
  const { actions, store } = app;
  const forest = () => store.getState().forest;
  const idOf = (message: string) => recordsOf(forest().nodes).find((node) => node.message === message)?.id ?? '';
  const parentOf = (message: string) => nodeOf(forest(), idOf(message)).parentId;
  const write = (draft: string, target: Target | null = null) => actions.session({ draft, target });
  const sendDraft = () => actions.send(store.getState().session.draft);
  return { ...app, forest, idOf, parentOf, write, sendDraft, session: () => store.getState().session };
};

describe('a message that is undone', () => {
  test.each([true, undefined])('goes back to the composer with the place chosen for it (%s)', async (chosen) => {
    const app = await conversation(['#trip one', 'two', 'three']);
    const label = chosen === undefined ? {} : { chosen };
    const target = { kind: 'under', nodeId: app.idOf('#trip one'), ...label } as const;
    app.write('abuot one', target);
    await app.sendDraft();
    await app.actions.undo();
    expect(app.session()).toMatchObject({ draft: 'abuot one', target });
    await app.actions.redo();
    expect(app.session()).toMatchObject({ draft: '', target: null });
    await app.actions.undo();
    app.actions.session({ draft: 'about one' });
    await app.sendDraft();
    expect(app.parentOf('about one')).toBe(app.idOf('#trip one'));
  });

  test('begins a topic again if it was to', async () => {
    const app = await conversation(['#trip one', 'two']);
    app.write('else', { kind: 'new-topic', chosen: true });
    await app.sendDraft();
    await app.actions.undo();
    expect(app.session().target).toEqual({ kind: 'new-topic', chosen: true });
  });

  test('has its place back also if it was still waiting for it', async () => {
    const { decide } = heldDecider();
    const models = plainModels({ decide });
    const app = await conversation(['#trip one'], { models: () => models });
    const target = { kind: 'under', nodeId: app.idOf('#trip one'), chosen: true } as const;
    app.write('about one', target);
    void app.sendDraft();
    await until(app.store, ({ forest }) => recordsOf(forest.pending).length > 0);
    await app.actions.undo();
    expect(app.session()).toMatchObject({ draft: 'about one', target });
  });

  test('stands beside its original again if it was an edit', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    app.actions.session({ editing: { nodeId: app.idOf('two'), text: 'two, but chaeper' } });
    await app.actions.sendEdited();
    await app.actions.undo();
    app.actions.session({ draft: 'two, but cheaper' });
    await app.sendDraft();
    expect(app.parentOf('two, but cheaper')).toBe(app.idOf('#trip one'));
  });

  test('stays out of the composer if it came with its reply, as in a sample', async () => {
    const app = await conversation([]);
    await app.actions.replay({ title: 'One', turns: [{ message: '#trip one', reply: 'given one' }] });
    await app.actions.undo();
    expect(app.forest().turnCount).toBe(0);
    expect(app.session().draft).toBe('');
  });

  test('is placed by the engine again if no place was chosen, and goes where the next message is to go by now', async () => {
    const app = await conversation(['#trip one', 'two']);
    await app.actions.undo();
    expect(app.session()).toMatchObject({ draft: 'two', target: null });
    await app.actions.redo();
    const target = { kind: 'new-topic', chosen: true } as const;
    app.actions.session({ target });
    await app.actions.undo();
    expect(app.session()).toMatchObject({ draft: 'two', target });
  });
});

describe('a message that is to continue from a turn that was gone to', () => {
  test('continues where the branch was ended since, and from the turn again once that is undone', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    await app.actions.activate(app.idOf('two'));
    await app.actions.activate(app.idOf('three'));
    await app.actions.endBranch(app.idOf('#trip one'));
    expect(app.session().target).toBeNull();
    await app.actions.undo();
    expect(app.session().target).toEqual({ kind: 'under', nodeId: app.idOf('three') });
    await app.actions.redo();
    await app.actions.send('four');
    expect(app.parentOf('four')).toBe(app.idOf('#trip one'));
  });

  test.each(['correct', 'moveTurns'] as const)('continues after what was put behind that turn: %s', async (how) => {
    const app = await conversation(['#trip one', 'two', '#code three']);
    const [two, three] = [app.idOf('two'), app.idOf('#code three')];
    await app.actions.activate(two);
    const under = { kind: 'under', nodeId: two } as const;
    await (how === 'correct' ? app.actions.correct(three, under) : app.actions.moveTurns([three], under));
    expect(app.forest().active?.nodeId).toBe(three);
    await app.actions.send('four');
    expect(app.parentOf('four')).toBe(three);
  });

  test('continues where another tab has gone on since', async () => {
    const storage = memoryStorage();
    const { watchLog, hear } = toldOfChanges();
    const app = await conversation(['#trip one', 'two'], { storage, watchLog });
    const other = await plainApp(countingChat(), { storage });
    await app.actions.activate(app.idOf('#trip one'));
    await other.actions.send('three');
    hear(app.store.getState().conversationId);
    await until(app.store, ({ entries }) => entries.length === other.store.getState().entries.length);
    await app.actions.send('four');
    expect(app.session().target).toBeNull();
    expect(app.parentOf('four')).toBe(app.idOf('three'));
  });

  test('does so still after an edit that moves nothing on, and goes to a place that was chosen for it whatever is edited', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    const [one, three] = [app.idOf('#trip one'), app.idOf('three')];
    await app.actions.activate(one);
    await app.actions.pinTurn(three, true);
    expect(app.session().target).toEqual({ kind: 'under', nodeId: one });
    await app.actions.activate(three);
    const chosen = { kind: 'under', nodeId: three, chosen: true } as const;
    app.actions.session({ target: chosen });
    await app.actions.endBranch(one);
    expect(app.session().target).toEqual(chosen);
  });
});

test('an edit that is stopped while it waits for its place is an edit again, and leaves the draft alone', async () => {
  const embedded = gate();
  let models = plainModels();
  const app = await conversation(['#trip one', 'two'], { models: () => models });
  const embed: Embedder['embed'] = async (texts, signal) => {
    await Promise.race([embedded.opened, new Promise((resolve) => signal?.addEventListener('abort', resolve))]);
    signal?.throwIfAborted();
    return bagEmbedder.embed(texts);
  };
  models = plainModels({ embed: { ...bagEmbedder, embed } });
  app.write('half a thought');
  app.actions.session({ editing: { nodeId: app.idOf('two'), text: 'two, but cheaper' } });
  const sending = app.actions.sendEdited();
  await until(app.store, ({ forest }) => recordsOf(forest.pending).length > 0);
  app.actions.stop();
  await sending;
  embedded.open();
  expect(app.session()).toMatchObject({
    draft: 'half a thought',
    target: null,
    editing: { nodeId: app.idOf('two'), text: 'two, but cheaper' },
  });
});

test('an edit of a turn that is gone by now goes into the draft when another is begun', async () => {
  const app = await conversation(['#trip one', 'two']);
  app.write('half a thought');
  app.actions.session({ editing: { nodeId: app.idOf('two'), text: 'two, but cheaper' } });
  await app.actions.deleteTurns([app.idOf('two')], false);
  app.actions.editMessage(app.idOf('#trip one'));
  expect(app.session()).toMatchObject({
    draft: 'half a thought\n\ntwo, but cheaper',
    editing: { nodeId: app.idOf('#trip one'), text: '#trip one' },
  });
});

test('an edit that changed nothing is forgotten with its turn', async () => {
  const app = await conversation(['#trip one', 'two']);
  app.actions.editMessage(app.idOf('two'));
  await app.actions.deleteTurns([app.idOf('two')], false);
  app.actions.editMessage(app.idOf('#trip one'));
  expect(app.session().draft).toBe('');
});

test('an edited message leaves the draft the place chosen for it, and ends only that a turn was gone to', async () => {
  const app = await conversation(['#trip one', 'two', 'three']);
  const edit = async (text: string) => {
    app.actions.session({ editing: { nodeId: app.idOf('three'), text } });
    await app.actions.sendEdited();
  };
  const target = { kind: 'under', nodeId: app.idOf('#trip one'), chosen: true } as const;
  app.write('half a thought', target);
  await edit('three, but cheaper');
  expect(app.session()).toMatchObject({ draft: 'half a thought', target });
  app.actions.session({ target: null });
  await app.actions.activate(app.idOf('two'));
  await edit('three, but dearer');
  expect(app.session().target).toBeNull();
});
