import { canvas } from './canvas.ts';
import { decision } from './decision.ts';
import { edits } from './edits.ts';
import { engineShare } from './engine.ts';
import { exchange } from './exchange.ts';
import type { Figure } from './figure.ts';
import { lineOf } from './figure.ts';
import { firstPaint } from './first-paint.ts';
import { MEMORIES } from './memories.ts';
import { modelTasks } from './model-tasks.ts';
import { pageOpen } from './page-open.ts';
import { retrieval } from './retrieval.ts';
import { scale } from './scale.ts';
import { slowLine } from './slow-line.ts';
import { whatIf } from './what-if.ts';

const parts: readonly (readonly [string, () => Promise<Figure[]>])[] = [
  ['Decision', decision],
  ['Retrieval', retrieval],
  ['Engine', engineShare],
  ['Edits by hand', edits],
  ...MEMORIES.map(
    ([name, measure]) => [`Memories: ${name} (a made-up conversation, made-up models)`, measure] as const,
  ),
  ['First paint', firstPaint],
  ['Slow line', slowLine],
  ['Page', pageOpen],
  ['Scale', scale],
  ['Exchange', exchange],
  ['Canvas', canvas],
  ['What if', whatIf],
  ['Models beside typing', modelTasks],
];

// `npm run bench -- engine` runs the parts whose title contains the word; `-- scale --turns 100000` takes a while.
const only = process.argv[2]?.toLowerCase() ?? '';

const chosen = parts.filter(([title]) => title.toLowerCase().includes(only));
if (chosen.length === 0) {
  console.error(`No benchmark is called ${only}. There are: ${parts.map(([title]) => title).join(', ')}.`);
  process.exit(2);
}
for (const [title, measure] of chosen) {
  console.log(`\n${title}`);
  for (const figure of await measure()) console.log(lineOf(figure));
}
