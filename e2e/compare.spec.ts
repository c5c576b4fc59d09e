import { expectNoViolations, expectNoViolationsIn, WIDE_THEN_NARROW_IN_THE_DARK } from './support/axe.ts';
import { BrokenEmbedder } from './support/broken-embedder.ts';
import { CompareDialog } from './support/compare-dialog.ts';
import { gardenMessages, threeTopics } from './support/dialogues.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { ReplayBar } from './support/replay-bar.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a sample is compared, understood, looked into and taken along', async ({ app, page }) => {
  test.slow();
  await app.open();
  await page.getByRole('button', { name: 'Play Six days in Portugal' }).click();
  const bar = new ReplayBar(app);
  await bar.withoutPause();
  await bar.ended();
  const dialog = new CompareDialog(app);
  await test.step('what was just played offers it', async () => {
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Compare' }).click();
    await expect(dialog.root).toBeVisible();
    await dialog.compared(17);
  });

  await test.step('a sentence says what came out, and a table what it cost', async () => {
    await expect(dialog.result).toHaveText(
      /^Over 17 turns, \S+ sent \d+ % of what full-history sends; \S+ \d+ %; \S+ \d+ %\.$/,
    );
    for (const policy of ['focused', 'context-agent', 'full-history', 'memtree']) {
      await expect(dialog.row(policy)).toBeVisible();
    }
    await expect(dialog.row('full-history').getByRole('cell').nth(3)).toHaveText('100 %');
    await expect(dialog.row('full-history').getByRole('cell').nth(4)).toHaveText('0');
    await expect(dialog.row('memtree').getByRole('cell').nth(6)).not.toHaveText('0');
    await expect(dialog.costs.getByText('How often other models were asked')).toBeVisible();
  });

  await test.step('other policies are chosen, and the sentence is about them', async () => {
    await dialog.choose({ without: ['focused', 'memtree'], and: ['thread-memory', 'truncation'] });
    await expect(dialog.row('thread-memory')).toBeVisible();
    await dialog.compared(17);
    await expect(dialog.result).toContainText('thread-memory');
    await expect(dialog.result).toContainText('truncation');
    await expect(dialog.result).not.toContainText('memtree');
  });

  await test.step('a turn is gone to by keys, and everything is about it', async () => {
    await dialog.turn.focus();
    await expect(dialog.turn).toBeFocused();
    await page.keyboard.press('Home');
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await expect(dialog.turn).toHaveAttribute('aria-valuetext', /^Turn 4: context-agent \d+ · full-history \d+/);
    await expect(dialog.root.getByRole('heading', { name: 'Turn 4', exact: true })).toBeVisible();
    await expect(dialog.costs.getByRole('columnheader', { name: 'turn 4' })).toHaveCount(5);
    await expect(dialog.pane('thread-memory').getByRole('group', { name: 'Picture of thread-memory' })).toBeVisible();
    await expect(dialog.pane('full-history')).toContainText(/sends \d+ tokens/);
  });

  await test.step('a policy that places turns by a rule of its own has them placed anew', async () => {
    await dialog.choose({ without: ['truncation'], and: ['context-agent-code'] });
    await dialog.compared(17);
    await expect(dialog.pane('context-agent-code')).toContainText('Turns placed again');
    await expect(dialog.pane('context-agent')).not.toContainText('Turns placed again');
    await dialog.choose({ without: ['context-agent-code'], and: ['truncation'] });
    await dialog.compared(17);
  });

  await test.step('the contexts say what one has and another lacks', async () => {
    await dialog.button('Contexts').click();
    const table = dialog.root.getByRole('region', { name: 'Contexts by policy' });
    await expect(table.getByRole('columnheader', { name: /^thread-memory/ })).toBeVisible();
    const first = table.getByRole('row').filter({ hasText: /^Turn 1\b/ });
    await expect(first.getByRole('cell').nth(1)).toContainText('in full');
    await first.getByRole('button', { expanded: false }).click();
    await expect(table.locator('pre').first()).toContainText('northern Portugal');
    await expectNoViolations(page, { where: 'contexts', within: '[role=dialog]' });
  });

  await test.step('all of it is exported in four forms', async () => {
    const csv = await dialog.export('CSV');
    expect(csv.name).toMatch(/portugal.*\.comparison\.csv$/);
    const lines = csv.bytes.toString().trim().split('\r\n');
    expect(lines[0]).toMatch(/^turn,message,policy,sent,tokens,calls,read,ms,/);
    expect(lines).toHaveLength(1 + 17 * 4);

    const json = JSON.parse((await dialog.export('JSON')).bytes.toString());
    expect(json).toMatchObject({ coppice: 'comparison', models: { embed: expect.stringContaining('use-lite-en') } });
    expect(json.turns).toHaveLength(17);
    expect(Object.keys(json.turns[3].policies).sort()).toEqual([
      'context-agent',
      'full-history',
      'thread-memory',
      'truncation',
    ]);

    const svg = (await dialog.export('SVG')).bytes.toString();
    const drawn = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      return [parsed.querySelector('parsererror') === null, parsed.querySelectorAll('path').length];
    }, svg);
    expect(drawn[0]).toBe(true);
    expect(drawn[1]).toBeGreaterThanOrEqual(8);

    const png = (await dialog.export('PNG')).bytes;
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // The width in the header, in pixels: twice that of the drawing.
    expect(png.readUInt32BE(16)).toBe(1920);
  });

  await test.step('a turn is gone to in the conversation; opened again, all is still there', async () => {
    await dialog.button('Go to turn').click();
    await expect(dialog.root).toBeHidden();
    await expect(app.turn(4)).toBeVisible();
    await dialog.open();
    await dialog.compared(17);
    await expect(dialog.row('thread-memory')).toBeVisible();
    await dialog.close();
  });
});

