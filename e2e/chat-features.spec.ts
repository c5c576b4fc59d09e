import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { BOTH_THEMES, expectNoViolationsIn } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { holdRecall } from './support/held-answers.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { code, failed, paced, type Replied, repliedLog, thinking } from './support/replied-log.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const adopt = async (app: App, turns: readonly Replied[]): Promise<void> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.coppice.jsonl', repliedLog(turns));
  await dialog.openConversation();
  await expect(app.turns.first()).toBeVisible();
  await app.settled();
};

const expectCopied = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);

test.describe('an edited message', () => {
  test('goes beside the original as a branch, by keyboard alone; the original is one press away', async ({
    app,
    page,
  }) => {
    await app.open();
    await app.send(threeTopics[0]);
    await app.send(threeTopics[1]);
    await app.turn(2).getByRole('button', { name: 'Edit', exact: true }).press('Enter');
    const field = app.turn(2).getByRole('textbox', { name: 'Edited message' });
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/from turn 1 as a new branch. Turn 2 is kept/);
    await page.keyboard.press('Escape');
    await expect(app.turn(2).getByRole('button', { name: 'Edit', exact: true })).toBeFocused();

    await page.keyboard.press('Enter');
    await field.fill('Is Alfama in Lisbon safe at night?');
    await field.press('Enter');
    await expect(app.turn(3)).toContainText('Is Alfama in Lisbon safe at night?');
    await expect(app.why(3)).toContainText('new branch from turn 1, as you chose');
    await expect(app.turn(2)).toHaveCount(0);
    await expect(app.message).toBeFocused();
    await app.settled();
    await app.button('Back to turn 2').click();
    await expect(app.turn(2)).toContainText(threeTopics[1]);
    await expect(app.turn(2)).toContainText('1/2');
    await app.turn(2).getByRole('button', { name: 'Next branch' }).press('Enter');
    await expect(app.turn(3)).toContainText('Is Alfama in Lisbon safe at night?');
    expect((await app.shape()).filter((row) => row.startsWith('1 '))).toHaveLength(1);
  });

  test('that began a topic begins another', async ({ app }) => {
    await app.open();
    await app.send(threeTopics[0]);
    await app.turn(1).getByRole('button', { name: 'Edit', exact: true }).click();
    await app.turn(1).getByRole('textbox', { name: 'Edited message' }).fill('A week in Porto, please.');
    await app.button('Send edited').click();
    await expect(app.why(2)).toContainText('new topic, as you chose');
    await app.settled();
    expect((await app.shape()).filter((row) => row.startsWith('1 '))).toHaveLength(2);
  });
});

/** Entries of the log that are in the database, each in a row of its own while the page is open. */
const entriesStored = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('coppice');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const look = opening.result.transaction('entries');
          const all = look.objectStore('entries').count();
          look.oncomplete = () => {
            opening.result.close();
            resolve(all.result);
          };
        };
      }),
  );

test('regenerating adds a reply; all are kept, one counts, and one undo takes the last back', async ({ app }) => {
  await app.open();
  await app.send(threeTopics[0]);
  for (const kept of ['2/2', '3/3']) {
    await app.turn(1).getByRole('button', { name: 'Regenerate' }).click();
    await expect(app.turn(1)).toContainText(kept);
    await app.settled();
  }
  const kept = await entriesStored(app.page);
  await app.turn(1).getByRole('button', { name: 'Previous reply' }).click();
  await expect(app.turn(1)).toContainText('2/3');
  // It is shown before it is stored.
  await expect.poll(() => entriesStored(app.page)).toBeGreaterThan(kept);
  await app.reload();
  await expect(app.turn(1)).toContainText('2/3');
  await app.undo.click();
  await expect(app.turn(1)).toContainText('3/3');
  await app.undo.click();
  await expect(app.turn(1)).toContainText('2/2');
});

