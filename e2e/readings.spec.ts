import { printLog } from '../src/app/testing/conversation-files.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import type { App } from './support/app.ts';
import { expectNoViolations } from './support/axe.ts';
import { forestLog, oakAndShip } from './support/forest-log.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

const adopt = async (app: App, text: string): Promise<void> => {
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.giveFile('made-up.jsonl', text);
  await dialog.openConversation();
  await expect(app.turns.first()).toBeVisible();
};

/** The numbers of the turns on the page, from top to bottom. */
const numbers = (app: App): Promise<number[]> =>
  app.turns.evaluateAll((all) => all.map((turn) => Number(turn.ariaLabel?.slice('Turn '.length))));

const forked = { ...oakAndShip, Sail: 'Ship', Rope: 'Sail' };

test('what another topic said opens in place, and folds again', async ({ app }) => {
  await adopt(app, forestLog(oakAndShip));
  expect(await numbers(app)).toEqual([4, 5]);
  const pill = app.conversation.getByRole('button', { name: /^3 turns in another topic: ./ });
  await pill.click();
  expect(await numbers(app)).toEqual([1, 2, 3, 4, 5]);
  await expect(app.turn(2)).toContainText('An answer to “Acorn”.');
  await expect(pill).toHaveAttribute('aria-expanded', 'true');
  await pill.press('Enter');
  await expect.poll(() => numbers(app)).toEqual([4, 5]);
  // The pane comes back with everything that was in it.
  await app.button('Show chat').click();
  await expect(app.conversation).toBeHidden();
  await app.button('Show chat').click();
  await expect(app.turn(5)).toBeVisible();
});

test('everything is one key away, in order of time by topics; the choice outlasts a reload', async ({ app, page }) => {
  await adopt(app, forestLog(forked));
  const readings = page.getByRole('radiogroup', { name: 'Reading' });
  await expect(readings.getByRole('radio', { name: 'This path' })).toBeChecked();
  await app.turn(4).getByRole('button', { name: 'Inspect turn 4' }).focus();
  await page.keyboard.press('t');
  await expect(readings.getByRole('radio', { name: 'Everything' })).toBeChecked();
  expect(await numbers(app)).toEqual([1, 2, 3, 4, 6, 7]);
  await expect(app.conversation.getByRole('heading', { level: 2 })).toHaveText(['Oak', 'Ship']);
  await app.conversation.getByRole('button', { name: '1 turn on another branch' }).click();
  expect(await numbers(app)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await expectNoViolations(page, { within: '[data-pane="chat"]' });

  await app.reload();
  await expect(readings.getByRole('radio', { name: 'Everything' })).toBeChecked();
  await expect(app.turn(1)).toBeAttached();
  await app.send('Mast again, and how tall is it?');
  await expect(app.turn(8)).toBeVisible();
  await readings.getByRole('radio', { name: 'Everything' }).press('ArrowLeft');
  await expect(readings.getByRole('radio', { name: 'This path' })).toBeChecked();
  await expect(app.turn(1)).toHaveCount(0);
});

test('a folded turn that is selected elsewhere is unfolded and shown', async ({ app, page }) => {
  await adopt(app, forestLog(forked));
  await page.getByRole('radio', { name: 'Everything' }).check();
  await expect(app.turn(5)).toHaveCount(0);
  await app.showOutline();
  await app.outlineTurn(5).click();
  await expect(app.turn(5)).toBeInViewport();
});

test('of three thousand turns those in view are on the page; the other reading keeps the place', async ({
  app,
  page,
}) => {
  await adopt(app, printLog('Long', syntheticLog(3000, 7)));
  await page.getByRole('radio', { name: 'Everything' }).check();
  await expect(app.turn(3000)).toBeInViewport();
  expect(await app.turns.count()).toBeLessThan(60);
  const scroller = app.conversation.locator('xpath=../..');
  const goTo = (share: number) =>
    scroller.evaluate((element, at) => element.scrollTo({ top: element.scrollHeight * at }), share);
  for (const share of [0, 0.2, 0.7, 0.5]) {
    await goTo(share);
    await expect(app.turn(3000)).toHaveCount(0);
    expect(await app.turns.count()).toBeLessThan(60);
    await expect(scroller).toHaveText(/./);
  }
  await app.button('Jump to latest').click();
  await expect(app.turn(3000)).toBeInViewport();

  await page.getByRole('radio', { name: 'This path' }).check();
  await expect(app.turn(3000)).toBeInViewport();
  const [first = 0] = await numbers(app);
  await goTo(0);
  await expect(app.turn(first)).toBeInViewport();
  await page.getByRole('radio', { name: 'Everything' }).check();
  await expect(app.turn(first)).toBeInViewport();
  // Nor is it lost where the page is laid out anew, as by turning a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('navigation', { name: 'Panes' })).toBeVisible();
  await expect(app.turn(first)).toBeInViewport();
});
