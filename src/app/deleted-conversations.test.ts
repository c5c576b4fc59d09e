import { expect, test, vi } from 'vitest';
import { replyOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { bagEmbedder, countingChat, gate, heldChat, plainModels } from '../engine/testing/plain-models.ts';
import { contentHash } from '../engine/vectors/node-vectors.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { KEPT_AFTER_DELETION } from './deleted-conversations.ts';
import { memoryDrafts, plainApp, toldOfChanges, unstartedApp, until } from './testing/plain-app.ts';

type Ports = NonNullable<Parameters<typeof plainApp>[1]>;

/** An app with conversations of these first messages, and their ids. */
const appWith = async (messages: readonly string[], { storage = memoryStorage(), ...ports }: Ports = {}) => {
  const app = await plainApp(countingChat(), { storage, ...ports });
  const ids: string[] = [];
  for (const message of messages) {
    await app.actions.newConversation();
    await app.actions.send(message);
    ids.push(app.store.getState().conversationId);
  }
  const titles = (list: 'conversations' | 'deleted') => app.store.getState()[list].map(({ title }) => title);
  return { ...app, storage, ids, titles, id: ids[0] as string };
};

test('deleted conversations are listed with the latest deletion first, also after a reload', async () => {
  const app = await appWith(['#trip one', '#bread two', '#code three']);
  for (const at of [1, 2, 0]) await app.actions.deleteConversation(app.ids[at] as string);
  expect(app.titles('deleted')).toEqual(['#trip one', '#code three', '#bread two']);
  expect(app.titles('conversations')).toEqual([]);
  const later = await appWith([], { storage: app.storage });
  expect(later.titles('deleted')).toEqual(app.titles('deleted'));
});

test('a conversation is restored where it was filed, and the open one stays open', async () => {
  const app = await appWith(['#trip one', '#bread two']);
  await app.actions.fileConversations([app.id], { folder: 'Travel', archived: true, tags: ['rail'] });
  await app.actions.deleteConversation(app.id);
  const restored = await app.actions.restoreConversation(app.id);
  expect(restored).toMatchObject({ filing: { folder: 'Travel', archived: true, tags: ['rail'] } });
  expect(app.titles('conversations')).toEqual(['#bread two', '#trip one']);
  expect(app.store.getState()).toMatchObject({ deleted: [], conversationId: app.ids[1] });
});

test('one that another tab deleted keeps its place and its date when a message brings it back', async () => {
  const { watchLog, hear } = toldOfChanges();
  const app = await appWith(['#trip one'], { watchLog });
  await app.actions.fileConversations([app.id], { folder: 'Travel' });
  const before = await app.storage.conversation(app.id);
  await app.storage.setDeleted([app.id], 9);
  hear(app.id);
  await until(app.store, ({ deleted }) => deleted.length === 1);
  await app.actions.send('two');
  const known = { createdAt: before?.createdAt, filing: { folder: 'Travel' } };
  expect(await app.storage.conversation(app.id)).toMatchObject({ ...known, deletedAt: null });
  expect(app.store.getState()).toMatchObject({ deleted: [], conversations: [known] });
});

/** A storage that holds back what it has read of the conversation `slow.id` to open it. */
const slowStorage = () => {
  const storage = memoryStorage();
  const [held, reached] = [gate(), gate()];
  const slow = { id: '' };
  const open: Storage['open'] = async (id) => {
    const log = await storage.open(id);
    if (id === slow.id) {
      reached.open();
      await held.opened;
    }
    return log;
  };
  return { storage: { ...storage, open }, slow, reached: reached.opened, letGo: held.open };
};

const readFile: NonNullable<Ports['readFile']> = async (file) => ({
  ok: true,
  attachment: { id: `of ${await file.text()}`, name: file.name, mediaType: 'text/plain', size: file.size },
  bytes: file,
});

test('nothing is left of a conversation that is deleted for good: neither draft nor files', async () => {
  const drafts = memoryDrafts();
  const app = await appWith(['#trip one', '#bread two'], { drafts, readFile });
  await app.actions.openConversation(app.id);
  await app.actions.attach([new File(['sent'], 'sent.txt')]);
  await app.actions.send('with a file');
  await app.actions.attach([new File(['apples'], 'apples.txt')]);
  app.actions.session({ draft: 'half a thought' });
  expect(await app.storage.blobsKept()).toMatchObject({ files: 2 });
  await app.actions.deleteConversation(app.id);
  expect(drafts.read(app.id)).toBe('half a thought');

  expect(await app.actions.removeConversations([app.id])).toEqual([]);
  expect(await app.storage.read(app.id)).toEqual([]);
  expect(await app.storage.conversation(app.id)).toBeUndefined();
  expect(await app.storage.blobsKept()).toEqual({ files: 0, bytes: 0 });
  expect(drafts.read(app.id)).toBe('');
  expect(app.titles('deleted')).toEqual([]);
  expect(app.titles('conversations')).toEqual(['#bread two']);
});

test('the files of a draft whose conversation was removed as the page was closed go with the next visit, and no others', async () => {
  const app = await appWith(['#trip one', '#bread two'], { readFile });
  for (const [at, text] of ['apples', 'pears'].entries()) {
    await app.actions.openConversation(app.ids[at] as string);
    await app.actions.attach([new File([text], `${text}.txt`)]);
  }
  await app.actions.newConversation();
  await app.actions.attach([new File(['plums'], 'plums.txt')]);
  const namedIn = async () => Object.keys((await app.storage.setting('draft-files')) as object);
  await until(app.store, ({ session }) => session.attached.length === 1);
  await vi.waitFor(async () => expect(await namedIn()).toHaveLength(3));
  await app.storage.purge(app.id);
  await plainApp(countingChat(), { storage: app.storage, readFile });
  await vi.waitFor(async () => expect(await namedIn()).toEqual([app.ids[1], 'new']));
  expect(await app.storage.readBlob('of apples')).toBeUndefined();
  for (const kept of ['of pears', 'of plums']) expect(await app.storage.readBlob(kept)).toBeDefined();
});

test('a draft goes before its conversation does for good, and is there again if that stays', async () => {
  const drafts = memoryDrafts();
  const storage = memoryStorage();
  const outcomes = [false, 'fails', true] as const;
  const found: string[] = [];
  let tried = 0;
  const purge: Storage['purge'] = async (...of) => {
    found.push(drafts.read(of[0]));
    const outcome = outcomes[tried++];
    if (outcome === 'fails') throw new StorageFailure('full', 'The disk is full.');
    return outcome === true && storage.purge(...of);
  };
  const app = await appWith(['#trip one', '#bread two'], { drafts, storage: { ...storage, purge } });
  drafts.save(app.id, 'half a thought');
  await app.actions.deleteConversation(app.id);
  expect(await app.actions.removeConversations([app.id])).toEqual([app.id]);
  expect(drafts.read(app.id)).toBe('half a thought');
  await expect(app.actions.removeConversations([app.id])).rejects.toThrow('The disk is full.');
  expect(drafts.read(app.id)).toBe('half a thought');
  expect(await app.actions.removeConversations([app.id])).toEqual([]);
  expect(drafts.read(app.id)).toBe('');
  expect(found).toEqual(['', '', '']);
});

test('a file of a draft stays while the draft of another conversation has it too', async () => {
  const readFile: NonNullable<Ports['readFile']> = async (file) => ({
    ok: true,
    attachment: { id: 'apples', name: file.name, mediaType: 'text/plain', size: file.size },
    bytes: file,
  });
  const app = await appWith(['#trip one', '#bread two'], { readFile });
  for (const id of app.ids) {
    await app.actions.openConversation(id);
    await app.actions.attach([new File(['apples'], 'apples.txt')]);
  }
  await app.actions.deleteConversation(app.id);
  await app.actions.removeConversations([app.id]);
  expect(await app.storage.readBlob('apples')).toBeDefined();
});

test('a file that was sent stays while the draft of another conversation has it, and one that is gone is reported', async () => {
  const readFile: NonNullable<Ports['readFile']> = async (file) => ({
    ok: true,
    attachment: { id: 'apples', name: file.name, mediaType: 'text/plain', size: file.size },
    bytes: file,
  });
  const app = await appWith(['#trip one', '#bread two'], { readFile });
  const [trip, bread] = app.ids as [string, string];
  await app.actions.openConversation(trip);
  await app.actions.attach([new File(['apples'], 'apples.txt')]);
  await app.actions.send('#trip with a file');
  await app.actions.openConversation(bread);
  await app.actions.attach([new File(['apples'], 'apples.txt')]);
  await app.actions.openConversation(trip);
  await app.actions.purgeTurns(Object.keys(app.store.getState().forest.nodes));
  expect(await app.storage.readBlob('apples')).toBeDefined();
  await app.actions.deleteConversation(trip);
  await app.actions.removeConversations([trip]);
  expect(await app.storage.readBlob('apples')).toBeDefined();
  expect(app.store.getState()).toMatchObject({ problems: [], session: { attached: [{ name: 'apples.txt' }] } });

  const [id] = app.ids.slice(1);
  await app.actions.newConversation();
  await app.storage.dropUnused({ id: 'apples' });
  await app.actions.openConversation(id as string);
  expect(app.store.getState()).toMatchObject({
    problems: [{ title: 'apples.txt is not attached' }],
    session: { attached: [] },
  });
});

test('what another tab restores first is not deleted for good, and what it deleted for good is not restored', async () => {
  const app = await appWith(['#trip one', '#bread two', '#code three']);
  const [trip, bread] = app.ids as [string, string];
  for (const id of [trip, bread]) await app.actions.deleteConversation(id);
  // The other tab's changes have not been heard of yet.
  await app.storage.setDeleted([trip], null);
  expect(await app.actions.removeConversations([trip, bread])).toEqual([trip]);
  expect(app.titles('conversations')).toEqual(['#code three', '#trip one']);
  expect(await app.actions.restoreConversation(bread)).toBeUndefined();
  expect(app.titles('deleted')).toEqual([]);
});

test('what is still being embedded when its conversation is deleted for good leaves no vectors', async () => {
  const { storage } = await appWith(['#bread two', '#trip one']);
  const held = gate();
  const reached = gate();
  const embed: typeof bagEmbedder = {
    ...bagEmbedder,
    name: 'another',
    embed: async (texts) => {
      reached.open();
      await held.opened;
      return bagEmbedder.embed(texts);
    },
  };
  const app = await plainApp(countingChat(), { storage, models: () => plainModels({ embed }) });
  await reached.opened;
  const { conversationId } = app.store.getState();
  await app.actions.deleteConversation(conversationId);
  await app.actions.removeConversations([conversationId]);
  held.open();
  await app.actions.send('#bread three');
  const known = await storage.readVectors('another', ['#trip one', '#bread two', '#bread three'].map(contentHash));
  expect(known.map((vector) => vector !== undefined)).toEqual([false, true, true]);
});

test('Revert opens what deleting had closed, and leaves the reply in the open conversation alone otherwise', async () => {
  const storage = memoryStorage();
  const { id } = await appWith(['#trip one'], { storage });
  const { chat, letGo } = heldChat();
  const app = await plainApp(chat, { storage });
  await app.actions.newConversation();
  const sent = app.actions.send('#bread two');
  await until(app.store, ({ turn }) => turn?.phase === 'replying');
  const open = app.store.getState().conversationId;
  await app.actions.deleteConversation(id);
  app.store.getState().notice?.action?.run();
  await until(app.store, ({ conversations }) => conversations.length === 2);
  letGo();
  await sent;
  expect(app.store.getState().conversationId).toBe(open);
  expect(recordsOf(app.store.getState().forest.nodes).map((node) => replyOf(node)?.state)).toEqual(['done']);

  await app.actions.deleteConversation(open);
  expect(app.store.getState().conversationId).toBe(id);
  app.store.getState().notice?.action?.run();
  await until(app.store, ({ conversationId }) => conversationId === open);
});

test('Revert says so where nothing is left to restore', async () => {
  const app = await appWith(['#trip one', '#bread two']);
  await app.actions.deleteConversation(app.id);
  const { notice } = app.store.getState();
  expect(notice?.text).toBe('“#trip one” deleted. It stays in Recently deleted for a day.');
  await app.storage.purge(app.id);
  notice?.action?.run();
  await until(app.store, (state) => state.notice?.text.includes('can’t be restored') === true);
  expect(app.store.getState()).toMatchObject({ conversationId: app.ids[1], deleted: [] });
});

test.each(['the news of it comes', 'more is written'])(
  'one that is open here is left when another tab deletes it for good, in the middle of a reply: first %s',
  async (first) => {
    const { watchLog, hear } = toldOfChanges();
    const held = gate();
    const reached = gate();
    const chat = {
      ...countingChat(),
      async *reply() {
        yield 'half ';
        reached.open();
        await held.opened;
        yield 'whole';
      },
    };
    const storage = memoryStorage();
    const app = await plainApp(chat, { storage, watchLog });
    const sent = app.actions.send('#trip one');
    await reached.opened;
    const { conversationId } = app.store.getState();
    await storage.purge(conversationId);
    if (first === 'more is written') {
      held.open();
      await sent;
    }
    hear(conversationId);
    await until(app.store, (state) => state.conversationId !== conversationId);
    held.open();
    await sent;
    await until(app.store, ({ notice }) => notice !== null);
    expect(app.store.getState()).toMatchObject({
      conversations: [],
      forest: { turnCount: 0 },
      notice: { text: '“#trip one” was deleted for good in another tab.' },
      problems: [],
      storage: { kind: 'indexeddb' },
    });
    expect(await storage.conversations()).toEqual([]);
  },
);

test.each(['it was deleted for good', 'all was cleared'])(
  'one that is stored no longer, of which no news comes, stays to be exported, with the message that was to be sent: %s',
  async (how) => {
    const { watchLog, hear } = toldOfChanges();
    const drafts = memoryDrafts();
    const app = await appWith(['#trip one', '#bread two'], { watchLog, drafts, readFile });
    const { conversationId, entries } = app.store.getState();
    await app.actions.attach([new File(['apples'], 'apples.txt')]);
    for (const id of how === 'all was cleared' ? app.ids : [conversationId]) await app.storage.purge(id);
    const left = await app.storage.conversations();
    const shown = { conversationId, entries, session: { draft: 'three', attached: [{ name: 'apples.txt' }] } };
    app.actions.session({ draft: 'three' });
    await app.actions.send('three');
    expect(app.store.getState()).toMatchObject({
      ...shown,
      notice: null,
      problems: [{ title: '“#bread two” is no longer stored', action: { label: 'Export' } }],
      storage: { kind: 'indexeddb' },
    });
    expect(drafts.read(conversationId)).toBe('three');
    // Nor do other changes take it away.
    await app.actions.renameConversation(conversationId, 'Bread');
    await app.actions.changeStorage(async () => undefined);
    expect(app.store.getState()).toMatchObject({ ...shown, problems: [{ action: { label: 'Export' } }] });
    expect(await app.storage.conversations()).toEqual(left);

    hear(conversationId);
    await until(app.store, ({ notice }) => notice?.text === '“#bread two” was deleted for good in another tab.');
    expect(app.store.getState().problems).toEqual([]);
    expect(drafts.read(conversationId)).toBe('');
  },
);

test('listed ones that are stored no longer are not opened as empty ones, but said to be gone', async () => {
  const app = await appWith(['#trip one', '#bread two', '#code three', '#trip four']);
  const [first, second, third, fourth] = app.ids as [string, string, string, string];
  await app.storage.purge(first);
  await app.actions.openConversation(first);
  expect(app.store.getState()).toMatchObject({
    conversationId: fourth,
    notice: { text: '“#trip one” is no longer stored.' },
  });
  expect(app.titles('conversations')).toEqual(['#trip four', '#code three', '#bread two']);
  // Nor is one opened in place of another.
  await app.storage.purge(third);
  await app.actions.deleteConversation(fourth);
  expect(app.store.getState()).toMatchObject({ conversationId: second, forest: { turnCount: 1 } });
  expect(app.titles('conversations')).toEqual(['#bread two']);
});

test.each(['Delete', 'Rename'])('of a listed one that is stored no longer, %s says that it is gone', async (what) => {
  const app = await appWith(['#trip one', '#bread two']);
  const { conversationId } = app.store.getState();
  const act = (id: string): Promise<unknown> =>
    what === 'Delete' ? app.actions.deleteConversation(id) : app.actions.renameConversation(id, 'Else');
  await app.storage.purge(app.id);
  await act(app.id);
  expect(app.store.getState()).toMatchObject({ notice: { text: '“#trip one” is no longer stored.' }, deleted: [] });
  expect(app.titles('conversations')).toEqual(['#bread two']);
  // What is open may have the only copy.
  await app.storage.purge(conversationId);
  await act(conversationId);
  expect(app.store.getState()).toMatchObject({
    conversationId,
    forest: { turnCount: 1 },
    problems: [{ title: '“#bread two” is no longer stored' }],
  });
});

test('as the page opens, those that are stored no longer are passed over', async () => {
  const { storage, ids } = await appWith(['#trip one', '#bread two', '#code three']);
  const listed = await storage.conversations();
  for (const id of ids.slice(1)) await storage.purge(id);
  let isFirst = true;
  // Another tab deletes them just after the list was read.
  const conversations: Storage['conversations'] = async () => {
    if (!isFirst) return storage.conversations();
    isFirst = false;
    return listed;
  };
  const app = await appWith([], { storage: { ...storage, conversations } });
  expect(app.store.getState()).toMatchObject({ conversationId: ids[0], forest: { turnCount: 1 } });
  expect(app.titles('conversations')).toEqual(['#trip one']);
});

test('what is opened while the next one turns out to be gone stays open', async () => {
  const storage = memoryStorage();
  const [held, reached] = [gate(), gate()];
  let gone = '';
  const app = await appWith(['#trip one', '#bread two', '#code three', '#trip four'], {
    storage: {
      ...storage,
      conversation: async (id) => {
        if (id === gone) {
          reached.open();
          await held.opened;
        }
        return storage.conversation(id);
      },
    },
  });
  const [trip, , code, last] = app.ids as [string, string, string, string];
  await storage.purge(code);
  gone = code;
  const deleted = app.actions.deleteConversation(last);
  await reached.opened;
  await app.actions.openConversation(trip);
  held.open();
  await deleted;
  expect(app.store.getState().conversationId).toBe(trip);
  expect(app.titles('conversations')).toEqual(['#bread two', '#trip one']);
});

test('what is opened in place of another stays open though another tab deletes it meanwhile', async () => {
  const { storage, slow, reached, letGo } = slowStorage();
  const { watchLog, hear } = toldOfChanges();
  const app = await appWith(['#trip one', '#bread two', '#code three'], { watchLog, storage });
  const [, bread, code] = app.ids as [string, string, string];
  slow.id = bread;
  const deleted = app.actions.deleteConversation(code);
  await reached;
  await storage.setDeleted([bread], 9);
  hear(bread);
  await until(app.store, (state) => state.deleted.length === 2);
  letGo();
  await deleted;
  expect(app.store.getState()).toMatchObject({ conversationId: bread, forest: { turnCount: 1 } });
});

test('where the next one cannot be read, what was deleted does not stay on the screen', async () => {
  const storage = memoryStorage();
  let unreadable = '';
  const open: Storage['open'] = async (id) => {
    if (id === unreadable) throw new StorageFailure('closed', 'The connection was closed.');
    return storage.open(id);
  };
  const app = await appWith(['#trip one', '#bread two'], { storage: { ...storage, open } });
  unreadable = app.id;
  await app.actions.deleteConversation(app.ids[1] as string);
  expect(app.store.getState()).toMatchObject({
    entries: [],
    deleted: [{ title: '#bread two' }],
    problems: [{ title: 'The conversation could not be opened' }],
  });
});

test('what is deleted while it is being opened in place of another is not opened any more', async () => {
  const { storage, slow, reached, letGo } = slowStorage();
  const app = await appWith(['#trip one', '#bread two', '#code three'], { storage });
  const [trip, bread, code] = app.ids as [string, string, string];
  slow.id = bread;
  const deleted = app.actions.deleteConversation(code);
  await reached;
  await app.actions.deleteConversation(bread);
  letGo();
  await deleted;
  expect(app.store.getState().conversationId).toBe(trip);
  expect(app.titles('conversations')).toEqual(['#trip one']);
});

test.each(['an older one', 'a new one'])(
  'what is deleted while it is being opened leaves the conversation that is on screen there: %s',
  async (which) => {
    const { storage, slow, reached, letGo } = slowStorage();
    const app = await appWith(['#trip one', '#bread two', '#code three'], { storage });
    const [trip, bread] = app.ids as [string, string];
    if (which === 'a new one') await app.actions.newConversation();
    else await app.actions.openConversation(trip);
    const { conversationId } = app.store.getState();
    slow.id = bread;
    const opened = app.actions.openConversation(bread);
    await reached;
    await app.actions.deleteConversation(bread);
    letGo();
    await opened;
    expect(app.store.getState().conversationId).toBe(conversationId);
    expect(app.titles('conversations')).toEqual(['#code three', '#trip one']);
    // Nor does reverting that open it.
    app.store.getState().notice?.action?.run();
    await until(app.store, ({ conversations }) => conversations.length === 3);
    expect(app.store.getState().conversationId).toBe(conversationId);
  },
);

test('one that another tab has deleted for good is not stored again by a purge in it', async () => {
  const app = await appWith(['#trip one']);
  const [first] = recordsOf(app.store.getState().forest.nodes);
  await app.storage.purge(app.id);
  await app.actions.purgeTurns([first?.id ?? '']);
  expect(app.store.getState()).toMatchObject({
    forest: { turnCount: 1 },
    notice: { text: 'Nothing was changed: this conversation is no longer stored.' },
    problems: [{ title: '“#trip one” is no longer stored' }],
    storage: { kind: 'indexeddb' },
  });
  expect(await app.storage.conversations()).toEqual([]);
  expect(await app.storage.read(app.id)).toEqual([]);
});

test('one that another tab deleted and that is open here is left when it is deleted for good here', async () => {
  const { watchLog, hear } = toldOfChanges();
  const app = await appWith(['#bread two', '#trip one'], { watchLog });
  const { conversationId } = app.store.getState();
  await app.storage.setDeleted([conversationId], 9);
  hear(conversationId);
  await until(app.store, ({ deleted }) => deleted.length === 1);
  await app.actions.removeConversations([conversationId]);
  expect(app.store.getState()).toMatchObject({ conversationId: app.id, deleted: [], problems: [] });
  expect(recordsOf(app.store.getState().forest.nodes).map((node) => replyOf(node)?.state)).toEqual(['done']);
});

test('where the storage is too full to note that one is deleted, it is deleted in this tab and makes room for good', async () => {
  const storage = memoryStorage();
  const setDeleted = () => Promise.reject(new StorageFailure('full', 'There is no room left.'));
  const app = await appWith(['#trip one', '#bread two'], { storage: { ...storage, setDeleted } });
  await app.actions.deleteConversation(app.id);
  expect([app.titles('conversations'), app.titles('deleted')]).toEqual([['#bread two'], ['#trip one']]);
  expect(app.store.getState()).toMatchObject({
    storage: { kind: 'memory', stopped: 'full' },
    problems: [{ title: 'The browser’s storage is full' }],
  });
  expect(await app.actions.removeConversations([app.id])).toEqual([]);
  expect((await storage.conversations()).map(({ title }) => title)).toEqual(['#bread two']);
});

test('if the storage fails, those not yet removed stay listed and the failure reaches the caller', async () => {
  const storage = memoryStorage();
  let left = 1;
  const purge: Storage['purge'] = (...which) =>
    left-- > 0 ? storage.purge(...which) : Promise.reject(new StorageFailure('closed', 'The connection was closed.'));
  const app = await appWith(['#trip one', '#bread two', '#code three'], { storage: { ...storage, purge } });
  for (const id of app.ids) await app.actions.deleteConversation(id);
  await expect(app.actions.removeConversations(app.ids)).rejects.toThrow('The connection was closed.');
  expect(app.titles('deleted')).toEqual(['#code three', '#bread two']);
});

test.each(['purge', 'dropUnused'] as const)(
  'the last conversation opens even if what was deleted earlier cannot be removed: %s',
  async (fails) => {
    const app = await appWith(['#trip one', '#bread two']);
    await app.actions.deleteConversation(app.ids[1] as string);
    const fail = () => Promise.reject(new StorageFailure('full', 'The browser has no room left.'));
    const later = await plainApp(countingChat(), {
      storage: { ...app.storage, [fails]: fail },
      now: () => 3 * KEPT_AFTER_DELETION,
    });
    await until(later.store, ({ problems }) => problems.length > 0);
    expect(later.store.getState()).toMatchObject({
      phase: 'ready',
      conversationId: app.id,
      problems: [{ title: 'Removing what was deleted earlier failed' }],
    });
  },
);

test('each goes for good once its time is up: when the page opens, and while it stays open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let clock = 1_000;
    const storage = memoryStorage();
    const app = await appWith(['#trip one', '#bread two', '#code three'], { storage, now: () => clock });
    for (const id of app.ids.slice(0, 2)) {
      await app.actions.deleteConversation(id);
      clock += 5 * 60_000;
    }
    clock = 1_000 + KEPT_AFTER_DELETION - 1;
    expect((await appWith([], { storage, now: () => clock })).titles('deleted')).toEqual(['#bread two', '#trip one']);
    clock += 1;
    const later = await appWith([], { storage, now: () => clock });
    await until(later.store, ({ deleted }) => deleted.length === 1);
    expect(later.titles('deleted')).toEqual(['#bread two']);

    clock += 5 * 60_000;
    vi.advanceTimersByTime(KEPT_AFTER_DELETION);
    await until(app.store, ({ deleted }) => deleted.length === 0);
    expect((await storage.conversations()).map(({ title }) => title)).toEqual(['#code three']);
  } finally {
    vi.useRealTimers();
  }
});

test('the page opens, and can be used, while what was deleted long ago is being removed', async () => {
  const before = await appWith(['#trip one', '#bread two']);
  await before.actions.deleteConversation(before.id);
  await before.storage.setDeleted([before.id], -KEPT_AFTER_DELETION);
  const { open: letGo, opened: held } = gate();
  const purge: Storage['purge'] = async (...given) => {
    await held;
    return before.storage.purge(...given);
  };
  const later = unstartedApp(countingChat(), { storage: { ...before.storage, purge } });
  await later.start();
  await later.actions.renameConversation(before.ids[1] as string, 'Bread');
  expect(later.store.getState()).toMatchObject({ conversationId: before.ids[1], conversations: [{ title: 'Bread' }] });
  letGo();
  await until(later.store, ({ deleted }) => deleted.length === 0);
  expect(await before.storage.conversation(before.id)).toBeUndefined();
});
