import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

const present = async (app: App) => {
  const { keyboard } = app.page;
  await keyboard.press('Control+k');
  await app.page.getByRole('combobox', { name: 'Commands' }).fill('present');
  // Refused while the conversation is still opening.
  const option = app.page.getByRole('option', { name: /^Present/ });
  await expect(option).not.toHaveAttribute('aria-disabled');
  await keyboard.press('Enter');
  await expect(app.dialog('Present')).toBeVisible();
};

test('a conversation is presented one key a step, and told as a story that stays with it', async ({ app, page }) => {
  const { keyboard } = page;
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await present(app);
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
  await present(app);
  await expect(dialog.getByRole('status')).toHaveText('1 of 9');
  for (let i = 0; i < 3; i++) await keyboard.press(' ');
  await expect(step.getByRole('heading', { name: 'It stays in Lisbon' })).toBeVisible();
});

test('what is written into a scene is kept when Escape leaves the field, and a scene added at the end is shown', async ({
  app,
  page,
}) => {
  const { keyboard } = page;
  await app.open();
  await app.send(threeTopics[0]);
  await present(app);
  const dialog = app.dialog('Present');
  const step = dialog.getByRole('region', { name: 'Step' });
  const caption = dialog.getByRole('textbox', { name: 'Caption' });
  const notes = dialog.getByRole('textbox', { name: 'Notes for you' });
  await keyboard.press('e');
  await caption.pressSequentially('Where it begins');
  // Escape that cancels an input method's suggestion belongs to the input method.
  await app.escapeComposing();
  await expect(caption).toBeFocused();
  await keyboard.press('Escape');
  await expect(step.getByRole('heading', { name: 'Where it begins' })).toBeVisible();
  await notes.pressSequentially('Breathe first');
  await keyboard.press('Escape');
  await expect(dialog).toBeVisible();

  await keyboard.press('End');
  await expect(dialog.getByRole('status')).toHaveText('3 of 3');
  await dialog.getByRole('button', { name: 'Add a scene' }).click();
  await expect(dialog.getByRole('status')).toHaveText('4 of 4');
  await caption.pressSequentially('Thank you');
  await keyboard.press('Escape');
  await expect(step.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('status')).toHaveText('3 of 4');
  await expect(step.getByRole('heading')).toHaveCount(0);
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await present(app);
  await expect(step.getByRole('heading', { name: 'Where it begins' })).toBeVisible();
  await keyboard.press('n');
  await expect(dialog.getByRole('complementary', { name: 'Speaker notes' })).toHaveText('Breathe first');

  // Steps that are told again have none of the words, and visiting a field brings none back.
  await keyboard.press('e');
  await expect(caption).toHaveValue('Where it begins');
  await dialog.getByRole('button', { name: 'Reset the story' }).click();
  await expect(dialog.getByRole('status')).toHaveText('1 of 3');
  await expect(caption).toHaveValue('');
  await expect(notes).toHaveValue('');
  await caption.focus();
  await notes.focus();
  await keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Reset the story' })).toHaveCount(0);
  await expect(step.getByRole('heading')).toHaveCount(0);
});

test('what is being written into a scene is kept when Android’s Back leaves the field, and the next Back closes', async ({
  app,
  page,
}) => {
  await page.addInitScript(() => {
    const watching: { onclose: (() => void) | null }[] = [];
    class CloseWatcher {
      onclose: (() => void) | null = null;
      constructor() {
        watching.push(this);
      }
      destroy() {
        if (watching.includes(this)) watching.splice(watching.indexOf(this), 1);
      }
    }
    Object.assign(globalThis, { CloseWatcher, pressBack: () => watching.pop()?.onclose?.() });
  });
  const pressBack = () => page.evaluate('pressBack()');
  await app.open();
  await app.send(threeTopics[0]);
  await present(app);
  const dialog = app.dialog('Present');
  await page.keyboard.press('e');
  await dialog.getByRole('textbox', { name: 'Caption' }).pressSequentially('Where it begins');
  await pressBack();
  await expect(dialog.getByRole('heading', { name: 'Where it begins' })).toBeVisible();
  await pressBack();
  await expect(dialog).toBeHidden();
});
