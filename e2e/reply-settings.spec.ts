import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test.describe('reply settings', () => {
  test('are refused with words while they make no sense, saved for the conversation, sent, and taken back', async ({
    app,
    page,
  }) => {
    await app.open();
    await app.message.fill('Half a question');
    await app.button('Reply settings').click();
    const dialog = app.dialog('Reply settings');
    await expect(dialog).toContainText('Recall, which replies now, ignores all four');
    await dialog.getByRole('textbox', { name: 'System prompt' }).fill('Answer like a pirate.');
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('alert')).toContainText('not saved');
    const temperature = dialog.getByRole('textbox', { name: 'Temperature' });
    await temperature.fill('hot');
    await page.keyboard.press('Enter');
    await expect(temperature).toBeFocused();
    await expect(temperature).toHaveAccessibleDescription(/from 0 to 2/);
    await temperature.fill('0,2');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    // Neither of the two has sent what was being written.
    await expect(app.message).toHaveValue('Half a question');
    await expect(app.button('Send')).toBeEnabled();

    await app.send(threeTopics[0]);
    await app.inspector.getByRole('tab', { name: 'Context' }).click();
    await expect(app.inspector).toContainText('Answer like a pirate.');
    await app.reload();
    await expect(app.button('Reply settings: own prompt · temperature 0.2')).toBeVisible();

    await app.button('New conversation').first().click();
    await expect(app.button('Reply settings')).toBeVisible();
  });

  test('go back to the defaults, and one undo brings them back', async ({ app, page }) => {
    await app.open();
    await app.button('Reply settings').click();
    const topP = app.dialog('Reply settings').getByRole('textbox', { name: 'Top-p' });
    await topP.fill('0.9');
    // What is being set outlasts the turning of a phone, which lays the page out anew.
    const size = page.viewportSize() ?? { width: 1440, height: 900 };
    await app.resize({ width: 390, height: 844 });
    await expect(page.locator('nav[aria-label="Panes"]')).toBeAttached();
    await expect(topP).toHaveValue('0.9');
    await app.resize(size);
    await expect(page.locator('nav[aria-label="Panes"]')).not.toBeAttached();
    await app.dialog('Reply settings').getByRole('button', { name: 'Save' }).click();
    await app.button('Reply settings: top-p 0.9').click();
    await app.dialog('Reply settings').getByRole('button', { name: 'Reset to the defaults' }).click();
    await app.dialog('Reply settings').getByRole('button', { name: 'Save' }).click();
    await expect(app.button('Reply settings')).toBeVisible();
    await app.undo.click();
    await expect(app.button('Reply settings: top-p 0.9')).toBeVisible();
  });
});
