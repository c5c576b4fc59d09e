import type { Locator } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const selectAll = (words: Locator): Promise<void> =>
  words.evaluate((element) => getSelection()?.selectAllChildren(element));

test('words that are selected are asked about in a branch from their turn, noted or copied', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.open();
  await app.send(threeTopics[0]);
  await app.send(threeTopics[1]);
  const bar = page.getByRole('toolbar', { name: 'Selected words' });
  await selectAll(app.turn(1).getByText(threeTopics[0]).first());
  await expect(bar).toBeVisible();
  await expectNoViolations(page, { within: '[aria-label="Selected words"]' });
  await bar.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(threeTopics[0]);
  await expect(bar).toBeHidden();

  await selectAll(app.turn(2).getByText(threeTopics[1]).first());
  await bar.getByRole('button', { name: 'Note' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(`“${threeTopics[1]}”`);
  await page.keyboard.press('Escape');

  await selectAll(app.turn(1).getByText(threeTopics[0]).first());
  await bar.getByRole('button', { name: 'Ask about this' }).click();
  await expect(app.message).toBeFocused();
  await expect(app.message).toHaveValue(`> ${threeTopics[0]}\n\n`);
  await page.keyboard.type('How warm is it then?');
  await page.keyboard.press('Enter');
  await expect(app.why(3)).toContainText('new branch from turn 1, as you chose');
});

test('by keyboard alone, what is selected is asked about with one key', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.turn(1).getByRole('button', { name: 'Inspect turn 1' }).focus();
  await selectAll(app.turn(1).getByText(threeTopics[0]).first());
  await page.keyboard.press('q');
  await expect(app.message).toHaveValue(`> ${threeTopics[0]}\n\n`);
  await expect(app.message).toBeFocused();
});
