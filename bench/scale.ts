import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type CDPSession, chromium, expect, type Page } from '@playwright/test';
import { App } from '../e2e/support/app.ts';
import { noteFrames, takeFrames } from '../e2e/support/frames.ts';
import { ImportDialog } from '../e2e/support/import-dialog.ts';
import { launchOptions } from '../scripts/find-browser.mjs';
import { serve } from '../scripts/serve.mjs';
import { printLog } from '../src/app/testing/conversation-files.ts';
import { syntheticLog } from '../src/domain/testing/synthetic-forest.ts';
import { type Figure, median, quantile } from './figure.ts';
import { atRest, noteLongTasks, takeLongTasks } from './long-tasks.ts';
import { markInPlace, timeInPlace } from './page-open.ts';

const SEED = 7;
/** Size that the larger one is compared with, in the same run. */
const FEW = 1_000;
const MANY = 20_000;
const OPENS = 3;
const MESSAGES = 5;
const STEPS = 12;
/** Number of mouse moves, wheel turns or key presses. */
const MOTIONS = 120;
/** They reverse direction after this many, so that the forest stays in view. */
const TURN_AFTER = 30;
/** Wheel turns until cards are drawn as a distant forest that is still larger than the canvas. */
const FAR_AFTER = 6;
/** Milliseconds between key presses. */
const KEY_MS = 40;
/** Timeout for any single step, in milliseconds. */
const PATIENCE = 600_000;

/** What is measured per size, with its unit and its goal at 100,000 turns. */
const ROWS = {
  imported: { name: 'Own export imported, from Open to the last turn in place', unit: 'ms', goal: 40_000 },
  importFrame: { name: 'Longest task meanwhile', unit: 'ms', goal: null },
  open: { name: `Open, all in place, median of ${OPENS}`, unit: 'ms', goal: 1_500 },
  openBusy: { name: 'The page at rest after that', unit: 'ms', goal: null },
  openFrame: { name: 'Longest task until then', unit: 'ms', goal: null },
  heap: { name: 'Heap after opening', unit: 'MB', goal: 200 },
  share: { name: `One more message: all work of the main thread, median of ${MESSAGES}`, unit: 'ms', goal: null },
  frame: { name: 'Longest frame meanwhile', unit: 'ms', goal: 50 },
  pan: { name: 'Frame while the canvas is dragged, 95th percentile', unit: 'ms', goal: 18 },
  zoom: { name: 'Frame while one zooms out and in, 95th percentile', unit: 'ms', goal: 18 },
  panFar: { name: 'Frame while the canvas is dragged from far off, 95th percentile', unit: 'ms', goal: 18 },
  type: { name: 'Frame while one types, 95th percentile', unit: 'ms', goal: 18 },
  firstStep: { name: 'First step of the timeline', unit: 'ms', goal: 50 },
  step: { name: `Any later step, the slowest of ${STEPS}`, unit: 'ms', goal: 50 },
  stepDrawn: { name: 'The moment in place after that, chat and canvas, the slowest', unit: 'ms', goal: null },
  search: { name: 'Search, first hit', unit: 'ms', goal: 200 },
  searchAgain: { name: 'Search for other words, first hit', unit: 'ms', goal: 200 },
} as const satisfies Record<string, Pick<Figure, 'name' | 'unit' | 'goal'>>;
type Row = keyof typeof ROWS;
type Measured = Record<Row, number>;

const taskSeconds = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
};

const pageIn = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await noteLongTasks(page);
  await noteFrames(page);
  return page;
};

const opened = async (
  context: BrowserContext,
  turns: number,
): Promise<Pick<Measured, 'open' | 'openBusy' | 'openFrame'>> => {
  const page = await pageIn(context);
  await markInPlace(page, turns);
  await page.goto('./');
  const open = await timeInPlace(page);
  const openBusy = Math.max(open, await atRest(page)) - open;
  const openFrame = Math.max(0, ...(await takeLongTasks(page)));
  await page.close();
  return { open, openBusy, openFrame };
};

/** Number of turns from which a moment is certain to be stored beside the log: each turn is about six entries. */
const KEPT_FROM = 5_000;

/** Waits until the moment from which such a conversation is opened next time has been stored. */
const momentKept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('coppice');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const count = () =>
      new Promise<number>((resolve, reject) => {
        const request = database.transaction('forests').objectStore('forests').count();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    while ((await count()) === 0) await new Promise((resolve) => setTimeout(resolve, 500));
    database.close();
  });

