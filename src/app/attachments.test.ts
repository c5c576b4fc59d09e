import { describe, expect, test } from 'vitest';
import type { Entry } from '../domain/entry.ts';
import { pendingTurn } from '../domain/queries.ts';
import { idsOf, recordsOf } from '../domain/table.ts';
import type { Summariser } from '../engine/ports.ts';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { countingChat, firstWords, gate, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { keptDataUrls } from './attachments.ts';
import type { ReadFile } from './kernel.ts';
import { memoryDrafts, plainApp, unstartedApp, until } from './testing/plain-app.ts';

/** Reads a file as text, with that text as its id; a file whose name starts with `bad` fails, and one with `odd` throws. */
const readFile = async (file: File): Promise<ReadFile> => {
  if (file.name.startsWith('bad')) return { ok: false, why: 'It is bad.' };
  if (file.name.startsWith('odd')) throw new Error('It broke the reader.');
  const text = await file.text();
  const attachment = { id: `of ${text}`, name: file.name, mediaType: 'text/plain', size: file.size, text };
  return { ok: true, attachment, bytes: file };
};

const opened = async () => {
  const storage = memoryStorage();
  const chat = countingChat();
  const app = await plainApp(chat, { storage, readFile });
  const session = () => app.store.getState().session;
  const names = () => session().attached.map(({ name }) => name);
  return { ...app, storage, chat, session, names };
};

const notes = () => new File(['red apples'], 'notes.txt');

test('what is attached is kept before it is sent, goes with the message, and is what the model gets', async () => {
  const { actions, store, storage, chat, names, session } = await opened();
  await actions.attach([notes(), notes()]);
  expect(names()).toEqual(['notes.txt']);
  expect(session().attaching).toEqual([]);
  expect(await (await storage.readBlob('of red apples'))?.text()).toBe('red apples');

  actions.session({ draft: 'Read it' });
  await actions.send('Read it');
  const [node] = recordsOf(store.getState().forest.nodes);
  expect(node?.attachments?.map(({ name }) => name)).toEqual(['notes.txt']);
  expect(names()).toEqual([]);
  expect(chat.requests.at(-1)?.messages.at(-1)?.content).toBe('Read it\n\n[notes.txt]\nred apples');
  expect(await (await actions.bytesOf(node?.attachments?.[0] as never))?.text()).toBe('red apples');
});

test('files alone are sent under their names, and undoing puts them back where they were', async () => {
  const { actions, store, names, session } = await opened();
  await actions.attach([notes()]);
  await actions.send('notes.txt');
  expect(recordsOf(store.getState().forest.nodes)[0]).toMatchObject({ message: 'notes.txt' });
  await actions.undo();
  expect([session().draft, names()]).toEqual(['', ['notes.txt']]);
  await actions.redo();
  expect([session().draft, names()]).toEqual(['', []]);
});

test('a file that was attached after a message was taken back stays when the message is brought back', async () => {
  const { actions, store, names, session } = await opened();
  await actions.send('Look at this');
  await actions.undo();
  await actions.attach([notes()]);
  await actions.redo();
  expect([session().draft, names()]).toEqual(['', ['notes.txt']]);
  expect(recordsOf(store.getState().forest.nodes)[0]?.attachments).toBeUndefined();
});

test('who sends while a file is still being read sends it with the file', async () => {
  const { actions, store } = await opened();
  actions.session({ draft: 'Read it' });
  const reading = actions.attach([notes()]);
  await actions.send('Read it');
  await reading;
  const [node] = recordsOf(store.getState().forest.nodes);
  expect(node).toMatchObject({ message: 'Read it', attachments: [{ name: 'notes.txt' }] });
});

test('a file that is removed while it is being read holds up neither the message nor the files after it', async () => {
  const never = new Promise<void>(() => undefined);
  const slowly = async (file: File) => {
    if (file.name === 'long.pdf') await never;
    return readFile(file);
  };
  const { actions, store } = await plainApp(countingChat(), { readFile: slowly });
  const long = new File(['long'], 'long.pdf');
  actions.session({ draft: 'Read it' });
  const reading = actions.attach([long, notes()]);
  await until(store, ({ session }) => session.attaching.length > 0);
  const sending = actions.send('Read it');
  actions.stopAttaching(long);
  await Promise.all([reading, sending]);
  expect(recordsOf(store.getState().forest.nodes)[0]?.attachments?.map(({ name }) => name)).toEqual(['notes.txt']);
  expect(store.getState()).toMatchObject({ problems: [], session: { attached: [], attaching: [] } });
});

test.each(['saveBlobs', 'saveSetting'] as const)(
  'a file that is removed while it is being stored is not attached, here or after a reload: %s',
  async (step) => {
    const stored = memoryStorage();
    const [reached, goOn] = [gate(), gate()];
    const slowly = async (...given: never[]) => {
      reached.open();
      await goOn.opened;
      return (stored[step] as (...given: never[]) => Promise<void>)(...given);
    };
    const storage: Storage = { ...stored, [step]: slowly };
    const { actions, store } = await plainApp(countingChat(), { storage, readFile });
    const file = notes();
    const reading = actions.attach([file]);
    await reached.opened;
    actions.stopAttaching(file);
    goOn.open();
    expect(await reading).toBe(false);
    expect(store.getState().session).toMatchObject({ attached: [], attaching: [] });
    expect((await plainApp(countingChat(), { storage })).store.getState().session.attached).toEqual([]);
  },
);

test('a message is not sent without a file that was refused after Send was pressed', async () => {
  const { actions, store, session } = await opened();
  actions.session({ draft: 'Read it' });
  const reading = actions.attach([new File(['x'], 'bad.bin')]);
  await actions.send('Read it');
  await reading;
  expect(store.getState().forest.turnCount).toBe(0);
  expect(session().draft).toBe('Read it');
  expect(store.getState().problems).toMatchObject([{ title: 'bad.bin is not attached' }]);
  await actions.send('Read it');
  expect(store.getState().forest.turnCount).toBe(1);
});

test('a message goes with the files it had when Send was pressed, whatever is added until the turn before is done', async () => {
  const summarising = gate();
  const goOn = gate();
  const summarise = async (...asked: Parameters<Summariser['summarise']>) => {
    summarising.open();
    await goOn.opened;
    return firstWords.summarise(...asked);
  };
  const models = plainModels({ summarise: { ...firstWords, summarise } });
  const { actions, store } = await plainApp(countingChat(), { readFile, models: () => models });
  const first = actions.send('#bread one');
  await summarising.opened;
  await actions.attach([notes(), new File(['plums'], 'plums.txt')]);
  actions.session({ draft: 'Read it' });
  const second = actions.send('Read it');
  await actions.detach(store.getState().session.attached[1] as never);
  await actions.attach([new File(['pears'], 'pears.txt')]);
  actions.session({ draft: 'Read it and' });
  goOn.open();
  await Promise.all([first, second]);
  const sent = recordsOf(store.getState().forest.nodes).find(({ message }) => message === 'Read it');
  expect(sent?.attachments?.map(({ name }) => name)).toEqual(['notes.txt']);
  expect(store.getState().session).toMatchObject({ draft: 'and', attached: [{ name: 'pears.txt' }] });
});

test('an edited message keeps its files, and its bytes stay until both turns are purged', async () => {
  const { actions, store, storage } = await opened();
  await actions.attach([notes()]);
  actions.session({ draft: 'Read it' });
  await actions.send('Read it');
  const [first] = idsOf(store.getState().forest.nodes) as [string];
  actions.session({ editing: { nodeId: first, text: 'Read it well' } });
  await actions.sendEdited();
  const edited = recordsOf(store.getState().forest.nodes).find(({ message }) => message === 'Read it well');
  expect(edited?.attachments?.length).toBe(1);
  await actions.purgeTurns([first]);
  expect(await storage.readBlob('of red apples')).toBeDefined();
  await actions.purgeTurns([edited?.id as string]);
  expect(await storage.readBlob('of red apples')).toBeUndefined();
  expect(JSON.stringify(await storage.read(store.getState().conversationId))).not.toContain('red apples');
});

test('an edited message leaves behind what an assistant made for the reply, and so does one that is undone', async () => {
  const { actions, store, session } = await opened();
  await actions.attach([notes()]);
  actions.session({ draft: 'Draw it' });
  await actions.send('Draw it');
  const drawn = { id: 'of a drawing', name: 'drawing.png', mediaType: 'image/png', size: 1, made: true as const };
  const entries = store.getState().entries.map((entry): Entry => {
    const { event } = entry;
    if (event.type !== 'message-sent') return entry;
    return { ...entry, event: { ...event, attachments: [...(event.attachments ?? []), drawn] } };
  });
  await actions.adopt({ title: 'Drawn', entries });
  const [first] = idsOf(store.getState().forest.nodes) as [string];
  actions.session({ editing: { nodeId: first, text: 'Draw it well' } });
  await actions.sendEdited();
  const filesOf = (text: string) =>
    recordsOf(store.getState().forest.nodes)
      .find(({ message }) => message === text)
      ?.attachments?.map(({ name }) => name);
  expect(filesOf('Draw it')).toEqual(['notes.txt', 'drawing.png']);
  expect(filesOf('Draw it well')).toEqual(['notes.txt']);

  await actions.undo();
  actions.session({ draft: '', attached: [] });
  await actions.undo();
  expect(session()).toMatchObject({ draft: 'Draw it', attached: [{ name: 'notes.txt' }] });
});

test('a file that cannot be read, or kept, is told of with its words, and the others are attached', async () => {
  const { actions, store, names } = await opened();
  await actions.attach([new File(['x'], 'bad.bin'), notes()]);
  expect(names()).toEqual(['notes.txt']);
  expect(store.getState().problems).toMatchObject([{ title: 'bad.bin is not attached', advice: 'It is bad.' }]);

  const full = async () => {
    throw new StorageFailure('full', 'The disk is full.');
  };
  const other = await plainApp(countingChat(), { storage: { ...memoryStorage(), saveBlobs: full }, readFile });
  await other.actions.attach([notes()]);
  expect(other.store.getState().session.attached).toEqual([]);
  expect(other.store.getState().problems).toMatchObject([{ advice: 'The disk is full.' }]);
});

test.each([
  [new TypeError('Failed to fetch dynamically imported module'), /Check your connection/],
  [new Error('The Word document reader did not start.'), /^It could not be read: The Word document reader/],
])('the connection is blamed only if the reader could not be loaded: %s', async (error, why) => {
  const { actions, store } = await plainApp(countingChat(), { readFile: () => Promise.reject(error) });
  await actions.attach([notes()]);
  expect(store.getState().problems).toMatchObject([{ advice: expect.stringMatching(why) }]);
});

test('what is taken away again is not kept, unless it was sent', async () => {
  const { actions, session, storage } = await opened();
  await actions.attach([notes()]);
  await actions.detach(session().attached[0] as never);
  expect(session().attached).toEqual([]);
  expect(await storage.blobsKept()).toEqual({ files: 0, bytes: 0 });

  await actions.attach([notes()]);
  await actions.send('notes.txt');
  await actions.attach([notes()]);
  await actions.detach(session().attached[0] as never);
  expect(await storage.readBlob('of red apples')).toBeDefined();
});

test('attaching says whether all files are attached', async () => {
  const { actions } = await opened();
  expect(await actions.attach([notes(), notes()])).toBe(true);
  expect(await actions.attach([new File(['x'], 'x.txt'), new File(['x'], 'bad.bin')])).toBe(false);
  const many = Array.from({ length: 19 }, (_, i) => new File([`${i}`], `${i}.txt`));
  expect(await actions.attach(many)).toBe(false);
});

test('a file of an import that cannot be read is kept without its text', async () => {
  const { actions, storage } = await opened();
  for (const name of ['bad.bin', 'odd.pdf']) {
    const { id, text } = await actions.keepFile(new File([name], name));
    expect(text).toBeUndefined();
    expect(await (await storage.readBlob(id as string))?.text()).toBe(name);
  }
});

test.each([
  [21, '20.txt is not attached'],
  [22, '20.txt and 1 other file are not attached'],
  [60, '20.txt and 39 other files are not attached'],
])('of %i files, more than a message takes, the rest are refused in one sentence: %s', async (length, title) => {
  const { actions, store, names } = await opened();
  await actions.attach(Array.from({ length }, (_, i) => new File([`file ${i}`], `${i}.txt`)));
  expect(names()).toHaveLength(20);
  expect(store.getState().problems.map((problem) => problem.title)).toEqual([title]);
});

test('a conversation that begins as another one was has its files, also when the other is gone', async () => {
  const { actions, store, storage } = await opened();
  await actions.attach([notes()]);
  await actions.send('notes.txt');
  const before = store.getState().conversationId;
  await actions.branchOff(store.getState().entries.length);
  expect(store.getState().conversationId).not.toBe(before);
  expect(pendingTurn(store.getState().forest)).toBeNull();
  await storage.purge(before);
  expect(await storage.readBlob('of red apples')).toBeDefined();
});

test('a file of a saved conversation whose bytes are others counts as missing, and the conversation opens', async () => {
  const { actions, store, storage } = await opened();
  await actions.send('one');
  const files = new Map([
    ['of nothing', new Blob(['something'])],
    ['of red apples', new Blob(['red apples'], { type: 'text/plain' })],
  ]);
  const { entries, conversationId: before } = store.getState();
  await actions.adopt({ title: 'Apples', entries, files });
  expect(store.getState().conversationId).not.toBe(before);
  expect(store.getState()).toMatchObject({ problems: [], forest: { turnCount: 1 } });
  expect(await storage.readBlob('of red apples')).toBeDefined();
  expect(await storage.readBlob('of nothing')).toBeUndefined();
});

test('pictures are written out as data URLs, each once while it is among the last; those that are gone are left out', async () => {
  const asked: string[] = [];
  const urlsOf = keptDataUrls(async (id) => {
    asked.push(id);
    return id === 'gone' ? undefined : new Blob([id], { type: 'image/png' });
  });
  const cat = { cat: `data:image/png;base64,${btoa('cat')}` };
  expect(await urlsOf(['cat', 'gone'])).toEqual(cat);
  expect(await urlsOf(['cat'])).toEqual(cat);
  expect(asked).toEqual(['cat', 'gone']);
  const many = Array.from({ length: 20 }, (_, i) => `p${i}`);
  expect(Object.keys(await urlsOf(many))).toEqual(many);
  await urlsOf(['cat', 'p19']);
  expect(asked.slice(-1)).toEqual(['cat']);
});

test('files of a draft are there again after a reload, each with its conversation, until they are sent or taken away', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const open = async () => {
    const app = await plainApp(countingChat(), { storage, readFile, drafts });
    const { session } = app.store.getState();
    return { ...app, names: session.attached.map(({ name }) => name), draft: session.draft };
  };
  const first = await open();
  await first.actions.attach([notes()]);
  await kept(storage, 1);

  const second = await open();
  expect(second.names).toEqual(['notes.txt']);
  expect(await (await storage.readBlob('of red apples'))?.text()).toBe('red apples');
  await second.actions.send('Read it');
  await second.actions.attach([notes(), new File(['pears'], 'pears.txt')]);
  await kept(storage, 2);
  await second.actions.newConversation();
  expect(second.store.getState().session.attached).toEqual([]);

  const third = await open();
  expect(third.names).toEqual(['notes.txt', 'pears.txt']);
  for (const one of third.store.getState().session.attached) await third.actions.detach(one);
  await kept(storage, 0);
  expect((await open()).names).toEqual([]);
});

