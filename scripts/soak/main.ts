import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { median } from '../../bench/figure.ts';
import { type SoakReport, soak } from '../../e2e/support/soak.ts';
import { launchOptions } from '../find-browser.mjs';
import { serve } from '../serve.mjs';

/*
 * npm run soak -- [--turns N] [--seed N] [--keep FOLDER]
 *
 * Gives the page long and rough use, driven by a seeded script, and exits with 1 if anything was lost, if memory
 * grew by more than a tenth over the second half, or if a frame took over 200 ms while a message was sent and
 * answered. With a folder, the browser's profile and what was done are kept there: stopped at any moment, the same
 * command continues with the conversation that was being held.
 */

const GROWTH = 0.1;
const FRAME_MS = 200;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const [turns, seed] = [Number(values.turns), Number(values.seed)];
if (!(Number.isInteger(turns) && turns > 0 && Number.isInteger(seed))) {
  console.error('--turns takes a whole number above 0, and --seed a whole number.');
  process.exit(2);
}

interface Kept {
  readonly seed: number;
  /** The page's data belong to its address, thus to its port. */
  readonly port: number;
  readonly minutes: number;
  readonly done: SoakReport;
}

const folder = values.keep === undefined ? await mkdtemp(join(tmpdir(), 'soak-')) : resolve(values.keep);
const file = join(folder, 'progress.json');
const kept: Kept | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
if (kept !== null && kept.seed !== seed) {
  console.error(`${folder} was begun with --seed ${kept.seed}.`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

const { address, close } = await serve({ port: kept?.port ?? 0 });
const begun = performance.now();
const minutesSince = (): number => (kept?.minutes ?? 0) + (performance.now() - begun) / 60_000;
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  ...(await launchOptions()),
  baseURL: address,
  reducedMotion: 'reduce',
});

const longest = (frames: SoakReport['frames']): number => Math.max(0, ...frames.map(({ ms }) => ms));

const report = (done: SoakReport): void => {
  const { said, heaps, frames } = done;
  const [heap, frame] = [(heaps.at(-1) ?? 0) / 2 ** 20, longest(frames)];
  console.log(`${said} of ${turns} messages, heap ${heap.toFixed(1)} MiB, longest frame so far ${frame.toFixed(0)} ms`);
  const progress: Kept = { seed, port: Number(new URL(address).port), minutes: minutesSince(), done };
  writeFileSync(file, JSON.stringify(progress));
};

try {
  const { deeds, heaps, frames } = await soak(context, {
    turns,
    seed,
    report,
    ...(kept === null ? {} : { done: kept.done }),
  });
  // Medians, since a single heap measurement varies by about a tenth.
  const quarter = Math.floor(heaps.length / 4);
  const growth = quarter < 2 ? null : median(heaps.slice(-quarter)) / median(heaps.slice(-2 * quarter, -quarter)) - 1;
  const slow = frames.filter(({ ms }) => ms > FRAME_MS).length;
  console.log(`${turns} messages in ${minutesSince().toFixed(0)} minutes, seed ${seed}: nothing was lost.`);
  console.log(
    `What was done: ${Object.entries(deeds)
      .map(([deed, { count, ms }]) => `${deed} ${count} (${(ms / 1000 / Math.max(1, count)).toFixed(2)} s each)`)
      .join(', ')}.`,
  );
  const grown = growth === null ? 'not measured in so few conversations' : `${(growth * 100).toFixed(1)} %`;
  console.log(`Heap, from the third quarter of the conversations to the last: ${grown} (at most ${GROWTH * 100} %).`);
  for (const [which, of] of [
    ['First messages after the page was opened', frames.filter(({ first }) => first)],
    ['Other messages', frames.filter(({ first }) => !first)],
  ] as const) {
    const over = of.filter(({ ms }) => ms > FRAME_MS).length;
    console.log(
      `${which}: ${over} of ${of.length} with a frame over ${FRAME_MS} ms, the longest ${longest(of).toFixed(0)} ms.`,
    );
  }
  if ((growth ?? 0) > GROWTH || slow > 0) process.exitCode = 1;
} finally {
  await context.close();
  await close();
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
}
