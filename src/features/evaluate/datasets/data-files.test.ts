import { describe, expect, test } from 'vitest';
import { isBesideDialogues, isDataFile, isMissed, readDataFiles } from './data-files.ts';
import { BrokenLabels } from './dialogues.ts';

const failureOf = (path: string, text: string, ...others: { path: string; text: string }[]): string => {
  try {
    readDataFiles([{ path, text }, ...others]);
  } catch (error) {
    expect(error).toBeInstanceOf(BrokenLabels);
    return (error as Error).message;
  }
  return 'read';
};
const messages = (id: string, ...contents: string[]) => ({
  path: 'ntm/a.jsonl',
  text: JSON.stringify({ conversation_id: id, user_turns: contents.map((content) => ({ content })) }),
});
const labels = (...entries: object[]) => `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`;

describe('a data folder', () => {
  test('is read by folder and ending', () => {
    const paths = [
      'everyday/a.json',
      'sgd/a.json',
      'oasst/b.jsonl',
      'ntm/labels.json',
      'ntm/c.jsonl',
      'ntm/d.json',
      'sgd/README.md',
      'a.json',
      'everyday/e.jsonl',
      'rewrites/f.json',
      'mine/everyday/g.json',
      'Everyday/h.json',
    ];
    expect(paths.filter(isDataFile)).toEqual([
      'everyday/a.json',
      'sgd/a.json',
      'oasst/b.jsonl',
      'ntm/labels.json',
      'ntm/c.jsonl',
      'everyday/e.jsonl',
      'rewrites/f.json',
    ]);
    expect(paths.filter(isMissed)).toEqual(['ntm/d.json', 'mine/everyday/g.json', 'Everyday/h.json']);
  });

  test('may have what SGD is published with: the services beside the dialogues of each part', () => {
    const paths = ['sgd/test/dialogues_001.json', 'sgd/test/schema.json', 'sgd/my_schema.json'];
    expect(paths.filter(isDataFile)).toEqual(['sgd/test/dialogues_001.json', 'sgd/my_schema.json']);
    expect(paths.filter(isBesideDialogues)).toEqual(['sgd/test/schema.json']);
    expect(paths.filter(isMissed)).toEqual([]);
  });

  test('may lack any of the sets', () => {
    const sets = readDataFiles([{ path: 'tiage/dev.json', text: '{"1": [["Hi.", "-1"], ["Hello.", "0"]]}' }]);
    expect(sets.tiage).toHaveLength(1);
    expect(sets.sgd).toEqual([]);
    expect(sets.ntm).toEqual([]);
  });

  test('keeps unlabelled conversations, and labels of several files', () => {
    const more = { ...messages('n2', 'c'), path: 'ntm/b.jsonl' };
    const file = { path: 'ntm/labels.json', text: labels({ conversation_id: 'n2', parent: [0], disputed: [] }) };
    const sets = readDataFiles([messages('n1', 'a', 'b'), more, file]);
    expect([...sets.conversations.keys()]).toEqual(['n1', 'n2']);
    expect(sets.ntm.map(({ id }) => id)).toEqual(['n2']);
  });
});

describe('a broken file is named with its line', () => {
  test('where JSON breaks off', () => {
    expect(failureOf('sgd/a.json', '[\n{"dialogue_id": "a",\n "turns": [}]')).toMatch(
      /^sgd\/a\.json: .*Line 3: expected a value/,
    );
  });

  test('where a field is missing in a list', () => {
    const text = '[\n{"dialogue_id": "a", "turns": []},\n{"dialogue_id": "b",\n"turns": [{"speaker": "USER"}]}\n]';
    expect(failureOf('sgd/a.json', text)).toMatch(/^sgd\/a\.json: Line 4: expected "utterance" to be a string/);
  });

  test('where a line of JSON lines is of another form', () => {
    const good = '{"message_tree_id": "m", "prompt": {"text": "a", "replies": []}}';
    const bad = '{"message_tree_id": "m", "prompt": {"text": 7, "replies": []}}';
    expect(failureOf('oasst/t.jsonl', `${good}\n${good}\n${bad}\n`)).toMatch(
      /^oasst\/t\.jsonl: Line 3: expected "text"/,
    );
  });

  test('where a label is none', () => {
    expect(failureOf('tiage/dev.json', '{"1": [["Hi.", "-1"],\n["Hello.", "2"]]}')).toMatch(
      /^tiage\/dev\.json: Line 2/,
    );
  });

  test('where a parent is no earlier turn', () => {
    const turn = { number: '1-1', participant: 'User', utterance: 'a', parent: '0-9' };
    expect(failureOf('cast2022/t.json', `[\n${JSON.stringify({ number: 7, turn: [turn] })}]`)).toMatch(
      /^cast2022\/t\.json: Line 2: turn 1-1 of tree 7 hangs from 0-9/,
    );
    const text = labels(
      { conversation_id: 'x', parent: [], disputed: [] },
      { conversation_id: 'n', parent: [0, 2], disputed: [] },
    );
    expect(failureOf('ntm/labels.json', text, messages('n', 'a', 'b'))).toMatch(
      /^ntm\/labels\.json: Line 3: turn 2 of n points at turn 2/,
    );
  });

  test('where there are more labels than turns', () => {
    const text = labels({ conversation_id: 'n', parent: [0, 1, 2], disputed: [] });
    expect(failureOf('ntm/labels.json', text, messages('n', 'a', 'b'))).toMatch(
      /Line 2: n has 2 turns, but labels for 3/,
    );
  });
});
