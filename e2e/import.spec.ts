import type { Locator } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { threeTopics } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const node = (id: string, parent: string | null, role: string | null, text = '') => ({
  id,
  parent,
  children: [],
  message:
    role === null
      ? null
      : { id, author: { role }, recipient: 'all', content: { content_type: 'text', parts: [text] }, create_time: null },
});

/** A ChatGPT export with an edited message and two sibling answers. */
const chatGpt = (id: string, title: string, more: readonly ReturnType<typeof node>[] = []) => ({
  conversation_id: id,
  title,
  current_node: 'a2',
  mapping: Object.fromEntries(
    [
      node('root', null, null),
      node('u1', 'root', 'user', `How do I prune a ${title}?`),
      node('a1', 'u1', 'assistant', 'In late winter.'),
      node('b1', 'u1', 'assistant', 'After the frost.'),
      node('u2', 'a1', 'user', 'With what?'),
      node('a2', 'u2', 'assistant', 'A sharp saw.'),
      node('u3', 'a1', 'user', 'How much of it?'),
      node('a3', 'u3', 'assistant', 'A third.'),
      ...more,
    ].map((one) => [one.id, one]),
  ),
});

const file = (...conversations: unknown[]) => JSON.stringify(conversations);

test('a conversation opens as it was: its branches, both answers, the path that was shown', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('conversations.json', file(chatGpt('c1', 'hazel')));
  const table = dialog.root.getByRole('table', { name: 'What was read' });
  await expect(table.getByRole('row', { name: /hazel/ }).getByRole('cell')).toHaveText([/hazel/, '7', '3', '2', '1']);
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(dialog.root).toBeHidden();

  await expect(app.turns).toHaveCount(2);
  await expect(app.turn(1)).toContainText('In late winter.');
  await expect(app.turn(1)).toContainText('1/2');
  await expect(app.turn(2)).toContainText('A sharp saw.');
  await app.showOutline();
  await expect(app.page.getByRole('treeitem', { name: /^Turn \d/ })).toHaveCount(3);
});

test('the same file again adds nothing, a longer one appends, own turns stay', async ({ app }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  const openIt = async (text: string) => {
    await dialog.open();
    await dialog.giveFile('conversations.json', text);
    await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
    await expect(dialog.root).toBeHidden();
  };
  await openIt(file(chatGpt('c1', 'hazel')));
  await expect(app.turns).toHaveCount(2);
  await app.send('And a willow?');
  await expect(app.turn(4)).toBeVisible();

  await openIt(file(chatGpt('c1', 'hazel')));
  await expect(app.page.getByText('nothing was added').first()).toBeVisible();
  await openIt(file(chatGpt('c1', 'hazel', [node('u4', 'a3', 'user', 'Every year?')])));
  await app.showOutline();
  await expect(app.page.getByRole('treeitem', { name: /^Turn \d/ })).toHaveCount(5);
});

test('of several, those that are ticked are opened; what is no conversation is told and spoils nothing', async ({
  app,
}) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('all.json', file(chatGpt('c1', 'hazel'), { title: 'an empty shell' }, chatGpt('c2', 'willow')));
  await expect(dialog.root.getByRole('alert')).toContainText('One entry contains no conversation');
  await dialog.root.getByRole('checkbox', { name: 'hazel' }).click();
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(app.turn(1)).toContainText('willow');

  await dialog.open();
  await dialog.giveFile('all.json', file(chatGpt('c1', 'hazel'), chatGpt('c2', 'willow')));
  await dialog.root.getByRole('button', { name: 'Replay hazel' }).click();
  await expect(dialog.root).toBeHidden();
  await expect(app.turn(1)).toContainText('hazel');
});

