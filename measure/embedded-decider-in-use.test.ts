import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../src/domain/decision.ts';
import { focused } from '../src/engine/context/policies/focused/focused.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import { readEveryday } from '../src/features/evaluate/datasets/labelled-trees.ts';
import { textsInDialogue } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import { Replay, turnIndexOf } from '../src/features/evaluate/measurement/replay.ts';
import { createEmbeddedDecider } from '../src/models/embedded/embedded-decider.ts';
import type { SentenceEncoder } from '../src/models/embedded/sentence-encoder.ts';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';
import { USE_LITE_THETA } from '../src/models/runtimes/embedding.ts';
import { withoutReplies } from './training-sets.ts';

let encoder: SentenceEncoder;
beforeAll(async () => {
  encoder = await encoderFromDisk();
});

/** Sends messages through the engine with the real encoder and the committed weights. */
const play = async (messages: readonly string[]): Promise<{ decisions: Decision[]; parents: (string | null)[] }> => {
  const vectors = await encoder.embed(messages);
  const none = new Float32Array(encoder.dimensions);
  const replay = new Replay((text) => vectors[messages.indexOf(text)] ?? none);
  const decider = createEmbeddedDecider();
  const decisions: Decision[] = [];
  const parents: (string | null)[] = [];
  for (const message of messages) {
    const { decision, parentId } = await replay.route(message, decider, USE_LITE_THETA);
    replay.place({ message, reply: null, parent: null, disputed: false }, parentId);
    decisions.push(decision);
    parents.push(parentId);
  }
  return { decisions, parents };
};

/** The same with replies: the number of the turn that each stands under, first by its message alone, then once it has a reply. */
const converse = async (turns: readonly (readonly [message: string, reply: string])[]) => {
  const texts = turns.flat();
  const vectors = await encoder.embed(texts);
  const none = new Float32Array(encoder.dimensions);
  const replay = new Replay((text) => vectors[texts.indexOf(text)] ?? none);
  const decider = createEmbeddedDecider();
  const numberOf = (id: string | null) => (id === null ? 0 : turnIndexOf(id) + 1);
  const places: [number, number][] = [];
  for (const [message, reply] of turns) {
    const turn = { message, reply, parent: null, disputed: false };
    const first = await replay.route(message, decider, USE_LITE_THETA);
    const settled = await replay.routeOnceReplied(turn, first, decider, USE_LITE_THETA);
    replay.place(turn, settled.parentId, null, settled.decision);
    places.push([numberOf(first.parentId), numberOf(settled.parentId)]);
  }
  return places;
};

const PAINT_AND_STARTER = [
  ['best paint for a kitchen ceiling', 'A scrubbable matt emulsion for kitchens: it resists steam and grease.'],
  ['how many coats', 'Two coats of the emulsion, with four hours between them, on a primed ceiling.'],
  ['my sourdough starter smells of acetone', 'It is hungry, not dead: feed the starter flour and water twice a day.'],
  ['and how much', 'Equal weights: 50 g of starter, 50 g of flour and 50 g of water at every feeding.'],
] as const;

test('what belongs to a topic is known by the subject, without a word in common', async () => {
  const places = await converse([
    ...PAINT_AND_STARTER,
    ['do i need to sand first', 'Sand the old ceiling lightly where the paint is glossy.'],
  ]);
  expect(places.at(-1)).toEqual([2, 2]);
});

test('what a message only hints at, its reply tells', async () => {
  const places = await converse([
    ...PAINT_AND_STARTER,
    [
      'and before the first one?',
      'Sand the old ceiling lightly where the paint is glossy, then prime it before the emulsion.',
    ],
    ['fridge ok?', 'Yes: in the fridge the starter sleeps, and one feeding of flour a week is enough.'],
  ]);
  expect(places.map(([, settled]) => settled)).toEqual([0, 1, 0, 3, 2, 4]);
  // By itself the fifth message does not mention paint.
  expect(places[4]?.[0]).toBe(4);
});

