import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { median } from '../../bench/figure.ts';
import { soak } from '../../e2e/support/soak.ts';
import { launchOptions } from '../find-browser.mjs';
import { serve } from '../serve.mjs';

/*
 * npm run soak -- [--turns N] [--seed N]
 *
 * Gives the page long and rough use, driven by a seeded script, and exits with 1 if anything was lost, if memory
 * grew by more than a tenth over the second half, or if a frame took over 200 ms while a message was sent and
 * answered.
 */

const GROWTH = 0.1;
const FRAME_MS = 200;

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const [turns, seed] = [Number(values.turns), Number(values.seed)];
if (!(Number.isInteger(turns) && turns > 0 && Number.isInteger(seed))) {
  console.error('--turns takes a whole number above 0, and --seed a whole number.');
  process.exit(2);
}

const { address, close } = await serve();
const browser = await chromium.launch(await launchOptions());
const begun = performance.now();
try {
  const context = await browser.newContext({ baseURL: address, reducedMotion: 'reduce' });
  const { deeds, heaps, frames } = await soak(context, { turns, seed, tell: console.log });
  const minutes = (performance.now() - begun) / 60_000;
  // Medians, since a single heap measurement varies by about a tenth.
  const quarter = Math.floor(heaps.length / 4);
  const growth = quarter < 2 ? null : median(heaps.slice(-quarter)) / median(heaps.slice(-2 * quarter, -quarter)) - 1;
  const slow = frames.filter((ms) => ms > FRAME_MS).length;
  console.log(`${turns} messages in ${minutes.toFixed(0)} minutes, seed ${seed}: nothing was lost.`);
  console.log(
    `What was done: ${Object.entries(deeds)
      .map(([deed, { count, ms }]) => `${deed} ${count} (${(ms / 1000 / Math.max(1, count)).toFixed(2)} s each)`)
      .join(', ')}.`,
  );
  const grown = growth === null ? 'not measured in so few conversations' : `${(growth * 100).toFixed(1)} %`;
  console.log(`Heap, from the third quarter of the conversations to the last: ${grown} (at most ${GROWTH * 100} %).`);
  console.log(
    `Messages with a frame over ${FRAME_MS} ms: ${slow}; the longest ${Math.max(0, ...frames).toFixed(0)} ms.`,
  );
  if ((growth ?? 0) > GROWTH || slow > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await close();
}
