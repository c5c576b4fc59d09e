import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('axe finds no violation on a first visit and in any dialog', async ({ app, page }) => {
      test.slow();
      await app.open();
      await expectNoViolations(page, { where: 'first visit' });
      for (const name of ['Import', 'Export', 'Models', 'Settings', 'Shortcuts', 'Conversations']) {
        await app.openDialog(name);
        // A button that comes to life under axe is half read as it was.
        if (name === 'Models') await expect(app.button('Test again')).toBeEnabled();
        await expectNoViolations(page, { where: name });
        await page.keyboard.press('Escape');
      }
    });

    test('axe finds no violation in a conversation', async ({ app, page }) => {
      await app.open();
      for (const message of threeTopics.slice(0, 3)) await app.send(message);
      for (const tab of ['Decision', 'Context', 'Turn']) {
        await app.inspector.getByRole('tab', { name: tab, exact: true }).click();
        await expectNoViolations(page, { where: `inspector, ${tab}` });
      }
      await app.showOutline();
      await expectNoViolations(page, { where: 'outline' });
      await app.startCorrecting(3);
      // An open menu lies over the page, outside its landmarks.
      await expectNoViolations(page, { where: 'correction menu', except: ['region'] });
    });

    test('axe finds no violation on a phone', async ({ app, page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await app.open();
      await app.send(threeTopics[0]);
      for (const pane of ['Chat', 'Forest', 'Inspector']) {
        await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: pane }).click();
        await expectNoViolations(page, { where: pane });
      }
    });
  });
}
