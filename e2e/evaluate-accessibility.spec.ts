import { BOTH_THEMES_AND_WIDTHS, DIALOG, expectNoViolationsIn } from './support/axe.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { brokenTiageFile, sgdFile, tiageFile } from './support/labelled-files.ts';
import { expect, test } from './support/test.ts';

test('axe finds no violation in Evaluate, in both themes, wide and narrow', async ({ app, page }) => {
  test.slow();
  const check = (where: string) => expectNoViolationsIn(page, BOTH_THEMES_AND_WIDTHS, { where, ...DIALOG });
  await app.open();
  const dialog = new EvaluateDialog(app);
  await dialog.open();
  await check('empty');
  await dialog.choose({ name: 'tiage.json', text: brokenTiageFile });
  await expect(dialog.alert).toBeVisible();
  await check('a broken file');
  await dialog.choose(
    { name: 'talk.json', text: sgdFile },
    { name: 'tiage.json', text: tiageFile },
    { name: 'what.json', text: '[]' },
    { name: 'x.md', text: '' },
  );
  await expect(dialog.found('sgd')).toBeVisible();
  await check('files');
  await dialog.measure();
  await check('figures');
  await dialog.root.getByText('What the figures mean').click();
  await check('legend');
  await dialog.button('Confusions').click();
  await dialog.root
    .getByRole('button', { name: /decided as/ })
    .first()
    .click();
  await check('examples');
  await dialog.root.getByRole('list', { name: 'Decisions' }).getByRole('button').first().click();
  await check('dialogue');
});