test('the topics of an imported conversation are found by one command, and one undo takes that back', async ({
  app,
}) => {
  await app.open();
  const messages = threeTopics.flatMap((text, at) => [
    node(`u${at}`, at === 0 ? 'root' : `a${at - 1}`, 'user', text),
    node(`a${at}`, `u${at}`, 'assistant', 'Certainly.'),
  ]);
  const mapping = Object.fromEntries([node('root', null, null), ...messages].map((one) => [one.id, one]));
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile(
    'conversations.json',
    file({ conversation_id: 'm', title: 'Mixed', current_node: 'a9', mapping }),
  );
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(dialog.root).toBeHidden();
  await app.showOutline();
  const topics = app.page.getByRole('treeitem', { level: 1 });
  await expect(topics).toHaveCount(1);

  await app.button('Sort into topics').click();
  await expect(topics).toHaveCount(3);
  await expect(app.outlineTurn(7)).toHaveAttribute('aria-level', /^[23]$/);
  // It leaves no corrections, and every turn says who placed it.
  await expect(app.page.getByRole('treeitem', { name: /^Turn \d/ })).toHaveCount(10);
  await app.undo.click();
  await expect(topics).toHaveCount(1);
});

test('a file dropped anywhere on the page is read, and the page stays', async ({ app }) => {
  await app.open();
  await app.page.evaluate(
    (text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'conversations.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    file(chatGpt('c1', 'hazel')),
  );
  const dialog = new ImportDialog(app);
  await expect(dialog.root.getByRole('table', { name: 'What was read' })).toContainText('hazel');
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(app.turn(1)).toContainText('hazel');
});

test('a file that the installed app is opened with is read, and one that is gone is told', async ({ app, page }) => {
  // Like the browser: passes the file that the app was opened with, and later one it is opened with again.
  await page.addInitScript(
    (text) => {
      type Take = (launch: { files: { getFile(): Promise<File> }[] }) => void;
      const given = new File([text], 'conversations.json');
      Object.defineProperty(window, 'launchQueue', {
        value: {
          setConsumer: (take: Take) => {
            take({ files: [{ getFile: async () => given }] });
            document.addEventListener('opened-again', () => {
              take({ files: [{ getFile: () => Promise.reject(new DOMException('It is gone.', 'NotFoundError')) }] });
            });
          },
        },
      });
    },
    file(chatGpt('c1', 'hazel')),
  );
  await page.goto('./');
  const dialog = new ImportDialog(app);
  await expect(dialog.root.getByRole('table', { name: 'What was read' })).toContainText('hazel');
  await dialog.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(app.turn(1)).toContainText('hazel');
  await page.evaluate(() => document.dispatchEvent(new Event('opened-again')));
  await expect(app.problem).toContainText('Opening the file');
});

test('an archive is dropped on the canvas and over an open dialog; a conversation is found by its words and goes on from an earlier branch', async ({
  app,
  page,
}) => {
  await app.open();
  const archive = Buffer.from(
    zipSync({ 'conversations.json': strToU8(file(chatGpt('c1', 'hazel'), chatGpt('c2', 'willow'))) }),
  ).toString('base64');
  const dropOn = (target: Locator) =>
    target.evaluate((element, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], 'chats.zip'));
      for (const kind of ['dragover', 'drop'])
        element.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }, archive);
  const importing = new ImportDialog(app);
  const table = importing.root.getByRole('table', { name: 'What was read' });
  await dropOn(app.forest);
  await expect(table).toContainText('willow');
  await importing.close();
  await page.getByRole('button', { name: /^Reply settings/ }).click();
  await dropOn(page.getByRole('dialog', { name: 'Reply settings' }));
  await expect(table).toContainText('hazel');
  await importing.root.getByRole('button', { name: 'Open as it was' }).click();
  await expect(importing.root).toBeHidden();

  await app.listConversations();
  await page.getByLabel('Filter conversations').fill('prune a willow');
  await app.button('Search in all messages').click();
  await app.dialog('Search').getByRole('option').filter({ hasText: 'willow' }).first().click();
  await expect(app.turn(1)).toContainText('willow');
  await app.turn(2).hover();
  await app.turn(2).getByRole('button', { name: 'Next branch' }).click();
  await expect(app.turn(3)).toContainText('How much of it?');
  await app.send('And how often?');
  await app.showOutline();
  await expect(app.outlineTurn(4)).toBeVisible();
  await expect(app.turn(3)).toBeVisible();
  await expect(app.turn(2)).toHaveCount(0);
});