test('where nothing was said yet a sample is played right there, and compared while it plays', async ({
  app,
  page,
}) => {
  test.slow();
  await app.open();
  const dialog = new CompareDialog(app);
  await dialog.open();
  await expect(dialog.root.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await expectNoViolations(page, { where: 'empty', within: '[role=dialog]' });
  await dialog.button('Play A script that finds duplicates').click();
  const bar = new ReplayBar(app);
  const played = async () => Number(await bar.root.getByRole('progressbar').getAttribute('value'));
  const compared = async () => Number(await dialog.turn.getAttribute('max')) + 1;
  await expect.poll(compared).toBeGreaterThanOrEqual(2);
  await bar.button('Pause').click();
  const step = bar.button('Play one turn');
  await expect(step).toBeEnabled();
  const before = await played();
  // No turn is played while the previous one is still being answered.
  await expect(async () => {
    await step.click();
    expect(await played()).toBeGreaterThan(before + 1);
  }).toPass();
  // The newest turn is the one on view.
  await expect(async () => {
    const now = await played();
    expect(await compared()).toBe(now);
    await expect(dialog.root.getByRole('heading', { name: `Turn ${now}`, exact: true })).toBeVisible();
  }).toPass();
  await bar.button('End the replay').click();
  await expect(bar.root).toBeHidden();
  await expect(dialog.root).toBeVisible();
});

test('a dialogue that is imported from there comes back to the comparison', async ({ app }) => {
  await app.open();
  const dialog = new CompareDialog(app);
  await dialog.open();
  const given = new ImportDialog(app);
  await dialog.button('Import a dialogue').click();
  await expect(given.root).toBeVisible();
  await given.close();
  await expect(dialog.root).toBeVisible();
  await dialog.button('Import a dialogue').click();
  await given.giveFile('garden.json', JSON.stringify(gardenMessages));
  await given.replay();
  await expect(dialog.root).toBeVisible();
  await dialog.compared(3);
  await expect(dialog.result).toContainText('Over 3 turns');
});

test.describe('in a browser that begins as shipped', () => {
  test.use({ sharesPage: false });

  test('a memory that cannot be made says why, the others go on, and it is tried again', async ({ app, page }) => {
    const embedder = await BrokenEmbedder.install(page);
    await app.open();
    for (const message of threeTopics.slice(0, 3)) await app.send(message);
    await embedder.break();
    const dialog = new CompareDialog(app);
    await dialog.open();
    await dialog.compared(3);
    const failed = dialog.root.getByRole('alert').filter({ hasText: 'memtree could not continue' });
    await expect(failed).toBeVisible();
    await expect(dialog.result).toContainText('Over 3 turns, focused');
    await expect(dialog.row('full-history').getByRole('cell').first()).not.toHaveText('–');
    await expect(dialog.row('memtree').getByRole('cell').first()).toHaveText('–');
    await expectNoViolations(page, { where: 'a memory that failed', within: '[role=dialog]' });
    await embedder.mend();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.row('memtree').getByRole('cell').first()).not.toHaveText('–');
    await expect(failed).toBeHidden();
  });

  test('axe finds no violation in Compare, wide, and narrow in the dark; it opens from the palette', async ({
    app,
    page,
  }) => {
    await app.open();
    for (const message of threeTopics.slice(0, 4)) await app.send(message);
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: 'Commands' }).fill('Compare memories');
    await expect(page.getByRole('option').first()).toContainText('Compare memories');
    await page.keyboard.press('Enter');
    const dialog = new CompareDialog(app);
    await dialog.compared(4);
    await expect(dialog.pane('memtree').getByRole('group', { name: 'Picture of memtree' })).toBeVisible();
    await expect(dialog.row('focused')).toContainText('sent');
    await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'memories', within: '[role=dialog]' });
    await dialog.root.getByText(/^Not built/).click();
    await dialog.root.getByRole('button', { name: /^Choose policies/ }).click();
    await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'the choice' });
    await page.keyboard.press('Escape');
    await dialog.button('Contexts').click();
    await expect(dialog.root.getByRole('region', { name: 'Contexts by policy' })).toBeVisible();
    await expectNoViolationsIn(page, WIDE_THEN_NARROW_IN_THE_DARK, { where: 'contexts', within: '[role=dialog]' });
  });
});
