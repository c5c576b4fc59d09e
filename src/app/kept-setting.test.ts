import { describe, expect, test } from 'vitest';
import { type Storage, StorageFailure } from '../engine/storage.ts';
import { countingChat, gate } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { Persona } from './persona.ts';
import { plainApp } from './testing/plain-app.ts';

/** A tab; `changed` tells it that another tab saved a setting. */
const tabOn = async (storage: Storage = memoryStorage()) => {
  const watchers: ((name: string) => void)[] = [];
  const app = await plainApp(countingChat(), {
    storage,
    watchSettings: (callback) => {
      watchers.push(callback);
      return () => undefined;
    },
    readFile: async (file) => {
      const attachment = { id: `of ${file.name}`, name: file.name, mediaType: 'text/plain', size: 1, text: 'x' };
      return { ok: true, attachment, bytes: file };
    },
  });
  const now = app.store.getState;
  return {
    ...app,
    now,
    changed: (name: string) => {
      for (const watcher of watchers) watcher(name);
    },
    names: () => now().personas.all.map(({ name }) => name),
    add: (name: string) => app.actions.changePersonas((now) => ({ ...now, all: [...now.all, persona(name)] })),
    rename: (from: string, to: string) =>
      app.actions.changePersonas((now) => ({
        ...now,
        all: now.all.map((one) => (one.name === from ? { ...one, name: to } : one)),
      })),
    giveKey: (id: string, key: string) => app.actions.changeKeys((now) => ({ ...now, [id]: [key] })),
  };
};

const persona = (name: string): Persona => ({ id: name, name, instructions: name, temperature: null, model: null });

const DEFAULT = 'Default instructions';

describe('two tabs', () => {
  test('that add a persona each have both, also after a reload', async () => {
    const storage = memoryStorage();
    const [here, there] = [await tabOn(storage), await tabOn(storage)];
    await here.add('Reviewer');
    await there.add('Tutor');
    expect(there.names()).toEqual([DEFAULT, 'Reviewer', 'Tutor']);
    here.changed('personas');
    await expect.poll(here.names).toEqual([DEFAULT, 'Reviewer', 'Tutor']);
    expect((await tabOn(storage)).names()).toEqual([DEFAULT, 'Reviewer', 'Tutor']);
  });

  test('begin a conversation with the persona that was chosen in one of them', async () => {
    const storage = memoryStorage();
    const [here, there] = [await tabOn(storage), await tabOn(storage)];
    await here.add('Reviewer');
    await here.actions.choosePersona('Reviewer');
    there.changed('personas');
    await expect.poll(() => there.now().forest.replySettings.systemPrompt).toBe('Reviewer');
  });

  test('that change a key each have both', async () => {
    const storage = memoryStorage();
    const [here, there] = [await tabOn(storage), await tabOn(storage)];
    await here.giveKey('undo', 'U');
    await there.giveKey('redo', 'R');
    expect(there.now().keys).toEqual({ undo: ['U'], redo: ['R'] });
    here.changed('keys');
    await expect.poll(() => here.now().keys).toEqual({ undo: ['U'], redo: ['R'] });
    expect((await tabOn(storage)).now().keys).toEqual({ undo: ['U'], redo: ['R'] });
  });
});

