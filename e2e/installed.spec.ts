import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { App } from './support/app.ts';
import { EvaluateDialog } from './support/evaluate-dialog.ts';
import { holdRecall } from './support/held-answers.ts';
import { ImportDialog } from './support/import-dialog.ts';
import { sgdFile } from './support/labelled-files.ts';
import { test as base, expect } from './support/test.ts';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));

/** The hash in a script's name, except its first character. */
const HASHED = /-[\w-]([\w-]{7})\.js$/;

/** A static host with a copy of the site that can be redeployed, or taken down. It sends no headers of its own. */
class StaticHost {
  readonly #folder: string;
  #server: Awaited<ReturnType<typeof serve>>;
  readonly address: string;
  /** What a host can log of each request: the address, and where it was made from. */
  readonly requests: readonly string[];

  private constructor(folder: string, server: Awaited<ReturnType<typeof serve>>, requests: readonly string[]) {
    this.#folder = folder;
    this.#server = server;
    this.address = server.address;
    this.requests = requests;
  }

  static async start(): Promise<StaticHost> {
    const folder = await mkdtemp(join(tmpdir(), 'coppice-host-'));
    await cp(DIST, folder, { recursive: true });
    const requests: string[] = [];
    const onRequest = ({ url, headers }: IncomingMessage) => void requests.push(`${url} ${headers.referer ?? ''}`);
    return new StaticHost(folder, await serve({ folder, base: '/sub/', isolated: false, onRequest }), requests);
  }

  /**
   * Deploys another version, as a build of changed sources would be: the page states its version, and every script gets
   * a new name. Returns the first script's previous name. `version`: one character.
   */
  async publish(version: string): Promise<string> {
    const html = await this.#read('index.html');
    const before = /src="\.\/assets\/(index-[^"]+\.js)"/.exec(html)?.[1];
    if (before === undefined) throw new Error('The page names no first script.');
    const scripts = (await readdir(join(this.#folder, 'assets'))).filter((name) => HASHED.test(name));
    // Also reversed, because the hash may already start with that character.
    const hashed = (_: string, rest: string) => `-${version}${[...rest].reverse().join('')}.js`;
    const names = new Map(scripts.map((name) => [name, name.replace(HASHED, hashed)]));
    const renamed = (text: string): string =>
      text.replaceAll(/(?<![\w.-])[\w.-]+-[\w-]{8}\.js/g, (name) => names.get(name) ?? name);
    for (const [name, after] of names) {
      await writeFile(join(this.#folder, 'assets', after), renamed(await this.#read(`assets/${name}`)));
      await rm(join(this.#folder, 'assets', name));
    }
    const marked = renamed(html).replace('</head>', `<meta name="version" content="${version}" /></head>`);
    await writeFile(join(this.#folder, 'index.html'), marked);
    const worker = renamed(await this.#read('service-worker.js'));
    const list = worker.replace(/(url:\s*[`"']index\.html[`"'],\s*revision:\s*[`"'])[^`"']+/, `$1${version}`);
    if (list === worker) throw new Error('The service worker does not list the page.');
    await writeFile(join(this.#folder, 'service-worker.js'), list);
    return before;
  }

  /** Like losing the network: nothing responds any more. */
  async unplug(): Promise<void> {
    await this.#server.close();
  }

  async close(): Promise<void> {
    await this.#server.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true });
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }
}

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

test('caching the page waits until the first message is answered', async ({ app, page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/model_int8.onnx', async (route) => {
    await released;
    await route.fallback();
  });
  await app.open();
  await app.message.fill('How do I prune a hazel?');
  await app.message.press('Enter');
  await expect(page.getByText('placing…').first()).toBeVisible();
  // All that waits for the page to be idle has run by then.
  const idle = () => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await idle();
  await idle();
  const registrations = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  expect(await registrations()).toBe(0);
  release();
  await expect(app.turn(1)).toBeVisible();
  await expect.poll(registrations).toBe(1);
});

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
  await app.reload();
  const goOn = await holdRecall(page);
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

  await goOn();
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

test('after the browser has dropped part of what was kept, and the host what it needs, the page opens all the same, and the host hears nothing of what was shared', async ({
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
  await page.goto('./?share-text=a+secret');
  await expect(app.message).toHaveValue('a secret');
  expect(await version(page)).toBe('4');
  expect(host.requests.filter((request) => request.includes('secret'))).toEqual([]);
});

base('the page runs no script but its own', async ({ app, page, refusals }) => {
  await app.open();
  // Not `eval`: what a debugger evaluates may use it.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.head.append(script);
    const frame = document.createElement('iframe');
    frame.src = 'https://example.com/';
    document.body.append(frame);
  });
  await expect
    .poll(() => refusals.map((text) => text.split("'")[0]))
    .toEqual(['Executing inline script violates the following Content Security Policy directive ', 'Framing ']);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  refusals.length = 0;
});
