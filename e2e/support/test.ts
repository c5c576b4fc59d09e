import { test as base, expect } from '@playwright/test';
import { serve } from '../../scripts/serve.mjs';
import { App } from './app.ts';

interface Fixtures {
  readonly app: App;
  /** Origins that the person of the test chose, of a model hub or a server: its page may ask them. */
  readonly chosenOrigins: Set<string>;
  /** What the browser refused the page by its own policy: nothing, unless the test provokes it and takes it out. */
  readonly refusals: string[];
  /** Fails a test whose page asked another origin for anything, or threw an error that nobody caught. */
  readonly wellBehaved: undefined;
}

interface WorkerFixtures {
  /** Where the built site is served: under a sub-path, as on a shared host. */
  readonly address: string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  address: [
    async ({}, use) => {
      const { address, close } = await serve({ base: '/coppice/' });
      await use(address);
      await close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ address }, use) => use(address),
  app: ({ page }, use) => use(new App(page)),
  chosenOrigins: ({}, use) => use(new Set()),
  refusals: ({}, use) => use([]),
  wellBehaved: [
    async ({ context, address, chosenOrigins, refusals }, use) => {
      const strangers: string[] = [];
      const errors: string[] = [];
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        const known = origin === new URL(address).origin || chosenOrigins.has(origin);
        if (protocol.startsWith('http') && !known) strangers.push(request.url());
      });
      context.on('weberror', (error) => {
        errors.push(error.error().stack ?? String(error.error()));
      });
      context.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refusals.push(message.text());
      });
      await use(undefined);
      expect(refusals, 'what the page did against its own policy').toEqual([]);
      expect(strangers, 'requests to other origins').toEqual([]);
      expect(errors, 'errors that nobody caught').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
