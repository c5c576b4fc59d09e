import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialoguesIn } from '../../../app/testing/conversation-files.ts';
import type { ChatMessage } from '../../../domain/context.ts';
import { violations } from '../../../domain/invariants.ts';
import { fallbacksOf, replyOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { contextMessages, shownContext } from '../../../engine/context/context-text.ts';
import { ALL_POLICIES } from '../../../engine/context/policies/policies.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import type { Dialogue, Models } from '../../../engine/ports.ts';
import { momentOfReply } from '../../../engine/testing/moment-of-reply.ts';
import { modelsFromDisk } from '../../../models/embedded/testing/models-from-disk.ts';
import { cacheEmbeddings } from '../../../models/runtimes/embedding.ts';
import { replayDialogue } from './replay.ts';

const DATA = resolve(import.meta.dirname, '../../../../../shared/data');
/** Every nth dialogue is played; `REPLAY_EVERY=1` plays all of them, under every policy (three quarters of an hour on two busy cores). */
const EVERY = Number(process.env.REPLAY_EVERY ?? 20);

const models: Models = await modelsFromDisk();

/** Embeddings do not depend on the policy, so each text is embedded only once. */
const embed: Models['embed'] = { ...models.embed, embed: cacheEmbeddings(models.embed.embed) };

const playThrough = async (dialogue: Dialogue, policy?: Policy) => {
  const received: (readonly ChatMessage[])[] = [];
  const chat: Models['chat'] = {
    ...models.chat,
    reply: (request, signal) => {
      received.push(structuredClone(request.messages) as ChatMessage[]);
      return models.chat.reply(request, signal);
    },
  };
  const { forest, entries } = await replayDialogue(dialogue, { ...models, embed, chat }, policy);
  const nodes = recordsOf(forest.nodes);
  expect(violations(forest)).toEqual([]);
  expect(nodes).toHaveLength(dialogue.turns.length);
  expect(nodes.map((node) => replyOf(node)?.state)).toEqual(dialogue.turns.map(() => 'done'));
  expect(nodes.every(({ summary }) => summary?.text !== '')).toBe(true);
  expect(nodes.flatMap(fallbacksOf)).toEqual([]);
  const shown = nodes.map((node) => shownContext(entries, momentOfReply(entries, node.replyId ?? '')));
  if (policy !== undefined) {
    expect(shown.map((one) => one?.context.policy)).toEqual(nodes.map(() => policy.name));
  }
  // Nothing was sent for a reply that came with the dialogue.
  const sent = shown.filter((_, at) => dialogue.turns[at]?.reply === null);
  expect(sent.map((one) => one && contextMessages(one.forest, one.context))).toEqual(received);
};

/** In the form of such a file: NTM without replies, StructFlowBench with them. */
const OWN: Readonly<Record<string, string>> = {
  'ntm/dialogues.jsonl': JSON.stringify({
    conversation_id: 'own',
    user_turns: [
      'Plan a week in Lisbon for two, with a budget of 1,400 euros.',
      'Make it 1,800 euros, and add a day by the sea.',
      'By the way, how do I stop my sourdough from going flat?',
      'And how long should it rest?',
      'Back to Lisbon: which tram goes up to the castle?',
      'Forget the day by the sea, we would rather see Sintra instead.',
      'Put the whole plan together.',
    ].map((content, at) => ({ turn_id: at + 1, content })),
  }),
  'structflow/dialogues.json': JSON.stringify([
    {
      messages: [
        { role: 'user', content: 'Explain in short how plants make sugar from light.' },
        {
          role: 'assistant',
          content: 'Chlorophyll takes up light, which splits water; its hydrogen turns CO₂ to sugar.',
        },
        { role: 'user', content: 'What does the chlorophyll do in that?' },
        { role: 'assistant', content: 'It takes up red and blue light and hands the energy on.' },
        { role: 'user', content: 'Now the same for a class of ten-year-olds.' },
        { role: 'assistant', content: 'A leaf is a kitchen: light is the stove, air and water are what is cooked.' },
        { role: 'user', content: 'Sum up all that was said.' },
        { role: 'assistant', content: 'Light, water and air become sugar, with chlorophyll to catch the light.' },
      ],
    },
  ]),
};

const sampled = (file: string): readonly Dialogue[] =>
  dialoguesIn(file, readFileSync(resolve(DATA, file), 'utf8')).filter((_, at) => at % EVERY === 0);

describe.each(ALL_POLICIES)('under $name', (policy) => {
  test.each(Object.entries(OWN))('a dialogue in the form of %s replays to the end', async (file, text) => {
    for (const dialogue of dialoguesIn(file, text)) await playThrough(dialogue, policy);
  });

  test.skipIf(!existsSync(DATA)).each(Object.keys(OWN))(
    'those of ../shared/data/%s do, too (skipped where that folder is absent)',
    { timeout: 3_600_000 },
    async (file) => {
      const all = sampled(file);
      const place = ALL_POLICIES.indexOf(policy);
      // Each policy plays its share of a sample, at least one dialogue; together the policies play all of it.
      const own = all.filter((_, at) => EVERY === 1 || at % ALL_POLICIES.length === place % all.length);
      expect(own.length).toBeGreaterThan(0);
      for (const dialogue of own) await playThrough(dialogue, policy);
    },
  );
});

describe.skipIf(!existsSync(DATA))('dialogues of ../shared/data (skipped where that folder is absent)', () => {
  test.each([
    'ntm/dialogues.jsonl',
    'sgd/dialogues_013.json',
    'sgd/dialogues_034.json',
    'structflow/dialogues.json',
    'oasst/trees.jsonl',
  ])('%s replay to the end', { timeout: 600_000 }, async (file) => {
    for (const dialogue of sampled(file)) await playThrough(dialogue);
  });
});
