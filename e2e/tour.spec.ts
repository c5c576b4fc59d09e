import type { Locator } from '@playwright/test';
import { BOTH_THEMES, BOTH_THEMES_NARROW, expectNoViolationsIn } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const STEPS = [
  'Write as you think',
  'Read one path at a time',
  'See the whole forest',
  'Look behind a turn',
  'Go back in time',
  'Choose who answers',
];

/** The card is within the page, and the ring is around its subject. */
const isInPlace = async (tour: Locator): Promise<void> => {
  const { width, height } = tour.page().viewportSize() ?? { width: 0, height: 0 };
  const card = await tour.boundingBox();
  expect(card).not.toBeNull();
  if (card === null) return;
  expect(Math.min(card.x, card.y)).toBeGreaterThanOrEqual(0);
  expect(card.x + card.width).toBeLessThanOrEqual(width);
  expect(card.y + card.height).toBeLessThanOrEqual(height);
  await expect(tour.page().locator('[data-nowhere=false]')).toBeAttached();
};

test('a newcomer is offered a tour of six steps, which keeps to the keyboard, and is offered it once', async ({
  app,
  page,
}) => {
  test.slow();
  const { keyboard } = page;
  const offer = app.button('Take the tour');
  const tour = app.dialog('Tour');
  await app.open();
  await expect(offer).toBeVisible();
  await expect(page.getByText('unless you choose a model on a server or allow an online voice')).toBeVisible();
  await expect(tour).toBeHidden();

  await offer.click();
  for (const [at, title] of STEPS.entries()) {
    await expect(tour.getByRole('heading', { name: title })).toBeVisible();
    await expect(tour).toContainText(`${at + 1} of ${STEPS.length}`);
    await isInPlace(tour);
    await expectNoViolationsIn(page, BOTH_THEMES, { where: title });
    await expect(tour.getByRole('button', { name: at < STEPS.length - 1 ? 'Next' : 'Done' })).toBeFocused();
    await keyboard.press(at % 2 === 0 ? 'Enter' : 'ArrowRight');
  }
  // After the last step there is only its own button.
  await expect(tour.getByRole('heading', { name: 'Choose who answers' })).toBeVisible();
  await keyboard.press('ArrowLeft');
  await expect(tour.getByRole('heading', { name: 'Go back in time' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(tour).toBeHidden();
  await expect(offer).toBeHidden();
  await expect(app.message).toBeFocused();
  await app.reload();
  await expect(page.getByText('Watch one grow')).toBeVisible();
  await expect(offer).toBeHidden();

  await keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('tour');
  await keyboard.press('Enter');
  await expect(tour.getByRole('heading', { name: 'Write as you think' })).toBeVisible();
  await tour.getByRole('button', { name: 'Skip' }).click();
  await expect(tour).toBeHidden();
  await app.send('How do I prune a hazel?');
});

test('on a phone each step opens the pane that it is about, and who wants no tour is left alone', async ({
  app,
  page,
}) => {
  await app.resize({ width: 390, height: 844 });
  await app.open();
  const tour = await app.openDialog('Tour');
  for (const title of STEPS) {
    await expect(tour.getByRole('heading', { name: title })).toBeVisible();
    await isInPlace(tour);
    await expectNoViolationsIn(page, BOTH_THEMES_NARROW, { where: title });
    await tour.getByRole('button', { name: /Next|Done/ }).click();
  }
  await expect(tour).toBeHidden();
  await expect(app.message).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await app.reload();
  await app.button('No, thanks').click();
  await expect(app.button('Take the tour')).toBeHidden();
  await app.reload();
  await expect(page.getByText('Watch one grow')).toBeVisible();
  await expect(app.button('Take the tour')).toBeHidden();
});
