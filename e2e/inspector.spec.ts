import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test.describe('a decision', () => {
  test('is one picture in words, and its words, numbers and settings follow', async ({ app }) => {
    await app.open();
    for (const index of [0, 2, 6] as const) await app.send(threeTopics[index]);
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    await expect(app.inspector.getByRole('figure')).toHaveAccessibleName(
      /^Topic: Return to .+, 0\.\d\d, then .+\. Gate: .+\. Branch: .+ turn \d+/,
    );
    for (const name of ['1Topic', '2Fork point', '3Branch', 'Time', 'Context', 'Settings']) {
      await expect(app.inspector.getByRole('heading', { name, exact: true })).toBeVisible();
    }
    await app.inspector.getByText('Raw answer').click();
    await expect(app.inspector).toContainText(/Read as: switch-topic “.+”, confidence 0\.\d\d/);
  });

  test('tells what decided: every answer’s probability, and reasons against the rival that come to the odds shown', async ({
    app,
  }) => {
    await app.open();
    for (const index of [0, 2, 6] as const) await app.send(threeTopics[index]);
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    const answers = app.inspector.getByRole('list', { name: 'Probability of each answer' }).first();
    await expect(answers.getByRole('listitem').first()).toContainText(/Returning to “.+”.*\(chosen\)0\.\d\d/);
    const chances = (await answers.getByRole('listitem').allInnerTexts()).map((row) =>
      Number(/\d\.\d\d$/.exec(row)?.[0]),
    );
    expect(chances.length).toBeGreaterThan(1);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 1);
    const told = app.inspector.getByRole('list', { name: /^For returning to “.+” against .+/ });
    const weights = (await told.getByRole('listitem').allInnerTexts()).map((row) =>
      Number(/[+−]\d+\.\d$/.exec(row)?.[0].replace('−', '-')),
    );
    const sum = weights.pop();
    expect(weights.reduce((total, weight) => total + weight, 0)).toBeCloseTo(sum ?? Number.NaN, 5);
    await expect(told.getByRole('listitem').last()).toContainText(/in all, [\d.]+ to 1/);
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

  test('is changed where it is told, also of a turn that the chat does not read', async ({ app, page }) => {
    await app.open();
    for (const index of [0, 2, 6] as const) await app.send(threeTopics[index]);
    await app.showOutline();
    await app.outlineTurn(2).click();
    await expect(app.turn(2)).toHaveCount(0);
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    await app.inspector.getByRole('button', { name: 'Change…' }).click();
    await expect(page.getByRole('menu').getByText('Turn 2 belongs elsewhere')).toBeVisible();
  });

  test('is changed of the turn that was shown when the menu opened: that one stays selected', async ({ app, page }) => {
    await app.open();
    for (const index of [0, 2] as const) await app.send(threeTopics[index]);
    const canvas = app.forest.getByRole('application');
    await expect(canvas).toHaveAccessibleDescription('No turn is selected.');
    await app.inspector.getByRole('tab', { name: 'Decision' }).click();
    await app.inspector.getByRole('button', { name: 'Change…' }).click();
    await expect(page.getByRole('menu').getByText('Turn 2 belongs elsewhere')).toBeVisible();
    await expect(canvas).toHaveAccessibleDescription(/^Turn 2,/);
  });
});
