import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('a part of the page that does not load says so, and the rest goes on', async ({ app, page }) => {
  await page.route(/forest-canvas-.*\.js$/, (route) => route.abort());
  await app.open();
  await expect(app.forest.getByRole('alert')).toContainText('The canvas could not be shown');
  await expect(app.forest.getByRole('button', { name: 'Reload' })).toBeVisible();
  await app.send(threeTopics[0]);
  await expect(app.turn(1)).toContainText(threeTopics[0]);

  await page.unrouteAll();
  await app.forest.getByRole('button', { name: 'Try again' }).click();
  await expect(app.forest.getByRole('application')).toBeVisible();
});

test('a dialog that does not load says so in a dialog, which can be closed, and tried again', async ({ app, page }) => {
  await page.route(/import-dialog-.*\.js$/, (route) => route.abort());
  await app.open();
  const failed = app.dialog('The dialog could not be shown');
  await app.button('Import').click();
  await expect(failed.getByRole('alert')).toBeInViewport();
  await failed.getByRole('button', { name: 'Close' }).click();
  await expect(failed).toBeHidden();

  await app.openDialog('Settings');
  await page.keyboard.press('Escape');
  await expect(app.dialog('Settings')).toBeHidden();

  await app.button('Import').click();
  await expect(failed).toBeVisible();
  await page.unrouteAll();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(app.dialog('Import')).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test('a list of conversations that does not load leaves the page as it is', async ({ app, page }) => {
  await page.route(/conversation-list-.*\.js$/, (route) => route.abort());
  await app.open();
  await app.button('Conversations').click();
  const failed = app.dialog('The dialog could not be shown');
  await expect(failed.getByRole('alert')).toBeInViewport();
  await page.unrouteAll();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(app.dialog('Conversations')).toBeVisible();
  await expect(app.message).toBeEditable();
});
