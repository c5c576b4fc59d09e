import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test.use({ sharesPage: true });
test.describe.configure({ mode: 'default' });

test('a conversation goes out as one file that opens without the app, and as a link that can be kept', async ({
  app,
  context,
}, info) => {
  await app.open();
  for (const message of threeTopics.slice(0, 5)) await app.send(message);
  await app.page.keyboard.press('Control+k');
  await app.page.getByRole('combobox', { name: 'Commands' }).fill('share');
  await app.page.keyboard.press('Enter');
  const dialog = app.dialog('Share');
  await expectNoViolations(app.page);

  const downloading = app.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the file' }).click();
  const path = info.outputPath('conversation.html');
  await (await downloading).saveAs(path);
  const file = await context.newPage();
  await context.setOffline(true);
  await file.goto(pathToFileURL(path).href);
  const chat = file.getByRole('list', { name: 'Conversation' });
  const forest = file.getByRole('group', { name: 'Forest' });
  await expect(forest.getByRole('button')).toHaveCount(5);
  const shownWidth = async () => Math.round(Number((await forest.getAttribute('viewBox'))?.split(' ')[2]));
  const whole = await shownWidth();
  const turn = (number: number) => file.getByRole('button', { name: new RegExp(`^Turn ${number}: `) });
  // Keys work at once.
  await expect(file.getByRole('heading', { name: 'Turn 5' })).toBeVisible();
  await file.keyboard.press('ArrowLeft');
  await expect(file.getByRole('heading', { name: 'Turn 5' })).toBeHidden();
  // The view has followed the key.
  await turn(1).press('Enter');
  await expect(chat.getByRole('listitem').first()).toContainText('Which neighbourhood');
  await file.keyboard.press('ArrowDown');
  await expect(file.getByRole('heading', { name: 'Turn 2' })).toBeVisible();
  await expect(turn(2)).toBeFocused();
  await expect.poll(shownWidth).not.toBe(whole);
  await file.getByRole('button', { name: 'Whole forest' }).click();
  await expect.poll(shownWidth).toBe(whole);
  await chat.getByRole('button').first().press('Enter');
  await expect(chat.getByRole('button').first()).toBeFocused();
  await file.getByRole('tab', { name: 'Context' }).click();
  await expect(file.getByRole('tabpanel')).toContainText('tokens were sent');
  await context.setOffline(false);
  await file.close();

  const link = await dialog.getByRole('textbox', { name: 'Link to share' }).inputValue();
  const code = await dialog.getByRole('textbox', { name: 'Code to embed' }).inputValue();
  expect(code).toContain('?embed#shared=');
  const reader = await context.newPage();
  await reader.goto(link);
  const shared = reader.getByRole('dialog', { name: 'Shared conversation' });
  await expect(shared.getByRole('list', { name: 'Conversation' })).toContainText('chickpeas');
  await shared.getByRole('button', { name: 'Keep a copy' }).click();
  await expect(shared).toBeHidden();
  await expect(reader.getByRole('log', { name: 'Conversation' })).toContainText('chickpeas');
  expect(reader.url()).not.toContain('#shared');

  await reader.goto('about:blank');
  await reader.goto(link);
  await expect(shared.getByRole('list', { name: 'Conversation' })).toContainText('chickpeas');
  // Another link, while the first one is shown.
  await reader.goto(link.slice(0, -40));
  await expect(shared.getByRole('alert')).toContainText('damaged or was cut off');
  await reader.goto('about:blank');
  await reader.goto(code.match(/src="([^"]+)"/)?.[1] ?? '');
  await expect(reader.getByRole('group', { name: 'Forest' }).getByRole('button')).toHaveCount(5);
  await expect(reader.getByRole('textbox')).toHaveCount(0);
});

test('where the page may not copy, the link says so and can be copied by hand', async ({ app, page }) => {
  await app.open();
  await app.send(threeTopics[0]);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('share');
  await page.keyboard.press('Enter');
  const link = app.dialog('Share').getByRole('region', { name: 'Link' });
  await expect(link.getByRole('button', { name: 'Copy the link' })).toBeVisible();
  // As on a page without TLS.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await link.getByRole('button', { name: 'Copy the link' }).click();
  await expect(link.getByRole('status')).toContainText('copy it yourself');
  await page.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'));
});

test('the forest growing is a film that can be stopped while it is made', async ({ app, page }, info) => {
  test.slow();
  await app.open();
  for (const message of threeTopics.slice(0, 4)) await app.send(message);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('share');
  await page.keyboard.press('Enter');
  const film = app.dialog('Share').getByRole('region', { name: 'Video' });
  await expect(film).toContainText('in 10 seconds');
  const make = film.getByRole('button', { name: 'Create the video' });
  await make.click();
  await film.getByRole('button', { name: 'Cancel' }).click();
  await expect(make).toBeVisible();
  await expect(film.getByRole('alert')).toHaveCount(0);

  const downloading = page.waitForEvent('download');
  await make.click();
  await expect(film.getByRole('progressbar', { name: 'Creating the video' })).toBeVisible();
  const path = info.outputPath('film.webm');
  await (await downloading).saveAs(path);
  const read = new Input({ source: new BufferSource(await readFile(path)), formats: ALL_FORMATS });
  const track = await read.getPrimaryVideoTrack();
  const { packetCount = 0 } = (await track?.computePacketStats()) ?? {};
  expect(packetCount).toBeGreaterThan(40);
  expect(await read.computeDuration()).toBeCloseTo(10.4, 1);

  // What it shows: first the title on a plain ground, at the end cards in their topics' colours.
  const base64 = (await readFile(path)).toString('base64');
  expect(await coloursAt(page, base64, 0.5)).toBe(0);
  // "seeked" may fire before the sought frame can be drawn.
  await expect.poll(() => coloursAt(page, base64, 9)).toBeGreaterThan(0);
});

/** How many strong colours a film shows at `time`, in seconds. */
const coloursAt = (page: Page, base64: string, time: number): Promise<number> =>
  page.evaluate(
    async ([base64, time]) => {
      const video = document.createElement('video');
      video.src = `data:video/webm;base64,${base64}`;
      await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
      video.currentTime = time;
      await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      const pen = new OffscreenCanvas(192, 108).getContext('2d');
      pen?.drawImage(video, 0, 0, 192, 108);
      const { data = [] } = pen?.getImageData(0, 0, 192, 80) ?? {};
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, green = 0, blue = 0] = data.slice(at, at + 3);
        if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60)
          seen.add((red >> 5) * 64 + (green >> 5) * 8 + (blue >> 5));
      }
      return seen.size;
    },
    [base64, time] as const,
  );
