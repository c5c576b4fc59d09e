import type { App } from './support/app.ts';
import { CompareDialog } from './support/compare-dialog.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

/** The log without its export time. */
const logOf = async (app: App): Promise<string[]> => (await app.exported()).trim().split('\n').slice(1);

test('looking changes nothing: no view that is read moves the conversation, or writes anything down', async ({
  app,
  page,
}) => {
  test.slow();
  await app.open();
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  const before = await logOf(app);
  await page.keyboard.press('Escape');
  await app.showOutline();
  // Turn 1 is in the other topic.
  const isSelected = async () => {
    await expect(app.outlineTurn(1)).toHaveAttribute('aria-selected', 'true');
    await expect(app.turn(1)).toBeInViewport();
    await expect(app.outlineTurn(4)).toHaveAttribute('aria-current', 'true');
  };
  const unselect = async () => {
    await app.outlineTurn(4).click();
    await expect(app.outlineTurn(1)).toHaveAttribute('aria-selected', 'false');
  };

  await test.step('a row of Analysis, by click and by key', async () => {
    for (const open of ['click', 'key'] as const) {
      const dialog = await app.openDialog('Analysis');
      const row = dialog.getByRole('grid', { name: 'Decisions' }).getByRole('row').filter({ hasText: threeTopics[0] });
      if (open === 'click') await row.click();
      else {
        await row.focus();
        await page.keyboard.press('Enter');
      }
      await expect(dialog).toBeHidden();
      await isSelected();
      await unselect();
    }
  });
  await test.step('a chart of Analysis', async () => {
    const dialog = await app.openDialog('Analysis');
    await dialog.getByRole('tab', { name: 'Charts' }).click();
    await dialog.getByRole('slider', { name: 'Turn, similarity' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await isSelected();
    await unselect();
  });
  await test.step('Compare', async () => {
    const dialog = await app.openDialog('Compare');
    // Until then it follows the turn that was compared last.
    await new CompareDialog(app).compared(4);
    await dialog.getByRole('slider', { name: 'Turn' }).focus();
    await page.keyboard.press('Home');
    await expect(dialog.getByRole('heading', { name: 'Turn 1', exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Go to turn' }).click();
    await expect(dialog).toBeHidden();
    await isSelected();
    await unselect();
  });
  await test.step('search, and the palette', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+F');
    await page.getByRole('dialog').getByRole('combobox').fill('neighbourhood');
    await page.getByRole('option').filter({ hasText: 'neighbourhood' }).first().click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await isSelected();
    await unselect();
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').getByRole('combobox').fill('neighbourhood');
    await page.getByRole('option').filter({ hasText: 'neighbourhood' }).first().click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await isSelected();
    await unselect();
  });
  await test.step('the outline, the inspector, the timeline and the history', async () => {
    await app.outlineTurn(1).click();
    for (const tab of ['Decision', 'Context', 'Turn']) {
      await app.inspector.getByRole('tab', { name: tab, exact: true }).click();
    }
    await app.timeline.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    const history = await app.openDialog('History');
    await page.keyboard.press('Escape');
    await expect(history).toBeHidden();
  });

  expect(await logOf(app)).toEqual(before);
});
