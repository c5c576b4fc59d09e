import { readFile } from 'node:fs/promises';
import type { App } from './support/app.ts';
import { Canvas, type Point } from './support/canvas.ts';
import { expectHeld } from './support/edits.ts';
import { forestLog, oakAndShip } from './support/forest-log.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const wood = forestLog(oakAndShip);

const before = ['1 Oak, 3 turns', '2 Oak', '2 Acorn', '2 Squirrel', '1 Ship, 2 turns', '2 Ship', '2 Mast'];

const undoneAndKept = (canvas: Canvas, app: App, after: string[]) =>
  expectHeld(app, () => canvas.hangs(), before, after);

test.describe('a turn is dragged', () => {
  test('under a turn of another topic; beside the pointer stands what that does to the context', async ({
    app,
    page,
  }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.carry('Ship', await canvas.centre('Squirrel'));
    await expect(canvas.note).toContainText('Turn 4 with 1 below under turn 3');
    await expect(canvas.note).toContainText(/context: .*tokens.*adds turns 1, 2 and 3/);
    await expect(canvas.card('Squirrel').locator('[data-drag=target]')).toBeVisible();
    await page.mouse.up();
    await undoneAndKept(canvas, app, ['1 Oak, 5 turns', '2 Oak', '2 Acorn', '2 Squirrel', '2 Ship', '2 Mast']);
  });

  test('onto open ground, where it begins a topic of its own', async ({ app }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.drag('Acorn', await canvas.ground());
    await expect(canvas.card('Acorn').locator('[data-selected]')).toBeVisible();
    await undoneAndKept(canvas, app, [
      '1 Oak, 1 turn',
      '2 Oak',
      '1 Ship, 2 turns',
      '2 Ship',
      '2 Mast',
      '1 About Acorn, 2 turns',
      '2 Acorn',
      '2 Squirrel',
    ]);
  });

  test('onto a folded card, which opens to show where it went', async ({ app }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.card('Oak').hover();
    await canvas.card('Oak').getByRole('button', { name: 'Fold what is below turn 1' }).click();
    await expect(canvas.card('Acorn')).toHaveCount(0);
    await canvas.drag('Mast', await canvas.centre('Oak'));
    await expect(canvas.card('Mast').locator('[data-active]')).toBeVisible();
    await expect(canvas.card('Acorn')).toBeVisible();
  });

  test('but not under its own descendants, and Escape lets it be', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.carry('Oak', await canvas.centre('Squirrel'));
    await expect(canvas.note).toContainText('Turn 3 is below what you are dragging');
    await expect(canvas.card('Squirrel').locator('[data-drag=refused]')).toBeVisible();
    await page.mouse.up();
    expect(await canvas.hangs()).toEqual(before);

    await canvas.carry('Squirrel', await canvas.centre('Ship'));
    await expect(canvas.note).toContainText('under turn 4');
    await page.keyboard.press('Escape');
    await expect(canvas.note).toBeHidden();
    await page.mouse.up();
    expect(await canvas.hangs()).toEqual(before);
  });

  test('in the overview, too, where cards are drawn and not mounted', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    const [from, to] = (await canvas.zoomFar('Mast', 'Squirrel')) as [Point, Point];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 8, from.y);
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await expect(canvas.note).toContainText('Turn 5 under turn 3');
    await page.mouse.up();
    await expect
      .poll(() => canvas.hangs())
      .toEqual(['1 Oak, 4 turns', '2 Oak', '2 Acorn', '2 Squirrel', '2 Mast', '1 Ship, 1 turn', '2 Ship']);
  });
});

test('a turn is corrected into a folded topic, which opens for the active turn that goes along', async ({
  app,
  page,
}) => {
  const canvas = new Canvas(app);
  await canvas.openLog(wood);
  await canvas.card('Oak').hover();
  await canvas.card('Oak').getByRole('button', { name: 'Fold what is below turn 1' }).click();
  await expect(canvas.card('Acorn')).toHaveCount(0);
  await app.startCorrecting(4);
  await page.getByRole('menuitem', { name: 'Other topic…' }).click();
  await page.getByRole('menuitem', { name: 'Oak' }).click();
  await expect(canvas.card('Mast').locator('[data-active]')).toBeVisible();
  await expect(canvas.card('Acorn')).toBeVisible();
});

