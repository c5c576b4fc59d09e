import * as z from 'zod/mini';
import type { ChatMessage } from '../../domain/context.ts';
import { summaryText } from '../../engine/context/overview.ts';
import type { PathQuestion } from '../../engine/place/path-question.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { nonsense, objectsIn } from './choice.ts';
import { clip } from './clip.ts';
import { fitting } from './fitting.ts';
import { lastTurn } from './last-turn.ts';
import { instructionsFor, PATH_INSTRUCTIONS } from './prompts.ts';

/** Characters: of a turn's summary, of the title, and of the message. */
const SUMMARY = 200;
const TITLE = 240;
const MESSAGE = 1200;
/** Turns of the path that are told, the root beside the newest. */
const PATH = 12;

const YesOrNo = z.object({ answer: z.enum(['yes', 'no']) });
const { $schema: _, ...schema } = z.toJSONSchema(YesOrNo);
export const YES_OR_NO_SCHEMA: object = schema;

/** The question whether a message goes on in a path, told by its summaries: the root's, and of the others the newest that fit. */
export const pathPrompt = async (
  generator: TextGenerator,
  { message, title, path, active }: PathQuestion,
): Promise<readonly ChatMessage[]> => {
  const [root, ...later] = path.map(({ node }) => clip(summaryText(node), SUMMARY));
  const foremost = [root ?? '', ...later.toReversed().slice(0, PATH - 1)];
  const fit = await fitting(generator, foremost);
  const newest = foremost.slice(1, fit).toReversed();
  const gap = newest.length < later.length ? ['…'] : [];
  const last = path.at(-1)?.node;
  const text = [
    `Thread: ${clip(title, TITLE)}: ${[foremost[0], ...gap, ...newest].join(' ')}`,
    ...(last === undefined ? [] : [`Last turn of the thread: ${lastTurn(last)}`]),
    ...(active ? ['The conversation is in this thread now.'] : []),
    `New message: ${JSON.stringify(clip(message, MESSAGE))}`,
  ].join('\n');
  return [
    { role: 'system', content: instructionsFor(generator.name, PATH_INSTRUCTIONS) },
    { role: 'user', content: text },
  ];
};

/** The yes or no of an answer, also amid prose. Rejects what is unclear, or says both: the engine has another decider. */
export const yesIn = (answer: string): boolean => {
  const said = new Set<'yes' | 'no'>();
  for (const object of objectsIn(answer)) {
    const parsed = YesOrNo.safeParse(object);
    if (parsed.success) said.add(parsed.data.answer);
  }
  // The bare word is as plain, where nothing held the model to the form.
  const word = answer
    .trim()
    .toLowerCase()
    .match(/^["']?(yes|no)["']?[.!]?$/)?.[1];
  if (word === 'yes' || word === 'no') said.add(word);
  const [one, other] = said;
  if (one === undefined) throw nonsense(answer, 'is neither yes nor no');
  if (other !== undefined) throw nonsense(answer, 'says yes and no');
  return one === 'yes';
};
