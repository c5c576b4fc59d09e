import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type WebError,
} from '@playwright/test';
import { serve } from '../../scripts/serve.mjs';
import { App, resize } from './app.ts';

/** The page that the tests of one file share, one after the other. */
interface SharedPage {
  readonly file: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

interface Options {
  /**
   * Whether the tests of the file share one page, in order: each starts a new conversation in it instead of reloading
   * everything. For tests that leave nothing behind but conversations. Use with `describe.configure({ mode: 'default'
   * })`.
   */
  readonly sharesPage: boolean;
}

interface Fixtures {
  readonly app: App;
  /** Origins of a model hub or server that the test's user has chosen: the page may request them. */
  readonly chosenOrigins: Set<string>;
  /** Violations of the page's CSP: none, unless the test provokes one and removes it. */
  readonly refusals: string[];
  /** Fails a test whose page made a request to another origin, or threw an uncaught error. */
  readonly wellBehaved: undefined;
}

interface WorkerFixtures {
  /** Where the built site is served: under a sub-path, as on a shared host. */
  readonly address: string;
  readonly shared: { now: SharedPage | null };
}

export const test = base.extend<Fixtures & Options, WorkerFixtures>({
  sharesPage: [false, { option: true }],
  shared: [
    async ({}, use) => {
      const shared: WorkerFixtures['shared'] = { now: null };
      await use(shared);
      await shared.now?.context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, sharesPage, shared }, use, { file }) => {
    if (shared.now !== null && shared.now.file !== file) {
      await shared.now.context.close();
      shared.now = null;
    }
    if (!sharesPage) {
      const context = await browser.newContext();
      await use(context);
      await context.close();
      return;
    }
    if (shared.now === null) {
      const context = await browser.newContext();
      shared.now = { file, context, page: await context.newPage() };
    }
    await use(shared.now.context);
  },
  page: async ({ context, sharesPage, shared, viewport, colorScheme, reducedMotion }, use) => {
    const page = sharesPage ? shared.now?.page : undefined;
    if (page === undefined) {
      await use(await context.newPage());
      return;
    }
    await use(page);
    for (const other of context.pages()) if (other !== page) await other.close();
    await context.unrouteAll();
    await page.unrouteAll();
    await context.clearPermissions();
    if (viewport !== null) await resize(page, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion });
  },
  address: [
    async ({}, use) => {
      const { address, close } = await serve({ base: '/coppice/' });
      await use(address);
      await close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ address }, use) => use(address),
  app: ({ page, sharesPage }, use) => use(new App(page, sharesPage)),
  chosenOrigins: ({}, use) => use(new Set()),
  refusals: ({}, use) => use([]),
  wellBehaved: [
    async ({ context, address, chosenOrigins, refusals }, use) => {
      const strangers: string[] = [];
      const errors: string[] = [];
      const onRequest = (request: Request): void => {
        const { protocol, origin } = new URL(request.url());
        const known = origin === new URL(address).origin || chosenOrigins.has(origin);
        if (protocol.startsWith('http') && !known) strangers.push(request.url());
      };
      const onError = (error: WebError): void => {
        errors.push(error.error().stack ?? String(error.error()));
      };
      const onConsole = (message: ConsoleMessage): void => {
        if (/Content.Security.Policy/i.test(message.text())) refusals.push(message.text());
      };
      context.on('request', onRequest).on('weberror', onError).on('console', onConsole);
      await use(undefined);
      context.off('request', onRequest).off('weberror', onError).off('console', onConsole);
      expect(refusals, 'what the page did against its own policy').toEqual([]);
      expect(strangers, 'requests to other origins').toEqual([]);
      expect(errors, 'errors that nobody caught').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
