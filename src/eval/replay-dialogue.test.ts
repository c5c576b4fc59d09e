import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFormats } from '../adapters/storage/formats/formats.ts';
import { violations } from '../domain/invariants.ts';
import { replyOf } from '../domain/queries.ts';
import type { Dialogue, Models } from '../engine/ports.ts';
import { modelsFromDisk } from './models-from-disk.ts';
import { replayDialogue } from './replay-dialogue.ts';

const DATA = resolve(import.meta.dirname, '../../../shared/data');
/** Every how-manieth dialogue is played; `REPLAY_EVERY=1` plays all (some minutes). */
const EVERY = Number(process.env.REPLAY_EVERY ?? 20);

const models: Models = await modelsFromDisk();

const playThrough = async (dialogue: Dialogue) => {
  const forest = await replayDialogue(dialogue, models);
  const nodes = Object.values(forest.nodes);
  expect(violations(forest)).toEqual([]);
  expect(nodes).toHaveLength(dialogue.turns.length);
  expect(nodes.map((node) => replyOf(node)?.state)).toEqual(dialogue.turns.map(() => 'done'));
  expect(nodes.every(({ summary, decision }) => summary?.text !== '' && decision.trace?.fallbacks.length === 0)).toBe(
    true,
  );
};

describe.skipIf(!existsSync(DATA))('dialogues of ../shared/data (skipped where that folder is absent)', () => {
  test.each([
    'ntm/dialogues.jsonl',
    'sgd/dialogues_013.json',
    'sgd/dialogues_034.json',
    'structflow/dialogues.json',
    'oasst/trees.jsonl',
  ])('%s replay to the end', { timeout: 600_000 }, async (file) => {
    const parsed = createFormats().parse(file, readFileSync(resolve(DATA, file), 'utf8'));
    const all = parsed.ok && parsed.imported.kind === 'dialogues' ? parsed.imported.dialogues : [];
    expect(all.length).toBeGreaterThan(0);
    for (const dialogue of all.filter((_, i) => i % EVERY === 0)) await playThrough(dialogue);
  });
});
