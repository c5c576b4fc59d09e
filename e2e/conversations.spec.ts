import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('conversations are listed most recent first, renamed, opened, and deleted with undo', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.button('New conversation').click();
  await expect(app.turns).toHaveCount(0);
  await app.send(threeTopics[2]);

  const items = await app.listConversations();
  await expect(items).toHaveCount(2);
  await expect(items.first().getByRole('button').first()).toHaveAttribute('aria-current', 'true');

  await items
    .first()
    .getByRole('button', { name: /^Rename/ })
    .click();
  await expect(items.first().getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Broken script');
  await page.keyboard.press('Enter');
  await expect(items.first()).toContainText('Broken script');

  await items
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(items).toHaveCount(1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await app.listConversations();
  await expect(items).toHaveCount(2);

  await items.last().getByRole('button').first().click();
  await expect(app.turn(1)).toContainText(threeTopics[0]);
});
