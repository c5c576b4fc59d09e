import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialoguesIn } from '../../../app/testing/conversation-files.ts';

/** Labelled dialogues that may not be part of the repository. */
const DATA = resolve(import.meta.dirname, '../../../../../shared/data');

describe.skipIf(!existsSync(DATA))('dialogues of ../shared/data (skipped where that folder is absent)', () => {
  test.each([
    ['ntm/dialogues.jsonl', 203, 3489],
    ['sgd/dialogues_013.json', 128, 994],
    ['sgd/dialogues_034.json', 54, 494],
    ['structflow/dialogues.json', 78, 322],
    ['oasst/trees.jsonl', 50, 90],
    ['chatgpt-export/conversation.json', 1, 2],
  ])('%s is read whole', (file, dialogues, turns) => {
    const read = dialoguesIn(file, readFileSync(resolve(DATA, file), 'utf8'));
    expect(read).toHaveLength(dialogues);
    expect(read.flatMap((dialogue) => dialogue.turns)).toHaveLength(turns);
    expect(read.every(({ title }) => title.length > 0)).toBe(true);
  });
});