test('what is sent while the page opens goes with the files added meanwhile, not with those of the stored draft', async () => {
  const storage = memoryStorage();
  const drafts = memoryDrafts();
  const before = await plainApp(countingChat(), { storage, readFile, drafts });
  await before.actions.attach([notes()]);
  await kept(storage, 1);

  const { start, actions, store } = unstartedApp(countingChat(), { storage, readFile, drafts });
  actions.session({ draft: 'Read it' });
  const attached = actions.attach([new File(['pears'], 'pears.txt')]);
  const sent = actions.send('Read it');
  await start();
  await Promise.all([attached, sent]);
  const [node] = recordsOf(store.getState().forest.nodes);
  expect(node).toMatchObject({ message: 'Read it', attachments: [{ name: 'pears.txt' }] });
  expect(store.getState().session).toMatchObject({ draft: '', attached: [{ name: 'notes.txt' }] });
  await kept(storage, 1);
});

/** Waits until that many draft files are stored. */
const kept = (storage: Storage, files: number): Promise<void> =>
  expect
    .poll(async () => {
      const drafts = (await storage.setting('draft-files')) as Record<string, unknown[]> | undefined;
      return Object.values(drafts ?? {}).flat();
    })
    .toHaveLength(files);

test('removing a file from a draft leaves it to the draft of another conversation', async () => {
  const { actions, storage, session } = await opened();
  await actions.send('one');
  await actions.attach([notes()]);
  await actions.newConversation();
  await actions.send('another');
  await actions.attach([notes()]);
  await actions.detach(session().attached[0] as never);
  expect(await storage.readBlob('of red apples')).toBeDefined();
});

