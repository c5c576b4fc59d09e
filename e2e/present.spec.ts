import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('a conversation is presented one key a step, and told as a story that stays with it', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  const present = async () => {
    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('present');
    // Refused while the conversation is still opening.
    const option = page.getByRole('option', { name: /^Present/ });
    await expect(option).not.toHaveAttribute('aria-disabled');
    await keyboard.press('Enter');
    await expect(app.dialog('Present')).toBeVisible();
  };
  await present();
  const dialog = app.dialog('Present');
  const step = dialog.getByRole('region', { name: 'Step' });
  await expect(dialog.getByRole('status')).toHaveText('1 of 9');
  await expect(step).toContainText('Which neighbourhood should we stay in?');
  await keyboard.press('ArrowRight');
  await expect(step).toContainText('new topic');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await expect(step).toContainText('Is Alfama in Lisbon quiet at night?');
  await keyboard.press('+');
  await expectNoViolations(page);

  await keyboard.press('e');
  await dialog.getByRole('textbox', { name: 'Caption' }).fill('It stays in Lisbon');
  await dialog.getByRole('textbox', { name: 'Notes for you' }).fill('Ask who has been there');
  await dialog.getByRole('combobox', { name: 'In view' }).selectOption('the whole forest');
  await expect(step.getByRole('heading', { name: 'It stays in Lisbon' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Speaker notes' }).click();
  await expect(dialog.getByRole('complementary', { name: 'Speaker notes' })).toHaveText('Ask who has been there');
  await dialog.getByRole('button', { name: 'Close' }).click();

  // The export is of the stored conversation.
  expect(await app.exported()).toContain('It stays in Lisbon');
  await keyboard.press('Escape');
  await app.reload();
  await present();
  await expect(dialog.getByRole('status')).toHaveText('1 of 9');
  for (let i = 0; i < 3; i++) await keyboard.press(' ');
  await expect(step.getByRole('heading', { name: 'It stays in Lisbon' })).toBeVisible();
});