describe('a storage that takes no setting is left for memory', () => {
  const full = () => Promise.reject(new StorageFailure('full', 'No space is left.'));
  const fullTab = () => tabOn({ ...memoryStorage(), saveSetting: full });

  /** A storage that another tab closes when it is told to. */
  const closable = () => {
    const storage = memoryStorage();
    let isClosed = false;
    const unlessClosed =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        isClosed ? Promise.reject(new StorageFailure('closed', 'Another tab closed it.')) : call(...args);
    return {
      close: () => {
        isClosed = true;
      },
      storage: {
        ...storage,
        append: unlessClosed(storage.append),
        open: unlessClosed(storage.open),
        read: unlessClosed(storage.read),
        conversation: unlessClosed(storage.conversation),
        conversations: unlessClosed(storage.conversations),
        readVectors: unlessClosed(storage.readVectors),
        readBlob: unlessClosed(storage.readBlob),
        saveBlobs: unlessClosed(storage.saveBlobs),
        setting: unlessClosed(storage.setting),
        saveSetting: unlessClosed(storage.saveSetting),
      },
    };
  };

  /** What the tab is told then: that nothing is saved any more, and nothing else. */
  const told = ({ now }: Awaited<ReturnType<typeof tabOn>>) => [now().storage.kind, now().problems.map(({ id }) => id)];

  test('and personas hold', async () => {
    const tab = await fullTab();
    await tab.add('Reviewer');
    await tab.rename('Reviewer', 'Critic');
    expect(tab.names()).toEqual([DEFAULT, 'Critic']);
    expect(told(tab)).toEqual(['memory', ['storage']]);
  });

  test('and keys hold', async () => {
    const tab = await fullTab();
    await tab.giveKey('undo', 'U');
    await tab.giveKey('redo', 'R');
    expect(tab.now().keys).toEqual({ undo: ['U'], redo: ['R'] });
    expect(told(tab)).toEqual(['memory', ['storage']]);
  });

  test('and what is kept for the models holds', async () => {
    const tab = await fullTab();
    const seen: unknown[] = [];
    const add = (one: string) =>
      tab.changeSetting('models', (stored) => {
        seen.push(stored);
        return [stored ?? [], one].flat();
      });
    await Promise.all([add('a'), add('b')]);
    expect(seen).toEqual([undefined, ['a']]);
    expect(await tab.setting('models')).toEqual(['a', 'b']);
    expect(told(tab)).toEqual(['memory', ['storage']]);
  });

  test('and everything goes on from what was known where nothing can be read any more', async () => {
    const { storage, close } = closable();
    const tab = await tabOn(storage);
    await tab.add('Reviewer');
    await tab.giveKey('undo', 'U');
    close();
    await tab.add('Tutor');
    await tab.giveKey('redo', 'R');
    await tab.actions.attach([new File(['x'], 'notes.txt')]);
    await expect.poll(() => tab.now().session.attached.map(({ name }) => name)).toEqual(['notes.txt']);
    expect(tab.names()).toEqual([DEFAULT, 'Reviewer', 'Tutor']);
    expect(tab.now().keys).toEqual({ undo: ['U'], redo: ['R'] });
    expect(told(tab)).toEqual(['memory', ['storage']]);
  });

  test('and a conversation that was written to is left and opened again where nothing can be read any more', async () => {
    const { storage, close } = closable();
    const tab = await tabOn(storage);
    await tab.actions.attach([new File(['x'], 'notes.txt')]);
    tab.actions.session({ draft: 'one' });
    await tab.actions.send('one');
    const { conversationId } = tab.now();
    close();
    await tab.actions.send('two');
    await tab.actions.newConversation();
    expect(tab.now()).toMatchObject({ entries: [] });
    await tab.actions.openConversation(conversationId);
    expect(tab.now()).toMatchObject({ conversationId, forest: { turnCount: 2 } });
    expect(told(tab)).toEqual(['memory', ['storage']]);
    // Its words can be exported, without the file.
    expect(await tab.actions.filesOf(tab.now().entries)).toEqual(new Map());
  });

  test('and a stored file of a draft that can be read no more is not said to be gone', async () => {
    const { storage, close } = closable();
    const tab = await tabOn(storage);
    await tab.actions.attach([new File(['x'], 'notes.txt')]);
    await expect.poll(() => storage.setting('draft-files')).toMatchObject({ new: [{ name: 'notes.txt' }] });
    close();
    await tab.add('Reviewer');
    await tab.actions.newConversation();
    expect(tab.now().problems).toContainEqual(
      expect.objectContaining({
        title: 'notes.txt is not attached',
        advice: 'It cannot be read until the page is reloaded. Attach it again.',
      }),
    );
  });

  test('and the files of a draft hold', async () => {
    const tab = await fullTab();
    await tab.actions.send('one');
    const { conversationId } = tab.now();
    await tab.actions.attach([new File(['x'], 'notes.txt')]);
    await expect.poll(() => told(tab)).toEqual(['memory', ['storage']]);
    await tab.actions.newConversation();
    expect(tab.now().session.attached).toEqual([]);
    await tab.actions.openConversation(conversationId);
    expect(tab.now().session.attached.map(({ name }) => name)).toEqual(['notes.txt']);
  });
});

test('what is typed while the last change is being saved stays on view', async () => {
  const storage = memoryStorage();
  const { open: goOn, opened: held } = gate();
  const saveSetting: Storage['saveSetting'] = async (...args) => {
    await held;
    await storage.saveSetting(...args);
  };
  const tab = await tabOn({ ...storage, saveSetting });
  const seen: string[] = [];
  tab.store.subscribe(() => seen.push(tab.names().at(-1) ?? ''));
  const saved = [tab.add('R'), tab.rename('R', 'Re'), tab.rename('Re', 'Rev')];
  expect(tab.names()).toEqual([DEFAULT, 'Rev']);
  tab.changed('personas');
  goOn();
  await Promise.all(saved);
  expect([...new Set(seen)]).toEqual(['R', 'Re', 'Rev']);
  expect(seen.lastIndexOf('Re')).toBeLessThan(seen.indexOf('Rev'));
  expect((await tabOn(storage)).names()).toEqual([DEFAULT, 'Rev']);
});

test.each(['nonsense', { chosen: 1 }, { undo: 'U' }])('damaged, as %j, counts as never set', async (stored) => {
  const storage = memoryStorage();
  for (const name of ['personas', 'keys', 'draft-files']) await storage.saveSetting(name, stored);
  const tab = await tabOn(storage);
  expect([tab.names(), tab.now().keys, tab.now().session.attached]).toEqual([[DEFAULT], {}, []]);
  await tab.giveKey('redo', 'R');
  expect(tab.now().keys).toEqual({ redo: ['R'] });
  expect(tab.now().problems).toEqual([]);
});
