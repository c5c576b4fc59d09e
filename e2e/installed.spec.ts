import type { Page } from '@playwright/test';
import { App } from './support/app.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { sgdFile } from './support/labelled-files.ts';
import { slowReplies } from './support/slow-replies.ts';
import { StaticHost } from './support/static-host.ts';
import { test as base, expect } from './support/test.ts';

/** On a static host that sends no headers of its own, under a subpath. */
const test = base.extend<{ readonly host: StaticHost }>({
  serviceWorkers: 'allow',
  host: async ({ browserName: _ }, use) => {
    const host = await StaticHost.start();
    await use(host);
    await host.close();
  },
  baseURL: ({ host }, use) => use(host.address),
  chosenOrigins: ({ host }, use) => use(new Set([new URL(host.address).origin])),
});

/** Visits until the page is cached; the next visit is served from the cache. */
const keep = async (app: App): Promise<void> => {
  await app.open();
  const settings = await app.openDialog('Settings');
  await expect(settings.getByText('Coppice opens and works offline')).toBeVisible();
  await app.page.keyboard.press('Escape');
};

/** The version the page reports; null for the one that was built. */
const version = (page: Page): Promise<string | null> =>
  page
    .evaluate(() => document.querySelector('meta[name="version"]')?.getAttribute('content') ?? null)
    .catch(() => null);
const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated);

/** Which of these features, for which browsers would prompt the user, the page may use. */
const allowed = (page: Page, features: string[]): Promise<string[]> =>
  page.evaluate((names) => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } };
    return names.filter((name) => featurePolicy.allowsFeature(name));
  }, features);

test('kept once, the page can be installed, is isolated where the host says nothing of it, and works without a network', async ({
  app,
  page,
  host,
}) => {
  test.slow();
  await keep(app);
  expect(await isIsolated(page)).toBe(false);
  const client = await page.context().newCDPSession(page);
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  const { errors } = await client.send('Page.getAppManifest');
  expect(errors).toEqual([]);

  // Caches of another app on the same origin stay, and so do those of a second Coppice next to this one.
  await page.evaluate(async () => {
    await (await caches.open('of-another-app')).put('/other', new Response('theirs'));
    await (await caches.open(`coppice-runtimes-${location.origin}/elsewhere/`)).put('/runtime', new Response('theirs'));
  });
  await app.reload();
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  expect(await page.evaluate(() => caches.keys())).toEqual(
    expect.arrayContaining(['of-another-app', expect.stringContaining('/elsewhere/')]),
  );
  // Gives WASM its threads.
  expect(await isIsolated(page)).toBe(true);
  expect(await allowed(page, ['camera', 'geolocation', 'payment', 'usb'])).toEqual([]);

  // It opens with what was shared, or with the action asked for.
  await page.goto('./?share-title=A+hazel&share-text=Is+it+time+to+prune%3F');
  await expect(app.message).toHaveValue('A hazel\nIs it time to prune?');
  expect(new URL(page.url()).search).toBe('');
  await page.goto('./?do=import');
  await expect(app.dialog('Import')).toBeVisible();
  await page.keyboard.press('Escape');

  await app.message.fill('');
  await app.send('How do I prune a hazel?');
  await host.unplug();

  await app.reload();
  await expect(app.turn(1)).toContainText('How do I prune a hazel?');
  await app.send('By the way, what is the capital of Peru?');
  await expect(app.turns).toHaveCount(1);
  await expect(app.conversation).not.toContainText('failed');

  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.paste(
    'User: What is coppicing?\nAssistant: Cutting a tree to its base.\nUser: How often?\nAssistant: Every ten years.',
  );
  await expect(dialog.root.getByRole('button', { name: 'Replay' })).toBeVisible();
  await page.keyboard.press('Escape');

  const evaluate = new EvaluateDialog(app);
  await evaluate.open();
  await evaluate.drop({ name: 'talk.json', text: sgdFile });
  await evaluate.measure();
  await evaluate.show('sgd');
  await expect(evaluate.root.getByRole('table', { name: 'sgd, decisions, teacher-forced' })).toBeVisible();
});

test('a new version waits, says so, and is used when the reply has come and not before', async ({
  app,
  page,
  host,
}) => {
  test.slow();
  await keep(app);
  await app.send('How do I prune a hazel?');
  await app.reload();
  const before = await host.publish('2');
  await slowReplies(page);
  await app.reload();
  expect(await version(page)).toBe(null);
  const notice = page.getByRole('region', { name: 'Notices' });
  await expect(notice).toContainText('A new version of Coppice is ready.');
  await app.message.fill('and how often');
  await app.button('Send').click();
  await expect(app.button('Stop')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSame: true }));

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('Update to the new version');
  await page.getByRole('option', { name: 'Update to the new version', exact: true }).click();
  await expect(app.button('Stop')).toBeVisible();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);

  await expect.poll(() => version(page)).toBe('2');
  await expect(app.message).toBeEditable();
  await expect(app.turns.last()).toContainText('and how often');
  await app.settled();
  const kept = await page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => url);
  });
  expect(
    kept.filter((url) => url.includes(before)),
    'what only the version before needed',
  ).toEqual([]);
});

test('in another tab the page goes on as it is when a new version is taken up, and offers to reload', async ({
  app,
  page,
  context,
  host,
}) => {
  await keep(app);
  await app.reload();
  const other = new App(await context.newPage());
  await other.open();
  await host.publish('3');
  await app.reload();
  const notice = page.getByRole('region', { name: 'Notices' });
  await notice.getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => version(page)).toBe('3');
  expect(await version(other.page)).toBe(null);
  const offer = other.page.getByRole('region', { name: 'Notices' });
  await expect(offer).toContainText('updated in another tab');
  await offer.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => version(other.page)).toBe('3');
});

test('after the browser has dropped part of what was kept, and the host what it needs, the page opens all the same', async ({
  app,
  page,
  host,
}) => {
  await keep(app);
  await app.reload();
  const before = await host.publish('4');
  await page.evaluate(async (name) => {
    for (const key of await caches.keys()) {
      const cache = await caches.open(key);
      for (const request of await cache.keys()) if (request.url.includes(name)) await cache.delete(request);
    }
  }, before);
  await page.goto('about:blank');
  await app.open();
  expect(await version(page)).toBe('4');
});

base('the page runs no script but its own', async ({ app, page, refusals }) => {
  await app.open();
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.head.append(script);
    const frame = document.createElement('iframe');
    frame.src = 'https://example.com/';
    document.body.append(frame);
    // Scripts evaluated by a debugger may evaluate more; the page itself may not.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return 'ran' in window;
  });
  expect(ran).toBe(false);
  await expect
    .poll(() => refusals.map((text) => text.split("'")[0]))
    .toEqual(['Executing inline script violates the following Content Security Policy directive ', 'Framing ']);
  refusals.length = 0;
});
