/*
 * Fits what the context is told of where a message may go on from: npm run train:landing -- --data DIR. The sets that contexts
 * are measured on, CAsT 2022 and the labelled NTM dialogues, are left out, so that no figure is on what was fitted.
 */

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import { fitLanding } from './fit-landing.ts';
import { type LandingExample, landingExamples } from './landing-examples.ts';
import { readTrainingSets, textsOf } from './training-sets.ts';
import { embedAll } from './vectors.ts';

const WEIGHTS = new URL('../src/engine/place/landing/landing-weights.json', import.meta.url);

const SETS = ['oasst-interleaved', 'structflow-interleaved', 'coppice-interleaved', 'coppice', 'ntm-more'];

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('usage: npm run train:landing -- --data DIR');

const dialogues = (await readTrainingSets(values.data)).filter(({ set }) => SETS.includes(set));
await loadGlossaries();
const vectorOf = await embedAll(textsOf(dialogues), say);
const examples: LandingExample[] = [];
for (const dialogue of dialogues) {
  for (const mode of ['teacher-forced', 'free-running'] as const) {
    examples.push(...(await landingExamples(dialogue, mode, vectorOf)));
  }
}
const { weights, loss } = fitLanding(examples, () => 1);
await writeFile(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`);
say(
  `${examples.length} turns of ${dialogues.length} dialogues, mean loss ${loss.toFixed(3)}; wrote ${WEIGHTS.pathname}`,
);
