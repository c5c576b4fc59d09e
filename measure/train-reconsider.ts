import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { nodeOf } from '../src/domain/queries.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import { startOf } from '../src/engine/vectors/node-vectors.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out-deciders.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { nodeIdOf, Replay } from '../src/features/evaluate/measurement/replay.ts';
import { TextReader } from '../src/models/embedded/decider-texts.ts';
import { shippedLexicon } from '../src/models/embedded/lexicon.ts';
import { choicesWithReply } from '../src/models/embedded/reconsider.ts';
import { readTopicQuestion } from '../src/models/embedded/topic-features.ts';
import { USE_LITE_THETA } from '../src/models/runtimes/embedding.ts';
import { type Boosting, boost, type RankedExample } from './boost.ts';
import { FOLDS, foldsIn } from './folds.ts';
import { packModel } from './pack.ts';
import { readTrainingSets, textsOf, topicShare } from './training-sets.ts';
import { embedAll } from './vectors.ts';

/*
 * Trains how the embedded decider reconsiders a message once its reply is there: npm run train:reconsider -- --data DIR, after
 * `npm run train`, whose weights give the decision on the message alone. Writes the shipped weights and those of the same
 * cross-validation.
 */

const SHIPPED = new URL('../src/models/embedded/reconsider-weights.json', import.meta.url);
const HELD_OUT = new URL('../src/features/evaluate/held-out/weights/', import.meta.url);

const BOOSTING: Boosting = {
  rounds: 120,
  rate: 0.08,
  leaves: 8,
  leastRows: 20,
  leastCurvature: 4,
  l2: 3,
  columns: 0.25,
  sample: 0.8,
  seed: 1,
  directions: {},
};

/** Sets whose dialogues are replayed once more with earlier turns where the decider put them, mistakes included. */
const GOES_ASTRAY = /^(?:everyday(?!.*-recut)|sgd|coppice)/;

interface ReplyExample extends RankedExample {
  readonly dialogue: LabelledDialogue;
}

/**
 * Returns the turns of a dialogue that have a reply, each as seen by the decider that was not fitted to the dialogue. `driven`:
 * every earlier turn is where that decider put it, and the right answer is the topic that now contains the labelled parent;
 * otherwise it is where its label says.
 */
const examplesIn = async (dialogue: LabelledDialogue, driven: boolean, vectorOf: VectorOf): Promise<ReplyExample[]> => {
  const decider = learnedFor(dialogue);
  const reader = new TextReader(await shippedLexicon());
  const replay = new Replay(vectorOf);
  const examples: ReplyExample[] = [];
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const { message, parent } = labelled;
    const parentId = parent === null ? null : nodeIdOf(parent);
    const start = startOf(labelled.reply ?? '');
    if (turn > 0 && start !== '') {
      const question = replay.question(message);
      const said = JSON.parse((await decider.topic(question)).raw) as readonly { readonly p: number }[];
      const choices = choicesWithReply(
        readTopicQuestion(question, reader),
        said.map(({ p }) => p),
        readTopicQuestion(replay.question(message, start), reader),
      );
      const target = parentId === null ? null : nodeOf(replay.forest, parentId).treeId;
      const right = choices.findIndex((choice) => choice.target === target);
      if (right >= 0) examples.push({ choices, right, weight: 1, dialogue });
    }
    const placed = driven && turn > 0 ? (await replay.route(message, decider, USE_LITE_THETA)).parentId : parentId;
    replay.place(labelled, placed);
  }
  return examples;
};

/** Weights the examples so that each set counts as much as for the decider, however many of its turns have a reply. */
const weighted = (examples: readonly ReplyExample[]): ReplyExample[] => {
  const counts = new Map<string, number>();
  for (const { dialogue } of examples) counts.set(dialogue.set, (counts.get(dialogue.set) ?? 0) + 1);
  return examples.map((example) => {
    const { set } = example.dialogue;
    return { ...example, weight: topicShare(set) / (counts.get(set) ?? 1) };
  });
};

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('usage: npm run train:reconsider -- --data DIR');

const dialogues = await readTrainingSets(values.data);
const replied = dialogues.filter(
  ({ set, turns }) => !set.endsWith('-digressions') && turns.some(({ reply }) => reply !== null),
);
console.log(`${replied.length} dialogues with replies`);
await loadGlossaries();
const vectorOf = await embedAll(textsOf(replied), console.log);
const examples: ReplyExample[] = [];
for (const dialogue of replied) {
  for (const driven of GOES_ASTRAY.test(dialogue.set) ? [false, true] : [false]) {
    examples.push(...(await examplesIn(dialogue, driven, vectorOf)));
  }
}
console.log(`${examples.length} replies`);

const foldsOf = foldsIn(dialogues);
for (const fold of [null, ...Array.from({ length: FOLDS }, (_, at) => at)]) {
  const kept = examples.filter(({ dialogue }) => fold === null || !foldsOf(dialogue).includes(fold));
  const model = boost(weighted(kept), 'continue-topic', BOOSTING);
  const file = fold === null ? SHIPPED : new URL(`reconsider-${fold}.json`, HELD_OUT);
  await writeFile(file, `${JSON.stringify(packModel(model))}\n`);
  console.log(`wrote ${file.pathname}`);
}
