import type { Page } from '@playwright/test';
import { BOTH_THEMES, BOTH_THEMES_NARROW, expectNoViolationsIn } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('in both themes axe finds no violation on a first visit and in any dialog', async ({ app, page }) => {
  test.slow();
  await app.open();
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'first visit' });
  for (const name of ['Import', 'Export', 'Models', 'Settings', 'Shortcuts', 'Conversations']) {
    await app.openDialog(name);
    // A button that becomes enabled while axe runs is half read in its old state.
    if (name === 'Models') await expect(app.button('Test again')).toBeEnabled();
    await expectNoViolationsIn(page, BOTH_THEMES, { where: name });
    await page.keyboard.press('Escape');
  }
});

test('in both themes axe finds no violation in a conversation, nor on a phone', async ({ app, page }) => {
  test.slow();
  await app.open();
  for (const message of threeTopics.slice(0, 3)) await app.send(message);
  for (const tab of ['Decision', 'Context', 'Turn']) {
    await app.inspector.getByRole('tab', { name: tab, exact: true }).click();
    await expectNoViolationsIn(page, BOTH_THEMES, { where: `inspector, ${tab}` });
  }
  await app.showOutline();
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'outline' });
  await app.startCorrecting(3);
  // An open menu overlays the page, outside its landmarks.
  await expectNoViolationsIn(page, BOTH_THEMES, { where: 'correction menu', except: ['region'] });
  await page.keyboard.press('Escape');

  await app.resize({ width: 390, height: 844 });
  for (const pane of ['Chat', 'Forest', 'Inspector']) {
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane }).click();
    await expectNoViolationsIn(page, BOTH_THEMES_NARROW, { where: pane });
    expect(await tooSmall(page), `buttons of ${pane}`).toEqual([]);
  }
});

test('with forced colours, outlines show where the focus is and what is chosen', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await page.emulateMedia({ forcedColors: 'active' });
  await app.message.focus();
  await expect(app.message).toHaveCSS('outline-style', 'solid');
  await app.button('More for turn 1').click();
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await expect(page.getByRole('menuitem').first()).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Escape');
  await expect(app.inspector.getByRole('tab', { selected: true })).toHaveCSS('outline-style', 'solid');
  await app.inspector.getByRole('tab', { name: 'Turn' }).click();
  await expect(app.inspector.getByRole('switch', { name: 'Pinned' })).toHaveCSS('appearance', 'auto');
  await app.button('Models').click();
  await expect(app.dialog('Models').locator('[aria-current=page]')).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Escape');
  await page.emulateMedia({ forcedColors: 'none' });
});

test('beside the list of conversations, a page that becomes narrow is still there for screen readers', async ({
  app,
  page,
}) => {
  await app.open();
  await app.listConversations();
  await app.resize({ width: 390, height: 844 });
  await expect(page.getByRole('navigation', { name: 'Panes' })).toBeVisible();
  await expect(app.dialog('Conversations')).toBeVisible();
  await expect(app.message).toBeVisible();
});

test('at a zoom of 400 % the page scrolls, and the chat, the list of conversations, a dialog and a notice are there', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  await app.resize({ width: 320, height: 256 });
  await expect(app.turn(1)).toBeInViewport();
  await app.message.scrollIntoViewIfNeeded();
  await expect(app.message).toBeInViewport({ ratio: 1 });
  await app.button('Reply settings').click();
  const dialog = app.dialog('Reply settings');
  for (const part of [dialog.getByRole('textbox', { name: 'Temperature' }), dialog.getByRole('button').last()]) {
    await part.scrollIntoViewIfNeeded();
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press('Escape');
  const listed = (await app.listConversations()).first();
  await listed.scrollIntoViewIfNeeded();
  await expect(listed).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await app.undo.click();
  await expect(page.getByRole('button', { name: 'Close notice' })).toBeInViewport({ ratio: 1 });
});

/** Visible buttons too small for a finger, except those within a line of text. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.getByRole('button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const { width, height, bottom } = button.getBoundingClientRect();
      const inText =
        getComputedStyle(button).display === 'inline' || button.closest('p, nav[aria-label=Path]') !== null;
      const seen = button.checkVisibility() && bottom > 0 && width > 0;
      return seen && !inText && Math.min(width, height) < 44
        ? [`${button.ariaLabel ?? button.textContent}: ${width} × ${height}`]
        : [];
    }),
  );
