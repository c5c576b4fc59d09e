import { expectNoViolations } from './support/axe.ts';
import { threeTopics } from './support/dialogues.ts';
import { expect, test } from './support/test.ts';

test('panes are made wider by mouse and by keyboard, stay so, and the chat alone has a line made for reading', async ({
  app,
  page,
}) => {
  await app.open();
  const border = page.getByRole('separator', { name: 'Width of the chat' });
  const width = async () => Number(await border.getAttribute('aria-valuenow'));
  await expect.poll(width).toBe(400);
  await border.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBe(416);
  await page.keyboard.press('Home');
  await expect.poll(width).toBe(300);
  const box = await border.boundingBox();
  if (box === null) throw new Error('The border is not there.');
  await page.mouse.move(box.x, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 180, 410, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(480);
  const inspector = page.getByRole('separator', { name: 'Width of the inspector' });
  await inspector.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(inspector).toHaveAttribute('aria-valuenow', '412');
  await expectNoViolations(page, { where: 'borders' });

  await app.reload();
  await expect.poll(width).toBe(480);
  await expect(inspector).toHaveAttribute('aria-valuenow', '412');
  await border.dblclick();
  await expect.poll(width).toBe(400);

  // In a window that became small, the forest keeps its room.
  await app.resize({ width: 1280, height: 720 });
  await expect(page.getByRole('heading', { name: 'A conversation is a forest' })).toBeInViewport({ ratio: 1 });
  expect((await app.forest.boundingBox())?.width).toBeGreaterThan(270);

  await app.send(
    `${threeTopics[0]} ${'Which of the old quarters is quiet at night and close to a station? '.repeat(8)}`,
  );
  await app.button('Show forest').click();
  await app.button('Show inspector').click();
  await expect(border).toHaveCount(0);
  const lines = await app.turn(1).evaluate((turn) => {
    const words = [...turn.querySelectorAll('*')].filter(({ childNodes }) =>
      [...childNodes].some((one) => one.nodeType === 3 && (one.textContent ?? '').length > 300),
    );
    const text = [...(words[0]?.childNodes ?? [])].find((one) => (one.textContent ?? '').length > 300);
    if (text === undefined) return [];
    const range = document.createRange();
    const counts = new Map<number, number>();
    for (let at = 0; at < (text.textContent ?? '').length; at++) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      counts.set(top, (counts.get(top) ?? 0) + 1);
    }
    return [...counts.values()].slice(0, -1);
  });
  const mean = lines.reduce((sum, one) => sum + one, 0) / lines.length;
  expect(mean, `characters a line: ${lines}`).toBeGreaterThan(64);
  expect(mean, `characters a line: ${lines}`).toBeLessThan(78);
});

test('a notice that asks something stays until it is answered, others go by themselves, and none lies over a dialog', async ({
  app,
  page,
}) => {
  await page.clock.install();
  await app.open();
  await app.send(threeTopics[0]);
  await app.undo.click();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByRole('button', { name: 'Reapply' })).toBeVisible();
  await page.mouse.move(5, 300);
  await page.clock.fastForward(10_000);
  await expect(notices.getByRole('button')).toHaveCount(0);

  await app.redo.click();
  const items = await app.listConversations();
  await items
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(notices.getByRole('button', { name: 'Revert' })).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(notices.getByRole('button', { name: 'Revert' })).toBeVisible();
  await page.keyboard.press('Escape');
  await app.openDialog('Settings');
  await expect(notices.getByRole('button')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await notices.getByRole('button', { name: 'Revert' }).click();
  await expect(notices.getByRole('button')).toHaveCount(0);
});

test('no button of the header is cut off in a narrow window, and on a small phone the timeline has room', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  const cutOff = () => page.getByRole('banner').evaluate((header) => header.scrollWidth - header.clientWidth);
  for (const width of [1280, 1100, 961, 960, 820, 801, 320]) {
    await app.resize({ width, height: 700 });
    await expect.poll(cutOff, `${width} pixels wide`).toBe(0);
  }
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Forest' }).click();
  const room = async () => (await app.timeline.locator('xpath=../..').boundingBox())?.width;
  await expect.poll(room).toBeGreaterThan(150);
});

test('in a narrow window the inspector stands beside the forest or the chat, covers neither, and can be made narrower', async ({
  app,
  page,
}) => {
  await app.open();
  await app.send(threeTopics[0]);
  const border = page.getByRole('separator', { name: 'Width of the inspector' });
  await border.focus();
  await page.keyboard.press('End');
  await expect(border).toHaveAttribute('aria-valuenow', '720');
  const overlap = async (pane: 'forest' | 'chat') => {
    const box = await page.locator(`[data-pane=${pane}]`).boundingBox();
    const inspector = await app.inspector.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0) - (inspector?.x ?? 0);
  };
  await app.resize({ width: 1024, height: 700 });
  await app.button('Show inspector').click();
  for (const width of [1024, 820, 801]) {
    await app.resize({ width, height: 700 });
    await expect.poll(() => overlap('forest'), `forest, ${width} pixels wide`).toBeLessThanOrEqual(0);
    await expect(app.inspector).toBeInViewport({ ratio: 1 });
    await expect(app.forest).toBeInViewport({ ratio: 1 });
  }
  await app.button('Show forest').click();
  await expect.poll(() => overlap('chat'), 'chat').toBeLessThanOrEqual(0);
  await expect(app.button('Send')).toBeInViewport({ ratio: 1 });
  await border.focus();
  await page.keyboard.press('Home');
  await expect(border).toHaveAttribute('aria-valuenow', '260');

  // Beside the list of conversations it lies over the forest alone, however wide the two were made.
  await page.keyboard.press('End');
  await app.button('Show forest').click();
  await page.getByRole('separator', { name: 'Width of the chat' }).focus();
  await page.keyboard.press('End');
  await app.listConversations();
  await app.button('Keep the list open').click();
  await expect(page.getByRole('separator', { name: 'Width of the list of conversations' })).toBeVisible();
  for (const width of [1000, 820, 801]) {
    await app.resize({ width, height: 700 });
    await expect.poll(() => overlap('chat'), `chat beside the list, ${width} pixels wide`).toBeLessThanOrEqual(0);
    await expect(app.button('Send')).toBeInViewport({ ratio: 1 });
    await expect(app.inspector).toBeInViewport({ ratio: 1 });
  }
});