test('who opens another conversation while a file is being read sends nothing there, and is told', async () => {
  const goOn = gate();
  const slowly = async (file: File) => {
    await goOn.opened;
    return readFile(file);
  };
  const { actions, store } = await plainApp(countingChat(), { readFile: slowly });
  const session = () => store.getState().session;
  await actions.send('#bread one');
  const other = store.getState().conversationId;
  actions.session({ draft: 'half a thought' });
  await actions.newConversation();
  actions.session({ draft: 'Read it' });
  const reading = actions.attach([notes()]);
  const sending = actions.send('Read it');
  await until(store, ({ session: { attaching } }) => attaching.length > 0);
  await actions.openConversation(other);
  goOn.open();
  await Promise.all([reading, sending]);
  expect(store.getState()).toMatchObject({ conversationId: other, forest: { turnCount: 1 } });
  expect(session()).toMatchObject({ draft: 'half a thought', attached: [], attaching: [] });
  expect(store.getState().notice?.text).toMatch(/^The message was not sent/);
  expect(store.getState().problems.map(({ title }) => title)).toEqual(['notes.txt is not attached']);
  await actions.newConversation();
  expect(session().draft).toBe('Read it');
});

describe('a text that is attached as a file instead', () => {
  const slowlyRead = () => {
    const goOn = gate();
    const slowly = async (file: File) => {
      await goOn.opened;
      return file.size > 10 ? ({ ok: false, why: 'It is too long.' } as const) : readFile(file);
    };
    return { slowly, goOn };
  };

  test('goes with what was written around it, or back into the draft if it cannot be attached', async () => {
    const { slowly, goOn } = slowlyRead();
    const { actions, store } = await plainApp(countingChat(), { readFile: slowly });
    const session = () => store.getState().session;
    goOn.open();
    actions.session({ draft: 'Read this: red apples' });
    const attaching = actions.attachInstead('red apples');
    expect(session().draft).toBe('Read this:');
    await attaching;
    expect(session()).toMatchObject({ draft: 'Read this:', attached: [{ name: 'pasted text.txt' }] });
    actions.session({ draft: 'Read this: red apples, and pears' });
    await actions.attachInstead('red apples, and pears');
    expect(session().draft).toBe('Read this:\n\nred apples, and pears');
  });

  test.each([true, false])('stays with its conversation if another is opened meanwhile; begun: %s', async (isBegun) => {
    const { slowly, goOn } = slowlyRead();
    const { actions, store } = await plainApp(countingChat(), { readFile: slowly });
    const session = () => store.getState().session;
    await actions.send('#bread one');
    const other = store.getState().conversationId;
    actions.session({ draft: 'half a thought' });
    await actions.newConversation();
    if (isBegun) await actions.send('#trip two');
    const own = store.getState().conversationId;
    actions.session({ draft: 'Read this: red apples' });
    const attaching = actions.attachInstead('red apples');
    await until(store, ({ session: { attaching } }) => attaching.length > 0);
    await actions.openConversation(other);
    goOn.open();
    await attaching;
    expect(session()).toMatchObject({ draft: 'half a thought', attached: [], attaching: [] });
    await (isBegun ? actions.openConversation(own) : actions.newConversation());
    expect(session()).toMatchObject({ draft: 'Read this:\n\nred apples', attached: [] });
  });
});

