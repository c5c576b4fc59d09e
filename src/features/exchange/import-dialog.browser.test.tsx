import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { printLog } from '../../app/testing/conversation-files.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { type Storage, StorageFailure } from '../../engine/storage.ts';
import { countingChat, gate } from '../../engine/testing/plain-models.ts';
import { memoryStorage } from '../../storage/memory-storage.ts';
import { AppContext } from '../../ui/app-context.ts';
import type { GivenFiles } from '../../ui/parts/hooks.ts';
import { ImportDialog } from './import-dialog.tsx';

const open = (app: Awaited<ReturnType<typeof plainApp>>, given: GivenFiles) => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={app}>
      <ImportDialog with={given} onClose={() => undefined} />
    </AppContext>,
  );
};

const give = (app: Awaited<ReturnType<typeof plainApp>>, ...files: File[]) => open(app, files);

test('a conversation that was being stored when the import was cancelled is listed once it is', async () => {
  const storage = memoryStorage();
  const [begun, held] = [gate(), gate()];
  const append: Storage['append'] = async (...entries) => {
    begun.open();
    await held.opened;
    return storage.append(...entries);
  };
  const app = await plainApp(countingChat(), { storage: { ...storage, append } });
  give(app, new File(['User: What is coppicing?\nAssistant: Cutting a tree to its base.'], 'talk.txt'));
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await begun.opened;
  await page.getByRole('button', { name: 'Cancel' }).click();
  held.open();
  await expect.poll(() => app.store.getState().conversations).toHaveLength(1);
});

const chat = (uuid: string, ...messages: string[]) => ({
  uuid,
  name: uuid,
  chat_messages: messages.map((text) => ({ sender: 'human', text })),
});

test('conversations without messages are neither opened nor said to be here', async () => {
  const app = await plainApp(countingChat());
  const before = app.store.getState().conversationId;
  const words = () => app.store.getState().notice?.text;
  give(app, new File([JSON.stringify([chat('hollow')])], 'hollow.json'));
  await expect.element(page.getByRole('button', { name: 'Replay' })).toBeDisabled();
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await expect.poll(words).toBe('Nothing was added: 1 conversation had no messages.');
  expect(app.store.getState().conversationId).toBe(before);
});

test('what cannot be stored is not said to be not understood, and what was stored of it is listed', async () => {
  const storage = memoryStorage();
  const append: Storage['append'] = async (...entries) => {
    await storage.append(...entries);
    throw new StorageFailure('full', 'There is no room left.');
  };
  const app = await plainApp(countingChat(), { storage: { ...storage, append } });
  give(app, new File([JSON.stringify([chat('oak', 'How old?')])], 'chats.json'));
  await page.getByRole('button', { name: 'Open as it was' }).click();
  const failure = page.getByRole('alert');
  await expect
    .element(failure)
    .toHaveTextContent('chats.json was read, but could not be stored.There is no room left.');
  expect(failure.element().textContent).not.toContain('Nothing has been changed');
  expect(app.store.getState().conversations.map(({ id }) => id)).toEqual(['claude:oak']);
});

test('one among others leaves those to be opened', async () => {
  const app = await plainApp(countingChat());
  const words = () => app.store.getState().notice?.text;
  give(app, new File([JSON.stringify([chat('hollow'), chat('oak', 'How old?')])], 'chats.json'));
  await expect.element(page.getByRole('button', { name: 'Replay hollow' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Replay oak' })).toBeEnabled();
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await expect.poll(words).toBe('1 conversation opened as it was. 1 conversation had no messages.');
  expect(app.store.getState().conversationId).toBe('claude:oak');
});

/** A file that cannot be read, as a folder is to some browsers. */
const goneFile = (name: string) =>
  Object.assign(new File([], name), {
    slice: () => ({ text: () => Promise.reject(new DOMException('It is a folder.', 'NotFoundError')) }),
  });

test('a file that cannot be read is refused by name, and the others are read and opened', async () => {
  const app = await plainApp(countingChat());
  give(app, goneFile('pictures'), new File([JSON.stringify([chat('oak', 'How old?')])], 'chats.json'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('pictures: The browser could not read it.');
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await expect.poll(() => app.store.getState().conversationId).toBe('claude:oak');
});

test('exports of Coppice are read also where another file beside them cannot be', async () => {
  const life = new Life();
  life.say(null, 'How long do I boil an egg?');
  const app = await plainApp(countingChat());
  give(app, new File([printLog('Eggs', life.entries)], 'eggs.coppice.jsonl'), goneFile('gone.coppice.jsonl'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('gone.coppice.jsonl: The browser could not read it.');
  await expect.element(page.getByText('Eggs', { exact: true })).toBeVisible();
});

test('a folder is looked through while the dialog says so, and what cannot be read in it is refused by name', async () => {
  const app = await plainApp(countingChat());
  const looked = gate();
  const files = [new File([JSON.stringify([chat('oak', 'How old?')])], 'chats.json')];
  const folder = looked.opened.then(() => ({ files, unreadable: ['export/locked'] }));
  open(app, folder);
  await expect.element(page.getByText('Looking through the folder')).toBeVisible();
  looked.open();
  await expect.element(page.getByRole('alert')).toHaveTextContent('export/locked: The browser could not read it.');
  await page.getByRole('button', { name: 'Open as it was' }).click();
  await expect.poll(() => app.store.getState().conversationId).toBe('claude:oak');
});

test('a folder that is no longer wanted is not read once it has been looked through', async () => {
  const app = await plainApp(countingChat());
  const looked = gate();
  const file = new File(['User: Hi'], 'talk.txt');
  const folder = looked.opened.then(() => ({ files: [file], unreadable: [] }));
  open(app, folder);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const read = vi.spyOn(file, 'slice');
  looked.open();
  await folder;
  // What would begin to read it follows on the folder.
  await new Promise((resolve) => setTimeout(resolve));
  expect(read).not.toHaveBeenCalled();
  await expect.element(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
});

test('of an empty folder it is said that there is nothing in it', async () => {
  open(await plainApp(countingChat()), Promise.resolve({ files: [], unreadable: [] }));
  const failure = page.getByRole('alert');
  await expect.element(failure).toHaveTextContent('The folder was not understood.There is nothing in it.');
});
