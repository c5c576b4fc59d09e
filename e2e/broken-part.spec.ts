import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('a part of the page that does not load says so, and the rest goes on', async ({ app, page }) => {
  await page.route(/forest-canvas-.*\.js$/, (route) => route.abort());
  await app.open();
  await expect(app.forest.getByRole('alert')).toContainText('The canvas could not be shown');
  await expect(app.forest.getByRole('button', { name: 'Reload' })).toBeVisible();
  await app.send(threeTopics[0]);
  await expect(app.turn(1)).toContainText(threeTopics[0]);
});
