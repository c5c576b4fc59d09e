import { ReplayBar } from './support/replay-bar.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

for (const index of [0, 1, 2]) {
  test(`sample ${index + 1} of the first visit plays to its end`, async ({ app, page }) => {
    test.slow();
    await app.open();
    await page
      .getByRole('button', { name: /^Play / })
      .nth(index)
      .click();
    const bar = new ReplayBar(app);
    await expect(bar.root).toBeVisible();
    const turns = Number(await bar.root.getByRole('progressbar').getAttribute('max'));
    expect(turns).toBeGreaterThanOrEqual(15);
    await bar.withoutPause();
    await bar.ended();

    await expect(app.timeline).toHaveAttribute('max', String(turns));
    const shape = await app.shape();
    expect(shape.filter((row) => row.startsWith('1 ')).length, 'topics').toBeGreaterThanOrEqual(2);
  });
}
