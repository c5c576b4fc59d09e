import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.describe('a decision', () => {
  test('is one picture in words, and its words, numbers and settings follow', async ({ app }) => {
    await app.open();
    for (const index of [0, 2, 6] as const) await app.send(threeTopics[index]);
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    await expect(app.inspector.getByRole('figure')).toHaveAccessibleName(
      /^Topic: Return to .+\. Gate: .+\. Branch: .+ turn \d+$/,
    );
    for (const name of ['1Topic', '2Fork point', '3Branch', 'Time', 'Context', 'Settings']) {
      await expect(app.inspector.getByRole('heading', { name, exact: true })).toBeVisible();
    }
    await app.inspector.getByText('Raw answer').click();
    await expect(app.inspector).toContainText(/Read as: switch-topic “.+”, sure 0\.\d\d/);
  });

  test('lights up on the canvas what it looked at, for as long as it is looked at', async ({ app, page }) => {
    await app.open();
    for (const index of [0, 2, 6] as const) await app.send(threeTopics[index]);
    await app.showOutline();
    await app.outlineTurn(3).click();
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    await app.showCanvas();
    const near = app.forest.getByText(/^≈ 0\.\d\d$/);
    await expect(near.first()).toBeAttached();
    await expect(app.forest.locator('i[data-point]')).toHaveCount(1);
    await app.inspector.getByRole('tab', { name: 'Turn', exact: true }).click();
    await expect(near).toHaveCount(0);
    await expect(page.locator('i[data-point]')).toHaveCount(0);
  });
});
