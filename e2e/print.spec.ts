import { PNG } from '../src/features/attachments/testing/made-files.ts';
import { expect, test } from './support/test.ts';

test('printing and copying give the conversation as it is read, not the page', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // The browser's own dialog would wait for the user.
  await page.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
      Object.assign(window, { printed: document.querySelector('[data-paper]')?.shadowRoot?.textContent });
      window.dispatchEvent(new Event('afterprint'));
    };
  });
  await app.open();
  await app.send('How do I prune a hazel?');
  await app.send('By the way, which port is open for ssh?');
  const printed = () => page.evaluate(() => (window as { printed?: string }).printed ?? '');
  const paper = page.locator('[data-paper]');

  await page.getByRole('radio', { name: 'Everything' }).click();
  await page.keyboard.press('ControlOrMeta+p');
  await expect.poll(printed).toContain('which port is open for ssh?');
  expect(await printed()).toContain('How do I prune a hazel?');
  expect(await printed()).not.toContain('Export');
  await expect(paper).toHaveCount(0);

  await test.step('by the browser’s own menu, which nobody tells beforehand', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await expect(paper.getByText('How do I prune a hazel?').first()).toBeVisible();
    await expect(app.message).toBeHidden();
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await expect(paper).toHaveCount(0);
    await expect(app.message).toBeVisible();
  });

  await page.getByRole('radio', { name: 'This path' }).click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('as Markdown');
  await page.getByRole('option', { name: 'Copy the conversation as Markdown' }).click();
  await expect(page.getByRole('status').first()).toContainText('copied as Markdown');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('which port is open for ssh?');
  expect(copied).not.toContain('How do I prune a hazel?');
  expect(copied).toMatch(/^# /);
});

test('what the app prints has its pictures; what the browser prints unasked says which it lacks', async ({
  app,
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
      const pictures = document.querySelector('[data-paper]')?.shadowRoot?.querySelectorAll('img') ?? [];
      Object.assign(window, { printed: [...pictures].map((picture) => [picture.alt, picture.naturalWidth > 0]) });
      window.dispatchEvent(new Event('afterprint'));
    };
  });
  await app.open();
  const choosing = page.waitForEvent('filechooser');
  await app.button('Attach').click();
  await (await choosing).setFiles([{ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from(PNG) }]);
  await expect(page.getByRole('list', { name: 'Attached' }).locator('li:not([data-reading])')).toHaveCount(1);
  await app.send('What is this?');
  await page.keyboard.press('ControlOrMeta+p');
  await expect.poll(() => page.evaluate(() => (window as { printed?: unknown }).printed)).toEqual([['cat.png', true]]);

  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('[data-paper]').getByText('Not printed: cat.png')).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
});
