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
