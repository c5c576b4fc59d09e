import { pathTo } from '../src/domain/queries.ts';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { continuationChances } from '../src/engine/context/policies/focused/continuations.ts';
import { needFeaturesOf, type Part, weighedTurns } from '../src/engine/context/policies/focused/need.ts';
import { Retriever } from '../src/engine/context/retrieval/retriever.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import { cosine } from '../src/engine/vectors/vector-math.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out-deciders.ts';
import { textsInDialogue, type VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { type EvaluationMode, placeDialogue, placeIn } from '../src/features/evaluate/measurement/placements.ts';
import { nodeIdOf, Replay, turnIndexOf } from '../src/features/evaluate/measurement/replay.ts';
import { ownEveryday } from './dialogues-on-disk.ts';
import { fitLogistic, type LogisticExample } from './fit-logistic.ts';
import { embedAll } from './vectors.ts';
/*
 * Fits the need model of the policy `focused` (src/engine/context/policies/focused/need.ts): npm run train:need. Uses only
 * the everyday conversations written for Coppice, where the texts that each message needs are labelled, with turns placed as
 * labelled and as the engine places them by weights that were not fitted to the dialogue. They include no set that contexts are
 * measured on.
 */

import { writeFile } from 'node:fs/promises';

const WEIGHTS = new URL('../src/engine/context/policies/focused/need-weights.json', import.meta.url);

/** Every part of every turn that is weighed for a message, and whether the message needs it. */
const examplesOf = async (
  dialogue: LabelledDialogue,
  mode: EvaluationMode,
  vectorOf: VectorOf,
): Promise<Record<Part, LogisticExample[]>> => {
  const placing = { subject: 'learned', deciderFor: learnedFor, policy: contextAgent };
  const { placed, settled } = await placeDialogue(dialogue.set, dialogue, placing, mode, vectorOf);
  const replay = new Replay(vectorOf);
  const retriever = new Retriever();
  const examples: Record<Part, LogisticExample[]> = { message: [], reply: [] };
  for (const [turn, labelled] of dialogue.turns.entries()) {
    const { message, parent, needs, orNeeds = [] } = labelled;
    const near = replay.nearness(message);
    const { forest, nodeId } = replay.preview(message, ...placeIn(placed, turn));
    const node = forest.nodes[nodeId];
    if (node !== undefined && needs !== undefined && turn > 0) {
      const about = {
        forest,
        nodeId,
        nearness: (id: string) => near.to(id),
        replyNearness: (id: string) => near.toReply(id),
      };
      const retrieved = await retriever.for(about)(message);
      const vector = vectorOf(message);
      const chances = await continuationChances(forest, node, about.nearness, async (texts) =>
        texts.map((text) => cosine(vectorOf(text), vector)),
      );
      const known = { forest, node, before: pathTo(forest, nodeId).slice(0, -1), retrieved, chances };
      const featuresOf = needFeaturesOf(known);
      const wanted = new Set([needs, ...orNeeds].flat().map((need) => `${need.turn} ${need.part}`));
      for (const one of weighedTurns(known)) {
        for (const part of ['message', 'reply'] as const) {
          examples[part].push({ features: featuresOf(one, part), holds: wanted.has(`${turnIndexOf(one.id)} ${part}`) });
        }
      }
    }
    const goldId = parent === null ? null : nodeIdOf(parent);
    const [parentId, went] = mode === 'teacher-forced' ? [goldId, undefined] : placeIn(settled, turn);
    replay.place(labelled, parentId, null, went);
  }
  return examples;
};

const dialogues = await ownEveryday();
await loadGlossaries();
const vectorOf = await embedAll(dialogues.flatMap(textsInDialogue), console.log);
const examples: Record<Part, LogisticExample[]> = { message: [], reply: [] };
for (const dialogue of dialogues) {
  for (const mode of ['teacher-forced', 'free-running'] as const) {
    const own = await examplesOf(dialogue, mode, vectorOf);
    for (const part of ['message', 'reply'] as const) for (const one of own[part]) examples[part].push(one);
  }
}
const message = fitLogistic(examples.message);
const reply = fitLogistic(examples.reply);
await writeFile(WEIGHTS, `${JSON.stringify({ message: message.weights, reply: reply.weights }, null, 2)}\n`);
console.log(
  `${examples.reply.length} turns weighed in ${dialogues.length} dialogues; loss of messages ${message.loss.toFixed(4)}, of replies ${reply.loss.toFixed(4)}; wrote ${WEIGHTS.pathname}`,
);
