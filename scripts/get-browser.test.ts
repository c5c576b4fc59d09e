import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const browser = { path: null as string | null };
const said: string[] = [];
let downloads = 0;

beforeAll(() => {
  vi.doMock('./find-browser.mjs', () => ({ findBrowser: async () => browser.path, isStartable: () => false }));
  const download = async () => {
    downloads++;
    return 1;
  };
  vi.doMock('./run.mjs', () => ({ run: download, runTool: download }));
});

beforeEach(() => {
  browser.path = null;
  said.length = 0;
  downloads = 0;
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation((words: string) => void said.push(words));
  vi.stubEnv('CHROME_PATH', '');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

afterAll(() => {
  for (const mocked of ['./find-browser.mjs', './run.mjs']) vi.doUnmock(mocked);
});

const getBrowser = async () => (await import('./get-browser.mjs')).getBrowser();

test('no browser is downloaded where CHROME_PATH names another, which would be used anyway', async () => {
  vi.stubEnv('CHROME_PATH', '/nowhere/chrome');
  expect(await getBrowser()).toBeNull();
  expect(downloads).toBe(0);
  expect(said.join()).toContain('Correct CHROME_PATH');
});

test('a downloaded browser that does not start is told apart from none', async () => {
  expect(await getBrowser()).toBeNull();
  expect(downloads).toBeGreaterThan(0);
  expect(said.join()).toContain('could be found or installed');
  browser.path = '/of/playwright/chrome';
  expect(await getBrowser()).toBeNull();
  expect(said.at(-1)).toContain('/of/playwright/chrome does not start');
});
