import { expectNoViolations } from './support/axe.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { brokenTiageFile, sgdFile, tiageFile } from './support/labelled-files.ts';
import { expect, test } from './support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds no violation in Evaluate, ${colorScheme}, ${width} wide`, async ({ app, page }) => {
      test.slow();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await app.open();
      const dialog = new EvaluateDialog(app);
      await dialog.open();
      await expectNoViolations(page, { where: 'empty' });
      await dialog.choose({ name: 'tiage.json', text: brokenTiageFile });
      await expect(dialog.alert).toBeVisible();
      await expectNoViolations(page, { where: 'a broken file' });
      await dialog.choose(
        { name: 'talk.json', text: sgdFile },
        { name: 'tiage.json', text: tiageFile },
        { name: 'what.json', text: '[]' },
        { name: 'x.md', text: '' },
      );
      await expect(dialog.found('sgd')).toBeVisible();
      await expectNoViolations(page, { where: 'files' });
      await dialog.measure();
      await expectNoViolations(page, { where: 'figures' });
      await dialog.root.getByText('What the figures mean').click();
      await expectNoViolations(page, { where: 'legend' });
      await dialog.button('Confusions').click();
      await dialog.root
        .getByRole('button', { name: /decided as/ })
        .first()
        .click();
      await expectNoViolations(page, { where: 'examples' });
      await dialog.root.getByRole('list', { name: 'Decisions' }).getByRole('button').first().click();
      await expectNoViolations(page, { where: 'dialogue' });
    });
  }
}
