import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { launchOptions } from '../scripts/find-browser.mjs';
import { root } from '../scripts/run.mjs';
import { type Figure, quantile } from './figure.ts';

const TURNS = 20_000;
const SEED = 1;
const FRAMES = 120;
/** Fewer for the baseline, whose frames take a third of a second each when zoomed out. */
const BASELINE_FRAMES = 30;
const GOAL = { mount: 500, frame: 20 };
/** Time for cards to appear and the view to settle. */
const REST_MS = 800;

const MOTIONS = ['pan near', 'zoom near', 'pan far', 'zoom far'] as const;
type Measured = Record<(typeof MOTIONS)[number] | 'mount', number>;

const p95 = (times: readonly number[]) => quantile(times, 0.95);
const rest = (page: Page) => page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), REST_MS);

/** Zooms out all the way with the mouse wheel, which both variants support. */
const goFar = async (page: Page): Promise<void> => {
  await page.mouse.move(720, 450);
  for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, 240);
};

const measure = async (
  browser: Browser,
  address: string,
  how: 'window' | 'all-nodes',
  frames: number,
): Promise<Measured> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  const mount = await page.evaluate(([turns, seed, kind]) => window.bench.mount(turns, seed, kind), [
    TURNS,
    SEED,
    how,
  ] as const);
  await rest(page);
  const panNear = await page.evaluate((count) => window.bench.pan(count), frames);
  await rest(page);
  const zoomNear = await page.evaluate((count) => window.bench.zoom(count), frames);
  await goFar(page);
  await rest(page);
  const panFar = await page.evaluate((count) => window.bench.pan(count), frames);
  const zoomFar = await page.evaluate((count) => window.bench.zoom(count), frames);
  await page.close();
  return {
    mount,
    'pan near': p95(panNear),
    'zoom near': p95(zoomNear),
    'pan far': p95(panFar),
    'zoom far': p95(zoomFar),
  };
};

/** Measures mounting, panning and zooming 20,000 turns, compared to React Flow given all of them. */
export const canvas = async (): Promise<Figure[]> => {
  const outDir = await mkdtemp(join(tmpdir(), 'coppice-bench-'));
  const config = {
    configFile: false,
    root: join(root, 'bench', 'canvas'),
    logLevel: 'error',
    build: { outDir },
  } as const;
  await build({ ...config, plugins: [react()] });
  const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch(await launchOptions());
  try {
    const address = server.resolvedUrls?.local[0] as string;
    const ours = await measure(browser, address, 'window', FRAMES);
    const all = await measure(browser, address, 'all-nodes', BASELINE_FRAMES);
    const figure = (name: string, key: keyof Measured, goal: number): Figure => ({
      name,
      value: ours[key],
      unit: 'ms',
      goal,
      baseline: { name: 'React Flow given all nodes', value: all[key] },
    });
    const turns = TURNS.toLocaleString('en');
    return [
      figure(`Mount ${turns} turns`, 'mount', GOAL.mount),
      ...MOTIONS.map((motion) =>
        figure(`Frame while one ${motion.replace(' ', 's ')}, 95th percentile`, motion, GOAL.frame),
      ),
    ];
  } finally {
    await browser.close();
    await server.close();
    await rm(outDir, { recursive: true });
  }
};
