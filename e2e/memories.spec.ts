import { readFile } from 'node:fs/promises';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

const choosePolicy = async (app: App, name: string): Promise<void> => {
  const dialog = await app.openDialog('Engine');
  await dialog.getByRole('navigation').getByRole('button', { name: 'Policy' }).click();
  await dialog.getByRole('radio', { name }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('is in use');
  await app.page.keyboard.press('Escape');
};

const showContext = async (app: App, turn: number): Promise<void> => {
  await app.showOutline();
  await app.outlineTurn(turn).click();
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector.getByRole('heading', { name: 'Messages' })).toBeVisible();
};

test('a conversation goes on by another memory, and what it recalled is seen with how it was rated', async ({
  app,
}) => {
  await app.open();
  await choosePolicy(app, 'memtree');
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await showContext(app, 3);
  await expect(app.inspector.getByText(/^memtree · /)).toBeVisible();
  const recalled = app.inspector.locator('summary').filter({ hasText: /depth \d.* · rated \d\.\d\d/ });
  await expect(recalled.first()).toBeVisible();
  await recalled.first().click();
  await expect(app.inspector.locator('details[open] pre').first()).toContainText('From earlier in this conversation:');

  await app.reload();
  await app.send(threeTopics[3]);
  await showContext(app, 4);
  await expect(app.inspector.getByText(/^memtree · /)).toBeVisible();
});

test('the memories are offered beside the baselines, each with what it is', async ({ app, page }) => {
  await app.open();
  const dialog = await app.openDialog('Engine');
  await dialog.getByRole('navigation').getByRole('button', { name: 'Policy' }).click();
  const memories = dialog.getByRole('group', { name: 'Memories of other papers' });
  await expect(memories.getByRole('radio')).toHaveCount(8);
  await expect(dialog.getByRole('group', { name: 'Context-Agent and its baselines' }).getByRole('radio')).toHaveCount(
    5,
  );
  await expect(memories.getByRole('radio', { name: 'memtree' })).toHaveAccessibleDescription(/MemTree/);
  await expectNoViolations(page, { where: 'policies' });
});

test('contexts are compared with those of a chosen memory, which opens to what it recalled', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await showContext(app, 3);
  await app.inspector.getByRole('button', { name: 'Compare contexts' }).click();
  const dialog = app.dialog('Compare contexts');
  const chooser = dialog.getByRole('button', { name: /policies to compare$/ });
  const heads = dialog.getByRole('columnheader');
  await expect(heads.filter({ hasText: 'context-agent-without-rag' })).toBeVisible();
  await chooser.focus();
  await chooser.press('Enter');
  const menu = page.getByRole('menu', { name: 'Policies to compare' });
  await menu.getByRole('menuitemcheckbox', { name: 'context-agent-without-rag' }).click();
  await menu.getByRole('menuitemcheckbox', { name: 'flat-rag' }).click();
  await menu.getByRole('menuitemcheckbox', { name: 'thread-memory' }).click();
  await expect(menu.getByRole('menuitemcheckbox', { name: /^context-agent sent/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(heads.filter({ hasText: 'thread-memory' })).toBeVisible();
  await expect(heads.filter({ hasText: 'flat-rag' })).toBeHidden();
  await expectNoViolations(page, { where: 'compare with a memory' });

  await dialog.getByRole('button', { name: 'Its memory: thread-memory' }).click();
  const memory = dialog.getByRole('tree', { name: 'List of thread-memory' });
  await expect(dialog.getByRole('button', { name: 'All contexts' })).toBeFocused();
  const recalled = memory.getByRole('treeitem', { name: /^slot \d+, turns? .*recalled, rated/ });
  await expect(recalled.first()).toBeVisible();
  await memory.getByRole('treeitem').first().focus();
  await page.keyboard.press('End');
  await expect(memory.getByRole('treeitem').last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(memory.locator('[data-read]')).toHaveCount(1);
  await expectNoViolations(page, { where: 'a memory' });
  await dialog.getByRole('button', { name: 'All contexts' }).click();
  await expect(dialog.getByRole('button', { name: 'Its memory: thread-memory' })).toBeFocused();

  // Kept while the page is open, in Analysis too.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const analysis = await app.openDialog('Analysis');
  await analysis.getByRole('tab', { name: 'Charts' }).click();
  await expect(analysis.getByRole('button', { name: 'thread-memory', exact: true })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await analysis.getByRole('button', { name: 'Context tokens as CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.split('\r\n')[0]).toBe('turn,message,policy,Sent (context-agent),full-history,truncation,thread-memory');
  expect(file.trim().split('\r\n')).toHaveLength(4);
  await expectNoViolations(page, { where: 'charts' });
});