test('a file that another tab took out of the draft they share is not sent without its bytes', async () => {
  const { actions, store, storage, names } = await opened();
  await actions.attach([notes()]);
  const tab = await plainApp(countingChat(), { storage, readFile });
  await tab.actions.detach(tab.store.getState().session.attached[0] as never);
  actions.session({ draft: 'Read it' });
  await actions.send('Read it');
  expect(store.getState().forest.turnCount).toBe(0);
  expect(names()).toEqual([]);
  expect(store.getState().problems.map(({ advice }) => advice)).toEqual([
    'It is no longer stored. Attach it again, or send without it.',
  ]);
});

test('a file that went back into the draft and was then purged is not sent without its bytes', async () => {
  const { actions, store, names } = await opened();
  await actions.attach([notes()]);
  actions.session({ draft: 'Read it' });
  await actions.send('Read it');
  const nodeIds = Object.keys(store.getState().forest.nodes);
  expect(names()).toEqual([]);
  await actions.undo();
  expect(names()).toHaveLength(1);
  await actions.purgeTurns(nodeIds);
  await actions.send('Read it');
  expect(names()).toEqual([]);
  expect(store.getState()).toMatchObject({
    forest: { nodes: {} },
    problems: [{ advice: 'It is no longer stored. Attach it again, or send without it.' }],
  });
});
