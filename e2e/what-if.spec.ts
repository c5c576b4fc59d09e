import type { Entry } from '../src/domain/entry.ts';
import { DIALOG, expectNoViolationsIn, WIDE_THEN_NARROW_IN_THE_DARK } from './support/axe.ts';
import { terseTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';
import { WhatIfDialog } from './support/what-if-dialog.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

/** The log in a file, without its first line, which holds the export time. */
const logIn = (file: string): Entry[] =>
  file
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Entry);

/** The parent of every turn, by turn number; 0 for a root. */
const placedIn = (file: string): number[] => {
  const numbers = new Map<string, number>();
  return logIn(file).flatMap(({ event }) => {
    if (event.type === 'message-sent') numbers.set(event.nodeId, numbers.size + 1);
    return event.type === 'turn-placed' ? [numbers.get(event.placement.parentId ?? '') ?? 0] : [];
  });
};

test('a conversation is run again: as it was, then otherwise; the outcome is kept beside the original', async ({
  app,
}) => {
  await app.open();
  for (const message of terseTopics) await app.send(message);
  const original = await app.exported();
  const dialog = new WhatIfDialog(app);

  await test.step('with nothing otherwise, every turn is where it is', async () => {
    await dialog.open();
    // The run button is visible however low the screen.
    await app.resize({ width: 1280, height: 720 });
    await expect(dialog.button('Re-run')).toBeInViewport({ ratio: 1 });
    await dialog.run();
    await expect(dialog.heading).toHaveText(
      `No turn would have been decided differently of ${terseTopics.length} turns run again`,
    );
    await expect(dialog.root.getByText('Every turn is where it is')).toBeVisible();
  });

  await test.step('θ says nothing to the embedded decider, and the dialog says so', async () => {
    await dialog.set('θ, the fork threshold', '0.3');
    await dialog.run();
    await expect(dialog.heading).toContainText('No turn would have been decided differently');
    await dialog.button('Use the paper’s rule').click();
    await expect(dialog.root.getByLabel('Decider', { exact: true })).toHaveValue('paper-rule');
  });

  const moved = await test.step('by the paper’s rule, the turns that moved are named, with both reasons', async () => {
    await dialog.set('θ, the fork threshold', '0.4');
    await dialog.run();
    await expect(dialog.heading).not.toContainText('No turn');
    const turns = await dialog.turnsIn('Decided differently');
    expect(turns.length).toBeGreaterThan(0);
    const row = dialog.root.getByRole('list', { name: 'Decided differently' }).getByRole('button').first();
    await row.click();
    await expect(row).toHaveAttribute('aria-expanded', 'true');
    const reasons = dialog.root.getByRole('list', { name: 'Decided differently' }).getByRole('listitem').first();
    await expect(reasons.getByRole('heading', { name: 'Before' })).toBeVisible();
    await expect(reasons.getByRole('heading', { name: 'After' })).toBeVisible();
    await expect(reasons).toContainText('embedded decider');
    await expect(reasons).toContainText('the paper’s rule');
    return turns;
  });

  await test.step('kept, it is a conversation that says what it is, and just those turns are elsewhere in it', async () => {
    await dialog.button('Keep as a conversation').click();
    await expect(dialog.root).toBeHidden();
    await expect(app.page.getByRole('banner')).toContainText('what if: θ 0.40, the paper’s rule');
    await app.settled();
    const [before, after] = [placedIn(original), placedIn(await app.exported())];
    const differ = before.flatMap((parent, at) => (parent === after[at] ? [] : [at + 1]));
    expect(differ).toEqual(moved);
  });

  await test.step('the original is as it was', async () => {
    const items = await app.listConversations();
    await expect(items).toHaveCount(2);
    await items.filter({ hasNotText: 'what if' }).getByRole('button').first().click();
    await expect(app.page.getByRole('banner')).not.toContainText('what if');
    await expect(app.turns.filter({ hasText: terseTopics[9] })).toBeVisible();
    expect(logIn(await app.exported())).toEqual(logIn(original));
  });
});

test('an empty conversation has nothing to run again; what is wrong in a field says so', async ({ app }) => {
  await app.open();
  await app.openDialog('What if');
  await expect(app.dialog('What if')).toContainText('There is no turn in this conversation yet.');
  await app.dialog('What if').getByRole('button', { name: 'Close' }).click();

  await app.send(terseTopics[0]);
  await app.send(terseTopics[1]);
  const dialog = new WhatIfDialog(app);
  await dialog.open();
  await dialog.set('θ, the fork threshold', '7');
  await expect(dialog.root.getByText('A number from 0 to 1')).toBeVisible();
  await dialog.set('Values', '1');
  await expect(dialog.root.getByText('2 to 40 values.')).toBeVisible();
  await expect(dialog.button('Sweep')).toBeDisabled();
});

