import type { Locator } from '@playwright/test';
import type { App } from './support/app.ts';
import { BOTH_THEMES, expectNoViolationsIn } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

const page = (dialog: Locator, name: string | RegExp) => dialog.getByRole('navigation').getByRole('button', { name });

const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save', exact: true }).click();

const settingsOfLastTurn = async (app: App) => {
  const entries = (await app.exported()).trim().split('\n').slice(1);
  const events = entries.map((line) => JSON.parse(line).event);
  return events.findLast(({ type }) => type === 'turn-placed').decision.trace.settings;
};

test('a threshold, a prompt and a policy are set, named in the trace, and taken back', async ({ app }) => {
  await app.open();
  await app.send(threeTopics[0]);
  const dialog = await app.openDialog('Engine');
  await page(dialog, 'Parameters').click();
  await expect(dialog.getByText('use-lite-en int8 has its own: 0.45')).toBeVisible();
  await dialog.getByRole('textbox', { name: /^θ/ }).fill('0,7');
  await page(dialog, 'Topic question').click();
  await expect(dialog.getByText('Not in use now')).toBeVisible();
  const prompt = dialog.getByRole('textbox', { name: 'Prompt: Topic question' });
  const shipped = await prompt.inputValue();
  await prompt.fill(`${shipped}\nBe brief.`);
  await expect(dialog.getByRole('group', { name: /\+1 −0 lines$/ })).toBeVisible();
  await save(dialog);
  await expect(dialog.getByRole('status')).toHaveText('Version 1 of 1 applies from the next message');
  await app.page.keyboard.press('Escape');
  await app.send(threeTopics[1]);
  expect(await settingsOfLastTurn(app)).toEqual({
    version: 1,
    parameters: { theta: 0.7 },
    prompts: ['topic'],
    reconsiders: true,
  });
  await app.page.keyboard.press('Escape');

  await app.reload();
  const again = await app.openDialog('Engine');
  await page(again, 'Policy').click();
  await expect(again).toContainText('context-agent-code also place turns by rules of their own');
  await again.getByRole('radio', { name: 'full-history' }).check();
  await save(again);
  await page(again, /^Versions/).click();
  const versions = again.getByRole('list').last().getByRole('listitem');
  await expect(again.getByText('Policy focused → full-history')).toBeVisible();
  await expect(versions.first()).toBeAttached();
  await expect(again.getByText('1 turn of this conversation').first()).toBeVisible();
  await again.getByRole('button', { name: 'Use default settings' }).click();
  await expect(again.getByRole('status')).toHaveText('Default settings apply from the next message');
  await app.page.keyboard.press('Escape');
  await app.send(threeTopics[2]);
  expect(await settingsOfLastTurn(app)).toEqual({ version: 0, parameters: {}, prompts: [], reconsiders: true });
});

test('what cannot be is refused with words, and nothing half saved', async ({ app }) => {
  await app.open();
  const dialog = await app.openDialog('Engine');
  await page(dialog, 'Parameters').click();
  await dialog.getByRole('textbox', { name: /^k,/ }).fill('2.5');
  await dialog.getByRole('textbox', { name: /^Model timeout/ }).fill('5');
  await expect(dialog.getByText('A whole number from 1 to 50.')).toBeVisible();
  await page(dialog, 'Policy').click();
  await save(dialog);
  const wrong = dialog.getByRole('textbox', { name: /^k,/ });
  await expect(wrong).toBeFocused();
  await expect(dialog.getByRole('status')).toHaveText('2 changes not saved, 1 of them cannot be');
  await page(dialog, /^Versions/).click();
  await expect(dialog.getByText(/^Version 1$/)).toBeHidden();

  // The draft survives closing the dialog.
  await app.page.keyboard.press('Escape');
  const again = await app.openDialog('Engine');
  await page(again, 'Parameters').click();
  await expect(again.getByRole('textbox', { name: /^Model timeout/ })).toHaveValue('5');
  await again.getByRole('button', { name: 'Reset to 5: k, the turns kept in the trace' }).click();
  await save(again);
  await expect(again.getByRole('status')).toContainText('Version 1');
  await again.getByRole('button', { name: 'Reset all' }).click();
  await save(again);
  await expect(again.getByRole('status')).toContainText('Default settings apply');
});

test('another tab follows', async ({ app, context }) => {
  await app.open();
  const other = await context.newPage();
  await other.goto('./');
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeEditable();
  const dialog = await app.openDialog('Engine');
  await dialog.getByRole('radio', { name: 'truncation' }).check();
  await save(dialog);
  await expect(dialog.getByRole('status')).toContainText('Version 1');
  await other.getByRole('button', { name: 'More', exact: true }).click();
  await other.getByRole('button', { name: 'Engine', exact: true }).click();
  await expect(other.getByRole('radio', { name: 'truncation' })).toBeChecked();
});

test('in both themes axe finds no violation on any page of Engine', async ({ app }) => {
  await app.open();
  const dialog = await app.openDialog('Engine');
  await page(dialog, 'Title').click();
  await dialog.getByRole('textbox', { name: 'Prompt: Title' }).fill('Name it.');
  await page(dialog, 'Parameters').click();
  await dialog.getByRole('textbox', { name: /^k,/ }).fill('4');
  await save(dialog);
  await dialog.getByRole('textbox', { name: /^k,/ }).fill('none');
  for (const name of ['Policy', 'Parameters', 'Topic question', 'Title', /^Versions/]) {
    await page(dialog, name).click();
    await expectNoViolationsIn(app.page, BOTH_THEMES, { where: String(name), within: '[role=dialog]' });
  }
});
