import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { App } from '../e2e/support/app.ts';
import { ImportDialog } from '../e2e/support/import-dialog.ts';
import { launchOptions } from '../scripts/find-browser.mjs';
import { serve } from '../scripts/serve.mjs';
import { sum } from '../src/domain/numbers.ts';
import type { Figure } from './figure.ts';
import { atRest, noteLongTasks, takeLongTasks } from './long-tasks.ts';

const MEGABYTE = 1024 * 1024;
/** Size of the export to read. */
const SIZE = 200 * MEGABYTE;
const TURNS = 20;
/** Longest tolerated blocking of the page. */
const GOAL_MS = 50;
/** Memory limit while reading, in MB. */
const GOAL_MEGABYTES = 400;
const PATIENCE = 600_000;
/** Interval for sampling the browser's memory, in milliseconds. */
const LOOK = 100;

/** Creates a conversation of a ChatGPT export: a chain of turns, every third of which has two answers. */
const conversation = (number: number): string => {
  const mapping: Record<string, unknown> = { root: { id: 'root', message: null, parent: null, children: ['u0'] } };
  const node = (id: string, parent: string, role: string, text: string, children: readonly string[]) => {
    const content = { content_type: 'text', parts: [text] };
    const create_time = 1_700_000_000 + number * 1000 + Object.keys(mapping).length;
    const message = { id, author: { role }, create_time, content, metadata: {}, recipient: 'all' };
    mapping[id] = { id, message, parent, children };
  };
  for (let turn = 0; turn < TURNS; turn++) {
    const next = turn + 1 < TURNS ? [`u${turn + 1}`] : [];
    const twice = turn % 3 === 0 ? [`b${turn}`] : [];
    node(`u${turn}`, turn === 0 ? 'root' : `a${turn - 1}`, 'user', `Question ${turn} of ${number}. ${WORDS}`, [
      ...twice,
      `a${turn}`,
    ]);
    node(`a${turn}`, `u${turn}`, 'assistant', `Answer ${turn}. ${WORDS.repeat(6)}`, next);
    if (twice.length > 0) node(`b${turn}`, `u${turn}`, 'assistant', `Another answer. ${WORDS.repeat(4)}`, []);
  }
  return JSON.stringify({
    id: `c${number}`,
    conversation_id: `c${number}`,
    title: `Talk ${number}`,
    mapping,
    current_node: `a${TURNS - 1}`,
  });
};

const WORDS = 'Hazel is cut to the ground every seven years so that it grows anew, “straight” and many-stemmed. ';

const writeExport = async (path: string): Promise<{ bytes: number; conversations: number }> => {
  const file = createWriteStream(path);
  let [bytes, conversations] = [0, 0];
  for (; bytes < SIZE; conversations++) {
    const text = `${conversations === 0 ? '[' : ','}${conversation(conversations)}`;
    bytes += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end(']');
  await once(file, 'close');
  return { bytes: bytes + 1, conversations };
};

/** Returns the memory used by all pages of a browser and their workers, in MB; null if the system does not report it. */
const held = async (browser: Browser): Promise<number | null> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => readFile(`/proc/${id}/status`, 'utf8').catch(() => '')),
  );
  const kilobytes = sizes.map((status) => Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? Number.NaN));
  const all = sum(kilobytes.filter(Number.isFinite));
  return all === 0 ? null : all / 1024;
};

interface Run {
  readonly seconds: number;
  readonly longest: number;
  /** Memory beyond what was in use before, in MB. */
  readonly peak: number | null;
}

/** Runs a task on a page and reports how long it took, how long it blocked the page and its peak memory. */
const watched = async (browser: Browser, page: Page, task: () => Promise<unknown>): Promise<Run> => {
  const before = await held(browser);
  await takeLongTasks(page);
  let [peak, running] = [before ?? 0, true];
  const watching = (async () => {
    while (running) {
      peak = Math.max(peak, (await held(browser)) ?? 0);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  })();
  const start = performance.now();
  await task();
  const seconds = (performance.now() - start) / 1000;
  running = false;
  await watching;
  const longest = Math.max(0, ...(await takeLongTasks(page)));
  return { seconds, longest, peak: before === null ? null : peak - before };
};

/** Reads an export with our importer: every conversation recognised, repaired and split into turns, ready for selection. Then opens all of it. */
const imported = async (browser: Browser, baseURL: string, path: string): Promise<{ read: Run; opened: Run }> => {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await noteLongTasks(page);
  const app = new App(page);
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  // The page's own work on opening does not count towards the import.
  await atRest(page);
  const open = dialog.root.getByRole('button', { name: 'Open as it was' });
  const read = await watched(browser, page, async () => {
    await dialog.root.getByLabel('File', { exact: true }).setInputFiles(path);
    await open.waitFor({ timeout: PATIENCE });
  });
  const opened = await watched(browser, page, async () => {
    await open.click();
    await dialog.root.waitFor({ state: 'hidden', timeout: PATIENCE });
  });
  await context.close();
  return { read, opened };
};

/** Parses the same file as a single text on the page. */
const parsed = async (browser: Browser, baseURL: string, path: string): Promise<Run> => {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await noteLongTasks(page);
  await page.goto('./');
  await page.setContent('<input type="file">');
  const run = await watched(browser, page, async () => {
    await page.locator('input').setInputFiles(path);
    await page.locator('input').evaluate(async (input: HTMLInputElement) => {
      const whole: unknown = JSON.parse((await input.files?.[0]?.text()) ?? '');
      if (!Array.isArray(whole)) throw new Error('it is a list');
    });
  });
  await context.close();
  return run;
};

/**
 * Measures how fast a large export is read and opened, how long it blocks the page and how much memory it uses,
 * compared to a plain JSON.parse of the same file.
 */
export const exchange = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-export-'));
  const { address, close } = await serve();
  const browser = await chromium.launch(await launchOptions());
  try {
    const path = join(folder, 'conversations.json');
    const { bytes, conversations } = await writeExport(path);
    const plain = await parsed(browser, address, path);
    const { read: own, opened } = await imported(browser, address, path);
    const megabytes = bytes / MEGABYTE;
    const of = `${megabytes.toFixed(0)} MB, ${conversations} conversations`;
    const name = 'JSON.parse of the same';
    const speed: Figure = {
      name: `An export of ChatGPT read (${of})`,
      value: megabytes / own.seconds,
      unit: 'MB/s',
      goal: null,
      baseline: { name, value: megabytes / plain.seconds },
    };
    const wait: Figure = {
      name: 'Longest task of the page meanwhile',
      value: own.longest,
      unit: 'ms',
      goal: GOAL_MS,
      baseline: { name, value: plain.longest },
    };
    const openedFigures: Figure[] = [
      {
        name: 'All of them opened as they were',
        value: megabytes / opened.seconds,
        unit: 'MB/s',
        goal: null,
        baseline: null,
      },
      {
        name: 'Longest task of the page meanwhile',
        value: opened.longest,
        unit: 'ms',
        goal: GOAL_MS,
        baseline: null,
      },
    ];
    if (own.peak === null || plain.peak === null)
      return [speed, { ...wait, note: 'this system does not tell what a page holds' }, ...openedFigures];
    const memory: Figure = {
      name: 'Most that was held meanwhile, beyond the open page',
      value: own.peak,
      unit: 'MB',
      goal: GOAL_MEGABYTES,
      baseline: { name, value: plain.peak },
    };
    return [speed, wait, memory, ...openedFigures];
  } finally {
    await browser.close();
    await close();
    await rm(folder, { recursive: true });
  }
};