test('corrections are done again or left out, from a turn on', async ({ app }) => {
  await app.open();
  for (const message of terseTopics.slice(0, 2)) await app.send(message);
  await app.correctToNewTopic(2);
  for (const message of terseTopics.slice(2, 4)) await app.send(message);
  const dialog = new WhatIfDialog(app);
  await dialog.open();
  await dialog.run();
  await expect(dialog.heading).toContainText('No turn would have been decided differently');
  await dialog.button('Ignored').click();
  await dialog.run();
  await expect(dialog.heading).toContainText('No turn would have been decided differently');
  await expect(dialog.root.getByText('1 manual edit was ignored')).toBeVisible();
  await expect(dialog.root.getByText('· 1 moved by manual edits')).toBeVisible();
  expect(await dialog.turnsIn('Moved by manual edits')).toEqual([2]);
  await dialog.root.getByLabel('Re-run from').selectOption({ index: 2 });
  await dialog.run();
  await expect(dialog.heading).toContainText('of 2 turns run again');
});

test('axe finds no violation in What if, wide, and narrow in the dark; it begins at a turn', async ({ app, page }) => {
  await app.open();
  for (const message of terseTopics) await app.send(message);
  const dialog = new WhatIfDialog(app);
  await dialog.open();
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'open', ...DIALOG });
  await dialog.choose('Decider', 'The paper’s rule');
  await dialog.root.getByText('Other parameters').click();
  await dialog.set('θ, the fork threshold', '0.4');
  await dialog.run();
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'outcome', ...DIALOG });
  await dialog.root.getByRole('list', { name: 'Decided differently' }).getByRole('button').first().click();
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'a difference', ...DIALOG });
  await app.resize({ width: 390, height: 844 });
  // The outcome says the same, but unfolds nothing.
  const changed = dialog.root.locator('summary', { hasText: 'Changed: θ 0.40' });
  await changed.click();
  await expect(changed.locator('xpath=..')).toHaveAttribute('open');
  // By key: what has just unfolded may still be on its way to where a click would go.
  await dialog.button('Sweep').press('Enter');
  await expect(dialog.root.getByRole('row')).toHaveCount(11);
  await expect(dialog.root.getByRole('progressbar')).toBeHidden();
  await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'sweep', ...DIALOG });
  await dialog.button('Close').click();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: 'Commands' }).fill('What if from this turn');
  await expect(page.getByRole('option').first()).toContainText('What if from this turn');
  await page.keyboard.press('Enter');
  await expect(dialog.root.getByLabel('Re-run from')).not.toHaveValue('');
});

test.describe('in a browser with no other conversation', () => {
  test.use({ sharesPage: false });

  test('a sweep is cancelled and gone on with from its values; what came of it is thrown away', async ({ app }) => {
    await app.open();
    for (const message of terseTopics) await app.send(message);
    const original = await app.exported();
    const dialog = new WhatIfDialog(app);
    await dialog.open();
    await dialog.choose('Decider', 'The paper’s rule');

    await test.step('ten values of θ, with what each comes to', async () => {
      await dialog.button('Sweep').click();
      const rows = dialog.root.getByRole('row');
      await expect(rows).toHaveCount(11);
      await expect(dialog.root.getByRole('progressbar')).toBeHidden();
      await rows.last().getByRole('button', { name: 'Show 0.9' }).click();
      await expect(dialog.heading).toBeVisible();
      await expect(dialog.root.getByRole('textbox', { name: 'θ, the fork threshold' })).toHaveValue('0.9');
    });

    await test.step('cancelled, the values before stay', async () => {
      await dialog.set('Values', '40');
      await dialog.button('Sweep').click();
      await dialog.button('Cancel').click();
      await expect(dialog.root.getByRole('progressbar')).toBeHidden();
      await expect(dialog.root.getByText('The sweep was cancelled')).toBeVisible();
      await expect(dialog.button('Sweep')).toBeEnabled();
    });

    await test.step('thrown away, nothing is left of it', async () => {
      await dialog.button('Discard').click();
      await expect(dialog.root.getByText('How would this conversation have turned out?')).toBeVisible();
      await dialog.button('Close').click();
      expect(logIn(await app.exported())).toEqual(logIn(original));
      await expect(await app.listConversations()).toHaveCount(1);
    });
  });
});
