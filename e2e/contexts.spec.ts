import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { Edits } from './support/edits.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const inspect = async (app: App, turn: number): Promise<void> => {
  await app.showOutline();
  await app.outlineTurn(turn).click();
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector.getByRole('heading', { name: 'Messages' })).toBeVisible();
};

/** The messages that the Context tab shows as sent, byte for byte. */
const messages = (app: App): Promise<string[]> => app.inspector.locator('li[data-role] > pre').allTextContents();

test.describe('the context of a turn', () => {
  test('is what was sent, whatever is done to the turns that it held', async ({ app }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 3)) await app.send(message);
    await inspect(app, 2);
    await expect.poll(() => messages(app)).toContain(threeTopics[0]);
    const sent = await messages(app);

    await new Edits(app).choose(3, /^Delete/);
    await app.outlineTurn(1).click();
    await new Edits(app).choose(1, /^Delete/, /^This turn alone/);
    await expect(app.outlineTurn(1)).toBeHidden();
    await inspect(app, 2);
    await expect.poll(() => messages(app)).toEqual(sent);
    await app.reload();
    await inspect(app, 2);
    await expect.poll(() => messages(app)).toEqual(sent);
  });

  test('says what entered and what left since the turn before, and unfolds to the words', async ({ app }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 3)) await app.send(message);
    await inspect(app, 3);
    await expect(app.inspector.getByRole('heading', { name: 'Since turn 2' })).toBeVisible();
    // Savings are stated against the same plain chat everywhere.
    const told =
      (await app.inspector
        .getByText(/in a plain chat/)
        .first()
        .locator('..')
        .textContent()) ?? '';
    const [, sent, plain] = /^([\d,]+) tokens of ([\d,]+) in a plain chat/.exec(told) ?? [];
    await expect(app.page.getByRole('button', { name: `${sent} of ${plain} tokens` })).toBeVisible();
    await expect(app.why(3)).toContainText(sent === plain ? `${sent} tokens` : `${sent} of ${plain} tokens`);
    const left = app.inspector.locator('li[data-change="left"]').filter({ hasText: 'Turn 1' });
    await expect(left).toBeVisible();
    await left.locator('summary').click();
    await expect(left.locator('pre').first()).toHaveText(threeTopics[0]);
    await expect(left.getByRole('button', { name: 'Go to turn 1' })).toBeVisible();
  });

  test('stands beside what every other policy would have sent', async ({ app, page }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 4)) await app.send(message);
    await inspect(app, 4);
    await app.inspector.getByRole('button', { name: 'Compare contexts' }).click();
    const dialog = app.dialog('Compare contexts');
    const heads = dialog.getByRole('columnheader');
    await expect(heads.filter({ hasText: 'focused' }).first()).toContainText('sent');
    for (const policy of ['full-history', 'truncation', 'flat-rag', 'context-agent-without-rag']) {
      await expect(heads.filter({ hasText: policy })).toBeVisible();
    }
    const first = dialog.getByRole('row').filter({ hasText: /^Turn 1\b/ });
    await expect(first.getByRole('cell').nth(0)).toContainText('not sent');
    // context-agent sends it as a line of the overview; the whole history is the third column.
    await expect(first.getByRole('cell').nth(2)).toContainText('in full');
    await first.getByRole('button', { expanded: false }).click();
    await expect(dialog.locator('pre').first()).toHaveText(threeTopics[0]);

    const rows = await dialog.getByRole('row').count();
    await dialog.getByRole('button', { name: /^Only what differs/ }).click();
    await expect.poll(() => dialog.getByRole('row').count()).toBeLessThan(rows);
    await expect(dialog.getByRole('row').filter({ hasText: /^Instructions/ })).toBeHidden();
    await expectNoViolations(page, { where: 'compare contexts' });
  });
});

test('the message that is being written shows where it would go, and goes there', async ({ app, page }) => {
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  await app.message.fill(threeTopics[6]);
  const place = page.getByRole('button', { name: /^Next message: returns to/ });
  await expect(place).toBeVisible();
  await page.getByRole('button', { name: 'Preview: why it would go there' }).click();
  await expect(app.inspector).toContainText('the message has not been sent');
  await expect(app.inspector.getByRole('figure')).toHaveAccessibleName(/^Topic: Return to/);
  await expect(app.turns.filter({ hasText: threeTopics[6] })).toHaveCount(0);
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector).toContainText('Would be sent');
  const previewed = await messages(app);
  await expectNoViolations(page, { where: 'preview' });

  await app.message.focus();
  await page.keyboard.press('Enter');
  await expect(app.turn(4)).toContainText('returned to');
  await app.settled();
  await expect(app.inspector).not.toContainText('Would be sent');
  await expect.poll(() => messages(app)).toEqual(previewed);
});
