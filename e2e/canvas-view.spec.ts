import { printLog } from '../src/app/testing/conversation-files.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { Canvas } from './support/canvas.ts';
import { forestLog, oakAndShip } from './support/forest-log.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const wood = forestLog(oakAndShip);

test('branches fold into a chip, and open again for a turn that is selected', async ({ app, page }) => {
  const canvas = new Canvas(app);
  await canvas.openLog(wood);
  await canvas.card('Oak').hover();
  await canvas.card('Oak').getByRole('button', { name: 'Fold what is below turn 1' }).click();
  await expect(canvas.card('Acorn')).toHaveCount(0);
  await expect(canvas.root).toBeFocused();
  await expect(canvas.card('Oak').getByRole('button', { name: 'Unfold 2 turns below turn 1' })).toHaveText('+2');

  // The topic of the active turn stays folded, too, when a turn of another is selected and when nothing is any more.
  await canvas.card('Ship').hover();
  await canvas.card('Ship').getByRole('button', { name: 'Fold what is below turn 4' }).click();
  await expect(canvas.card('Mast')).toHaveCount(0);
  await canvas.card('Oak').click();
  await expect(canvas.root).toHaveAccessibleDescription(/^Turn 1,/);
  await page.keyboard.press('Escape');
  await expect(canvas.root).toHaveAccessibleDescription('No turn is selected.');
  await expect(canvas.card('Mast')).toHaveCount(0);
  await canvas.card('Ship').getByRole('button', { name: 'Unfold 1 turn below turn 4' }).click();
  await expect(canvas.card('Mast')).toBeVisible();

  await app.showOutline();
  await app.outlineTurn(3).click();
  await app.showCanvas();
  await expect(canvas.card('Squirrel')).toBeVisible();

  // By keyboard; the active path only, so the other topic disappears.
  await page.keyboard.press('Escape');
  const near = app.forest.getByRole('button', { name: 'Only the active path and its neighbours' });
  await canvas.root.focus();
  await page.keyboard.press('Escape');
  await near.focus();
  await page.keyboard.press('Enter');
  await expect(near).toHaveAttribute('aria-pressed', 'true');
  await expect(canvas.cards).toHaveCount(2);
  await expect(near).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(canvas.cards).toHaveCount(5);
});

test('marks of turns are told in words, and colours can stand for what is in the context', async ({ app }) => {
  const canvas = new Canvas(app);
  await canvas.openLog(
    forestLog(oakAndShip, (idOf) => [
      { type: 'turn-pinned', nodeId: idOf('Oak'), pinned: true },
      { type: 'turn-noted', nodeId: idOf('Oak'), note: 'Ask the forester' },
      { type: 'reference-added', nodeId: idOf('Mast'), reference: { to: idOf('Acorn'), as: 'path', by: 'person' } },
      { type: 'turns-hidden', nodeIds: [idOf('Squirrel')], hidden: true },
    ]),
  );
  await expect(canvas.card('Oak').getByRole('img', { name: 'Ask the forester' })).toBeVisible();
  await canvas.card('Mast').click();
  await expect(canvas.root).toHaveAccessibleDescription(/Turn 5, active, .*refers to 1 turn/);
  await canvas.card('Squirrel').click();
  await expect(canvas.root).toHaveAccessibleDescription(/Turn 3, hidden, never in the context/);
  await app.forest.getByRole('combobox', { name: 'Colour' }).selectOption('In context');
  await expect(app.forest.getByRole('list', { name: 'Legend' })).toContainText('hidden');
  await expect(canvas.card('Oak').locator('[data-by=context]')).toBeVisible();
});

test('a forest of eight thousand turns is laid out behind the chat, at every moment of it', async ({ app, page }) => {
  const canvas = new Canvas(app);
  await canvas.openLog(printLog('Made up', syntheticLog(8_000, 7)));
  await expect(app.turn(8_000)).toBeVisible();
  const drawn = app.forest.locator('[aria-busy=false] canvas').first();
  await expect(drawn).toBeVisible();
  await app.timeline.fill('1');
  await expect(app.turn(1)).toBeVisible();
  await expect(canvas.cards).toHaveCount(1);
  await app.timeline.fill('5000');
  await expect(app.turn(5_000)).toBeVisible();
  await expect(canvas.root).toHaveAccessibleDescription('No turn is selected.');
  await app.button('Now').click();
  await expect(drawn).toBeVisible();
  await canvas.root.focus();
  await page.keyboard.press('Enter');
  await expect(canvas.root).toHaveAccessibleDescription(/^Turn 8000, active/);
});

