import { App } from './support/app.ts';
import { gardenMessages, threeTopics } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ReplayBar } from './support/replay-bar.ts';
import { expect, test } from './support/test.ts';

test('where IndexedDB is blocked the page says so, goes on, and offers to export', async ({ app, page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('blocked for the test', 'SecurityError');
    };
  });
  await app.open();
  await expect(app.problem).toContainText('not being saved');
  await app.send(threeTopics[0]);
  await expect(app.turn(1)).toBeVisible();

  await app.problem.getByRole('button', { name: 'Export' }).click();
  await expect(app.dialog('Export')).toBeVisible();
});

test('a conversation that is exported and imported again has lost nothing', async ({ app, context }) => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.paste(JSON.stringify(gardenMessages.slice(0, 4)));
  await dialog.replay();
  await new ReplayBar(app).ended();
  await app.correctToNewTopic(2);
  await expect(app.why(2)).toContainText('moved by you');
  const shape = await app.titledShape();
  const file = await app.exported();

  const other = new App(await context.newPage());
  await other.open();
  const otherDialog = new ImportDialog(other);
  await otherDialog.open();
  await otherDialog.giveFile('again.coppice.jsonl', file);
  await otherDialog.openConversation();
  await other.settled();
  await expect.poll(() => other.shape()).toEqual(shape);
  // The whole log came along: what was done before can still be undone.
  await other.undo.click();
  await expect.poll(() => other.shape()).not.toEqual(shape);
});