const imported = async (
  context: BrowserContext,
  turns: number,
): Promise<Pick<Measured, 'imported' | 'importFrame'>> => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-scale-'));
  const file = join(folder, 'made-up.coppice.jsonl');
  await writeFile(file, printLog('Made up', syntheticLog(turns, SEED)));
  const page = await pageIn(context);
  const app = new App(page);
  await app.open();
  const dialog = new ImportDialog(app);
  await dialog.open();
  await dialog.root.getByLabel('File', { exact: true }).setInputFiles(file);
  await dialog.root.getByRole('button', { name: 'Open', exact: true }).waitFor();
  await takeLongTasks(page);
  const begun = performance.now();
  await dialog.root.getByRole('button', { name: 'Open', exact: true }).click();
  await app.turn(turns).waitFor();
  const took = performance.now() - begun;
  const importFrame = Math.max(0, ...(await takeLongTasks(page)));
  await atRest(page);
  if (turns >= KEPT_FROM) await momentKept(page);
  await page.close();
  await rm(folder, { recursive: true });
  return { imported: took, importFrame };
};

/** Waits inside the page: polling it from outside costs the page more than a message does. */
const inPage = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const look = () => (document.querySelector(wanted) === null ? requestAnimationFrame(look) : resolve());
        look();
      }),
    selector,
  );

/** Measures the cost of one more message: the tokens' embedding and the recalled reply run in workers and do not count. */
const sent = async (page: Page, session: CDPSession, turns: number): Promise<Pick<Measured, 'share' | 'frame'>> => {
  const app = new App(page);
  const shares: number[] = [];
  const frames: number[] = [];
  for (let i = 1; i <= MESSAGES; i++) {
    await app.message.fill(`What about the tram to Graça on day ${i}?`);
    await atRest(page);
    const before = await taskSeconds(session);
    await takeFrames(page);
    const replied = inPage(page, `[role=log][aria-busy=false] [data-turn][aria-label="Turn ${turns + i}"]`);
    await app.message.press('Enter');
    await replied;
    frames.push(Math.max(...(await takeFrames(page))));
    shares.push(((await taskSeconds(session)) - before) * 1000);
  }
  return { share: median(shares), frame: Math.max(...frames) };
};

/** Returns the 95th percentile of frame times while an action is repeated. */
const framesWhile = async (page: Page, act: (index: number) => Promise<unknown>): Promise<number> => {
  await atRest(page);
  await takeFrames(page);
  for (let i = 0; i < MOTIONS; i++) await act(i);
  return quantile(await takeFrames(page), 0.95);
};

/** Uses the canvas and the composer with mouse, wheel and keyboard, as a user would. */
const moved = async (page: Page): Promise<Pick<Measured, 'pan' | 'zoom' | 'panFar' | 'type'>> => {
  const pane = await page.locator('.react-flow__pane').boundingBox();
  if (pane === null) throw new Error('There is no canvas.');
  // Below the last card, which is in the middle.
  const [x, y] = [pane.x + pane.width * 0.55, pane.y + pane.height * 0.74];
  const sign = (index: number) => (Math.floor(index / TURN_AFTER) % 2 === 0 ? 1 : -1);
  const view = () => page.locator('.react-flow__viewport').getAttribute('style');
  const dragged = async (): Promise<number> => {
    let at = { x, y };
    const before = await view();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 20);
    await expect.poll(view, { message: 'The canvas moves as it is dragged.' }).not.toBe(before);
    const frames = await framesWhile(page, (index) => {
      at = { x: at.x + sign(index) * 5, y: at.y - sign(index) * 9 };
      return page.mouse.move(at.x, at.y);
    });
    await page.mouse.up();
    return frames;
  };
  const pan = await dragged();
  const zoom = await framesWhile(page, (index) => page.mouse.wheel(0, sign(index) * 30));
  for (let turn = 0; turn < FAR_AFTER; turn++) await page.mouse.wheel(0, 240);
  const panFar = await dragged();
  const { message } = new App(page);
  await message.focus();
  const words = 'What about the tram to Graça, and where do we eat after the fado? ';
  const type = await framesWhile(page, (index) =>
    page.keyboard.type(words[index % words.length] as string, { delay: KEY_MS }),
  );
  await message.fill('');
  return { pan, zoom, panFar, type };
};

/**
 * Measures the time from changing the slider to the frame after the page has reacted, and to the one in which the
 * chat has moved there and the canvas is laid out.
 */