test.describe('several turns', () => {
  test('are selected by clicks, dragged together, and let go by Escape', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.select('Squirrel', 'Mast');
    await expect(canvas.bar).toContainText('2 turns of 2 topics');
    await canvas.carry('Squirrel', await canvas.centre('Oak'));
    await expect(canvas.note).toContainText('2 turns under turn 1');
    await page.mouse.up();
    await expect
      .poll(async () => (await canvas.hangs()).toSorted())
      .toEqual([
        '1 Oak, 4 turns',
        '1 Ship, 1 turn',
        '2 Acorn',
        '2 Oak',
        '2 Ship',
        '3 Mast, begins a branch',
        '3 Squirrel, begins a branch',
      ]);
    await app.undo.click();
    await expect.poll(() => canvas.hangs()).toEqual(before);
    await expect.poll(async () => (await canvas.selected()).toSorted()).toEqual(['Mast', 'Squirrel']);
    await canvas.root.focus();
    await page.keyboard.press('Escape');
    await expect(canvas.bar).toBeHidden();
    await expect.poll(() => canvas.selected()).toEqual([]);
  });

  test('are selected by a rectangle, hidden, shown again and deleted from the bar', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.centre('Mast');
    const [ship, mast] = [await canvas.card('Ship').boundingBox(), await canvas.card('Mast').boundingBox()];
    if (ship === null || mast === null) throw new Error('the cards are not on the page');
    await page.keyboard.down('Shift');
    await page.mouse.move(ship.x + ship.width + 12, ship.y - 4);
    await page.mouse.down();
    await page.mouse.move(mast.x + 20, mast.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect(canvas.bar).toContainText('2 turns');
    await expect.poll(async () => (await canvas.selected()).toSorted()).toEqual(['Mast', 'Ship']);

    await canvas.bar.getByRole('button', { name: 'Hide' }).click();
    await expect(canvas.card('Mast').locator('[data-standing=hidden]')).toBeVisible();
    await expect(canvas.card('Mast').getByRole('img', { name: /^Hidden/ })).toBeVisible();
    await app.reload();
    await expect(canvas.card('Mast').locator('[data-standing=hidden]')).toBeVisible();
    await app.undo.click();
    await expect(canvas.cards.locator('[data-standing=hidden]')).toHaveCount(0);

    await canvas.select('Ship', 'Mast');
    await canvas.bar.getByRole('button', { name: 'Delete' }).click();
    await undoneAndKept(canvas, app, ['1 Oak, 3 turns', '2 Oak', '2 Acorn', '2 Squirrel']);
  });

  test('are exported', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.select('Acorn', 'Mast');
    await canvas.bar.getByRole('button', { name: 'Export the selected turns' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'JSON lines' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).content)).toEqual([
      'Acorn',
      'An answer to “Acorn”.',
      'Mast',
      'An answer to “Mast”.',
    ]);
  });
});

test('by keyboard, turns are selected, made topics of their own, taken back, moved with the picker and kept', async ({
  app,
  page,
}) => {
  const { keyboard } = page;
  const canvas = new Canvas(app);
  await canvas.openLog(wood);
  await canvas.root.focus();
  // Nothing is selected yet, so the first step goes to the active turn.
  await keyboard.press('ArrowUp');
  await expect.poll(() => canvas.selected()).toEqual(['Mast']);
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowLeft');
  await expect.poll(() => canvas.selected()).toEqual(['Oak']);
  await keyboard.press('ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await expect(canvas.bar).toContainText('2 turns of 1 topic');

  await keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: '2 turns' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Make each a topic of its own' }).press('Enter');
  await expect.poll(() => canvas.hangs()).toContain('1 About Acorn, 2 turns');
  await canvas.root.focus();
  await keyboard.press('Control+z');
  await expect.poll(() => canvas.hangs()).toEqual(before);

  await canvas.root.focus();
  await keyboard.press('Escape');
  await keyboard.press('ArrowUp');
  await keyboard.press('ContextMenu');
  await page.getByRole('menuitem', { name: /^Move under/ }).press('Enter');
  const picker = page.getByRole('dialog', { name: 'Move' });
  await expect(picker.getByRole('combobox')).toBeFocused();
  await picker.getByRole('combobox').pressSequentially('Squirrel');
  await expect(picker.getByRole('option', { selected: true })).toContainText('Squirrel');
  await keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await undoneAndKept(canvas, app, [
    '1 Oak, 4 turns',
    '2 Oak',
    '2 Acorn',
    '2 Squirrel',
    '2 Mast',
    '1 Ship, 1 turn',
    '2 Ship',
  ]);
});

test('in the past, the menu beside the canvas is of a turn that was there', async ({ app, page }) => {
  const canvas = new Canvas(app);
  await canvas.openLog(wood);
  await canvas.card('Mast').click();
  await app.timeline.fill('2');
  await expect(canvas.cards).toHaveCount(2);
  await canvas.root.focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: 'Turn' }).getByRole('menuitem', { name: /^Copy/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => canvas.selected()).toEqual(['Acorn']);
  await app.button('Now').click();
});