describe('the embedded decider on real messages', () => {
  test('a plan, an aside and the way back', async () => {
    const { decisions, parents } = await play([
      'Please plan a four-day hiking trip in the Dolomites for two people.',
      'Add a rest day with a lake and a good restaurant to the trip.',
      'Who composed the opera about the barber of Seville?',
      'OK, back to the hiking trip: we want huts with half board.',
    ]);
    expect(decisions.map(({ topic }) => topic)).toEqual([
      'create-topic',
      'continue-topic',
      'create-topic',
      'switch-topic',
    ]);
    expect(parents).toEqual([null, 'n0', null, 'n1']);
  });

  test('what says first that it goes back does, however much the rest says for itself', async () => {
    const { parents } = await play([
      'my Python script crashes when it reads a CSV file with pandas.',
      'how long do I soak chickpeas before I cook them?',
      'Back to the Python script: how do I skip broken lines when pandas reads the CSV file?',
    ]);
    expect(parents).toEqual([null, null, 'n0']);
  });

  test('a short reference goes on', async () => {
    const { decisions } = await play([
      'Which birds can be seen in a city park in winter?',
      'Which of them stay all year?',
    ]);
    expect(decisions[1]?.topic).toBe('continue-topic');
  });

  test('says in words what spoke for its answer', async () => {
    const { decisions } = await play([
      'Write a Python script that renames all photos in a folder by date.',
      'What is the capital of Mongolia?',
    ]);
    const answer = decisions[1]?.trace?.topic.answer;
    expect(answer?.action).toBe('create-topic');
    expect(answer?.reasons.length).toBeGreaterThanOrEqual(2);
    for (const { text } of answer?.reasons ?? []) expect(text).not.toMatch(/undefined|NaN|create:|switch:/);
  });
});

/** Share of the messages that the unaided decider puts in their topic, once replied to, in conversations nothing is trained on. */
const shareRight = async (name: string, as: (dialogue: LabelledDialogue) => LabelledDialogue): Promise<number> => {
  const file = new URL(`dialogues/unseen/${name}.jsonl`, import.meta.url);
  const dialogues = readEveryday(await readFile(file, 'utf8')).map(as);
  await loadGlossaries();
  const texts = [...new Set(dialogues.flatMap(textsInDialogue))];
  const vectors = await encoder.embed(texts);
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at] as Float32Array]));
  const placing = { subject: 'shipped', deciderFor: () => createEmbeddedDecider(), policy: focused };
  let [right, all] = [0, 0];
  for (const dialogue of dialogues) {
    const { records } = await placeDialogue(name, dialogue, placing, 'free-running', (text) => {
      return vectorOf.get(text) ?? new Float32Array(encoder.dimensions);
    });
    all += records.length;
    right += records.filter(({ gold, home, settledHome }) => {
      return settledHome === (gold.topic === 'create-topic' ? null : home);
    }).length;
  }
  return right / all;
};

test.each([
  ['typed', 0.92],
  ['typed-2', 0.9],
  ['whole', 0.85],
])(
  'of messages as people type them to a chat that does not reply, some nine in ten come to their topic: %s',
  async (name, least) => {
    expect(await shareRight(name, withoutReplies)).toBeGreaterThan(least);
  },
);

test('of restless talk in several languages, half of it returns, more than three in four come to their topic', async () => {
  expect(await shareRight('everyday', (dialogue) => dialogue)).toBeGreaterThan(0.75);
});

test('replies that say nothing do not scatter a conversation', async () => {
  const certainly = ({ turns, ...dialogue }: LabelledDialogue): LabelledDialogue => ({
    ...dialogue,
    turns: turns.map((turn) => ({ ...turn, reply: 'Absolutely!' })),
  });
  expect(await shareRight('typed', certainly)).toBeGreaterThan(0.85);
});