test('all of a tall forest is shown clear of the tools', async ({ app }) => {
  const canvas = new Canvas(app);
  await app.resize({ width: 1280, height: 720 });
  const names = Array.from({ length: 8 }, (_, at) => `Ring ${at + 1}`);
  await canvas.openLog(forestLog(Object.fromEntries(names.map((name, at) => [name, names[at - 1] ?? null]))));
  await canvas.root.press('f');
  await app.forest.getByRole('button', { name: 'Show the whole forest' }).click();
  const tools = app.forest.getByRole('toolbar', { name: 'Canvas view' });
  const overlapping = async () => {
    const [lowest, box] = [
      await canvas.card('Ring 8').boundingBox(),
      await app.forest.getByText('Colour').boundingBox(),
    ];
    return (lowest?.y ?? 1_000) + (lowest?.height ?? 0) > (box?.y ?? 0);
  };
  await expect(tools).toBeVisible();
  await expect(canvas.cards).toHaveCount(names.length);
  await expect.poll(overlapping).toBe(false);
});

test('the canvas opens at the turn that was selected in the outline, and keeps the view that one has moved to', async ({
  app,
}) => {
  const canvas = new Canvas(app);
  await app.resize({ width: 1280, height: 720 });
  const names = Array.from({ length: 22 }, (_, at) => `Ring ${at + 1}`);
  await canvas.openLog(forestLog(Object.fromEntries(names.map((name, at) => [name, names[at - 1] ?? null]))));
  await expect(canvas.card('Ring 22')).toBeInViewport();
  await app.showOutline();
  await app.outlineTurn(3).click();
  await app.showCanvas();
  await expect(canvas.card('Ring 3')).toBeInViewport({ ratio: 0.99 });
  await canvas.root.press('0');
  const { x, y } = await canvas.centre('Ring 3');
  await app.showOutline();
  await app.showCanvas();
  await expect.poll(() => canvas.centre('Ring 3')).toEqual({ x, y });
});

test.describe('by touch', () => {
  test.use({ sharesPage: false, hasTouch: true, viewport: { width: 390, height: 844 } });

  test('a tap selects, a long press drags, and a long press let go opens the menu', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    await canvas.card('Acorn').tap();
    await expect(canvas.card('Acorn').locator('[data-selected]')).toBeVisible();

    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const [from, to] = [await canvas.centre('Acorn'), await canvas.centre('Mast')];
    await touch('touchStart', from);
    await expect(canvas.root).toHaveAttribute('data-lifted');
    await touch('touchMove', { x: from.x + 20, y: from.y });
    await touch('touchMove', to);
    await expect(canvas.note).toContainText('Turn 2 with 1 below under turn 5');
    await touch('touchEnd');
    await expect(canvas.note).toBeHidden();
    await expect
      .poll(() => canvas.hangs())
      .toEqual(['1 Oak, 1 turn', '2 Oak', '1 Ship, 4 turns', '2 Ship', '2 Mast', '2 Acorn', '2 Squirrel']);

    await touch('touchStart', await canvas.centre('Oak'));
    await expect(canvas.root).toHaveAttribute('data-lifted');
    await touch('touchEnd');
    await expect(page.getByRole('menu', { name: 'Turn' })).toBeVisible();
  });

  test('a card that is dragged far beyond the edge goes on following the finger', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const [from, ground] = [await canvas.centre('Acorn'), await canvas.ground()];
    await touch('touchStart', from);
    await expect(canvas.root).toHaveAttribute('data-lifted');
    await touch('touchMove', { x: from.x - 20, y: from.y });
    await touch('touchMove', { x: 2, y: ground.y });
    await expect(canvas.card('Squirrel')).toHaveCount(0);
    await expect(canvas.card('Acorn')).toHaveCount(1);
    await touch('touchMove', { x: 195, y: ground.y });
    await expect(canvas.note).toContainText('Turn 2 with 1 below to a topic of its own');
    await touch('touchEnd');
    await expect(canvas.note).toBeHidden();
    await expect.poll(() => canvas.hangs()).toContain('1 About Acorn, 2 turns');
  });

  test('several are chosen by taps alone, pinned together and let go', async ({ app, page }) => {
    const canvas = new Canvas(app);
    await canvas.openLog(wood);
    const several = page.getByRole('button', { name: 'Select several' });
    await several.tap();
    await expect(several).toHaveAttribute('aria-pressed', 'true');
    await expect(canvas.bar).toContainText('Choose turns');
    await canvas.card('Ship').tap();
    await canvas.card('Mast').tap();
    await expect(canvas.bar).toContainText('2 turns');
    await expect(canvas.bar.getByRole('button', { name: 'Clear the selection' })).toBeInViewport({ ratio: 1 });
    await canvas.bar.getByRole('button', { name: 'Pin' }).tap();
    await expect(canvas.card('Ship').getByRole('img', { name: /^Pinned/ })).toBeVisible();
    await expect(canvas.card('Mast').getByRole('img', { name: /^Pinned/ })).toBeVisible();
    await expect(canvas.bar.getByRole('button', { name: 'Unpin' })).toBeVisible();
    // Another tap removes a turn from the selection.
    await canvas.card('Mast').tap();
    await expect.poll(() => canvas.selected()).toEqual(['Ship']);
    await canvas.bar.getByRole('button', { name: 'Clear the selection' }).tap();
    await expect(canvas.bar).toBeHidden();
    await expect(several).toHaveAttribute('aria-pressed', 'false');
  });
});