const stepTo = (page: Page, position: number): Promise<{ readonly answered: number; readonly drawn: number }> =>
  page.getByRole('slider', { name: 'Timeline' }).evaluate(async (element, to) => {
    const input = element as HTMLInputElement;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isThere = () =>
      document.querySelector(`[role=log] [aria-label="Turn ${to}"]`) !== null &&
      document.querySelector('[aria-label="Forest"] [aria-busy=true]') === null;
    await frame();
    const begun = performance.now();
    set?.call(input, String(to));
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // The page moves in the first of these frames and has drawn it by the second.
    await frame();
    await frame();
    const answered = performance.now() - begun;
    while (!isThere()) await frame();
    return { answered, drawn: performance.now() - begun };
  }, position);

const travelled = async (page: Page, turns: number): Promise<Pick<Measured, 'firstStep' | 'step' | 'stepDrawn'>> => {
  const first = await stepTo(page, turns - 1);
  const steps: Awaited<ReturnType<typeof stepTo>>[] = [];
  for (let i = 1; i <= STEPS; i++) {
    await atRest(page);
    steps.push(await stepTo(page, Math.max(1, Math.round(((i * 7) % STEPS) * (turns / STEPS)))));
  }
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await atRest(page);
  return {
    firstStep: first.answered,
    step: Math.max(...steps.map(({ answered }) => answered)),
    stepDrawn: Math.max(...steps.map(({ drawn }) => drawn)),
  };
};

/** Measures the time from the keystroke to the frame after the first result. */
const firstHit = async (page: Page, words: string): Promise<number> => {
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.getByRole('combobox').fill('');
  await expect(search.getByRole('option')).toHaveCount(0);
  return search.getByRole('combobox').evaluate(async (element, text) => {
    const input = element as HTMLInputElement;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    const begun = performance.now();
    set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    while (document.querySelector('[role=dialog] [role=option]') === null) await frame();
    return performance.now() - begun;
  }, words);
};

const searched = async (page: Page): Promise<Pick<Measured, 'search' | 'searchAgain'>> => {
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor();
  const search = await firstHit(page, 'seized seatpost');
  const searchAgain = await firstHit(page, 'Veil Nebula');
  return { search, searchAgain };
};

const measure = async (browser: Browser, baseURL: string, turns: number): Promise<Measured> => {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const importing = await imported(context, turns);
  const opens: Awaited<ReturnType<typeof opened>>[] = [];
  for (let i = 0; i < OPENS; i++) opens.push(await opened(context, turns));
  const of = (row: 'open' | 'openBusy' | 'openFrame') => median(opens.map((one) => one[row]));

  const page = await pageIn(context);
  await markInPlace(page, turns);
  await page.goto('./');
  await timeInPlace(page);
  await atRest(page);
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.send('Performance.enable');
  const motions = await moved(page);
  const messages = await sent(page, session, turns);
  const steps = await travelled(page, turns + MESSAGES);
  const hits = await searched(page);
  await context.close();
  return {
    ...importing,
    open: of('open'),
    openBusy: of('openBusy'),
    openFrame: of('openFrame'),
    heap: usedSize / 1e6,
    ...messages,
    ...motions,
    ...steps,
    ...hits,
  };
};

/** Compares the live page with many turns to the same page with a thousand, in one run. `--turns 100000` sets the number. */
export const scale = async (): Promise<Figure[]> => {
  const { values } = parseArgs({ options: { turns: { type: 'string' } }, allowPositionals: true });
  const turns = Number(values.turns ?? MANY);
  if (!Number.isInteger(turns) || turns < 2) throw new Error(`--turns ${values.turns}: a whole number from 2 on`);
  const { address, close } = await serve();
  const browser = await chromium.launch(await launchOptions());
  try {
    const few = await measure(browser, address, FEW);
    const many = await measure(browser, address, turns);
    return Object.entries(ROWS).map(([row, { name, unit, goal }]) => {
      const [value, base] = [many[row as Row], few[row as Row]];
      return {
        name: `${name} (${turns.toLocaleString('en')} turns)`,
        value,
        unit,
        goal,
        baseline: null,
        note: `${FEW.toLocaleString('en')} turns: ${base.toFixed(base < 100 ? 1 : 0)} ${unit}, ${(value / base).toFixed(2)} times that`,
      };
    });
  } finally {
    await browser.close();
    await close();
  }
};