test('a failed reply says what happened; the embedded model replies for this once, and both are kept', async ({
  app,
}) => {
  await adopt(app, [{ message: 'How do I begin to write?', ...failed }]);
  const turn = app.turn(1);
  await expect(turn).toContainText(failed.failure);
  await expect(turn.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(turn.getByRole('button', { name: 'Try again' })).toBeVisible();
  await turn.getByRole('button', { name: 'Choose a smaller model' }).click();
  await expect(app.dialog('Models')).toBeVisible();
  await app.page.keyboard.press('Escape');

  await turn.getByRole('button', { name: 'Reply with the embedded model' }).click();
  await expect(turn).toContainText('2/2');
  await app.settled();
  await expect(turn).toContainText('recall');
  await turn.getByRole('button', { name: 'Previous reply' }).click();
  await expect(turn).toContainText(failed.failure);
});

test('a thinking model’s reasoning is folded away, and neither copied nor sent on', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await adopt(app, [{ message: 'What is six times seven?', reply: thinking }]);
  const turn = app.turn(1);
  const fold = turn.getByRole('button', { name: 'Thought for 11 words' });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(turn).not.toContainText('Six times seven is');
  await fold.press('Enter');
  await expect(turn).toContainText('Six times seven is forty-two.');
  await turn.getByRole('button', { name: 'Copy reply' }).click();
  await expectCopied(page, 'It is **42**.');

  await app.send('And twice that?');
  await app.inspector.getByRole('tab', { name: 'Context' }).click();
  await expect(app.inspector).toContainText('It is **42**.');
  await expect(app.inspector).not.toContainText('forty-two');
});

test('code names its language, is painted, and copied alone; a page without code loads no painter', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await app.open();
  await app.send(threeTopics[0]);
  expect(asked.filter((url) => url.includes('code-painter'))).toEqual([]);

  await adopt(app, [{ message: 'Read a CSV file in Python', reply: code }]);
  const turn = app.turn(1);
  await expect(turn.getByText('Python', { exact: true })).toBeVisible();
  await expect(turn.locator('[data-kind=keyword]', { hasText: 'import' })).toBeVisible();
  await turn.getByRole('button', { name: 'Copy code' }).last().click();
  await expectCopied(page, 'python3 rows.py | sort -u');
  expect(asked.filter((url) => url.includes('code-painter'))).toHaveLength(1);
  await app.inspector.getByRole('tab', { name: 'Turn' }).click();
  await expect(app.inspector.locator('[data-kind=keyword]', { hasText: 'import' })).toBeVisible();
  await expect(app.inspector).not.toContainText('```');
});

test('a language model’s reply tells its pace, in a line and in the inspector; recall’s tells none', async ({
  app,
}) => {
  await adopt(app, [{ message: 'Hello?', reply: 'Hello.', ...paced }]);
  await expect(app.turn(1)).toContainText('25 tokens/s · first token after 800 ms · 412 prefilled · 1,204 reused');
  await app.turn(1).getByRole('button', { name: 'Inspect turn 1' }).click();
  await app.inspector.getByRole('tab', { name: 'Decision' }).click();
  await expect(app.inspector).toContainText('Reused from its cache');
  await app.send('And again?');
  await expect(app.turn(2)).not.toContainText('tokens/s');
});

test('the smallest scroll up lets go of a reply that streams, and Jump to latest holds on again', async ({
  app,
  page,
}) => {
  await adopt(
    app,
    Array.from({ length: 14 }, (_, i) => ({ message: `Question ${i} about Lisbon?`, reply: 'A reply.\n\n'.repeat(3) })),
  );
  const goOn = await holdRecall(page);
  const fromEnd = () =>
    app.conversation.evaluate((log) => {
      const scroller = log.parentElement?.parentElement as HTMLElement;
      return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    });
  await app.message.fill('What did I ask about Lisbon?');
  await app.button('Send').click();
  await expect(app.turn(15)).toContainText('language model');
  await expect.poll(fromEnd).toBeLessThan(2);
  await app.conversation.hover();
  await page.mouse.wheel(0, -30);
  await expect(app.button('Jump to latest')).toBeVisible();
  await goOn();
  await app.settled();
  expect(await fromEnd()).toBeGreaterThan(20);
  await app.button('Jump to latest').click();
  await expect.poll(fromEnd).toBeLessThan(2);
  await expect(app.button('Jump to latest')).toBeHidden();
});

test('in both themes axe finds no violation in what a language model’s reply brings', async ({ app, page }) => {
  await adopt(app, [
    { message: 'Read a CSV file in Python', reply: code, ...paced },
    { message: 'What is six times seven?', reply: thinking },
    { message: 'How do I begin to write?', ...failed },
  ]);
  await expect(app.turn(1).locator('[data-kind=keyword]').first()).toBeAttached();
  await app
    .turn(2)
    .getByRole('button', { name: /^Thought for/ })
    .click();
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'replies' });
  await app.turn(3).getByRole('button', { name: 'Edit', exact: true }).click();
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'editor' });
  await app.button('Reply settings').click();
  await app.dialog('Reply settings').getByRole('textbox', { name: 'Temperature' }).fill('hot');
  await page.keyboard.press('Enter');
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'reply settings' });
});
