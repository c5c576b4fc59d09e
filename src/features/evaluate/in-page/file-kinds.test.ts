import { describe, expect, test } from 'vitest';
import { kindOf, mayBeRead, placeOf } from './file-kinds.ts';
import { everydayFile, ntmLabels, ntmLines, sgdFile, tiageFile } from './testing/given.ts';

const text = (content: unknown) => JSON.stringify(content);

describe('what a file is', () => {
  test('its folder says, wherever that lies', () => {
    expect(kindOf('sgd/dialogues_013.json', '{')).toBe('sgd');
    expect(kindOf('shared/data/TIAGE/dev/x.json', '')).toBe('tiage');
    expect(kindOf('data/ntm/labels.json', '')).toBe('ntm-labels');
    expect(kindOf('data/ntm/dialogues.jsonl', '')).toBe('ntm');
    expect(kindOf('multihop-rag/corpus.json', '')).toBe('multihop-rag-articles');
    expect(kindOf('multihop-rag/MultiHopRAG.json', '')).toBe('multihop-rag');
  });

  test('else what is in it', () => {
    expect(kindOf('a.json', text(sgdFile))).toBe('sgd');
    expect(kindOf('b.json', text(tiageFile))).toBe('tiage');
    expect(kindOf('c.jsonl', ntmLines)).toBe('ntm');
    expect(kindOf('d.json', text(ntmLabels))).toBe('ntm-labels');
    const cast = [{ number: 1, turn: [{ number: '1-1', participant: 'User', utterance: 'a', parent: '0' }] }];
    expect(kindOf('e.json', text(cast))).toBe('cast2022');
    expect(kindOf('f.json', text([{ structure: [], whole_conv: [] }]))).toBe('structflow');
    expect(kindOf('h.json', text(everydayFile))).toBe('everyday');
    expect(kindOf('i.json', text([{ qa: [], conversation: { session_1: [] }, sample_id: 'a' }]))).toBe('locomo');
    expect(kindOf('j.json', text({ name: { speaker_1: 'A', speaker_2: 'B' }, session_1: [] }))).toBe('realtalk');
    expect(kindOf('k.json', text([{ dialogue: 'Alex: Hi.', questions: [] }]))).toBe('msc-e');
    expect(kindOf('l.json', text([{ query: 'a', evidence_list: [{ published_at: '2023' }] }]))).toBe('multihop-rag');
    expect(kindOf('m.json', text([{ title: 'a', published_at: '2023', body: 'b' }]))).toBe('multihop-rag-articles');
    expect(kindOf('g.jsonl', text({ message_tree_id: 'm', prompt: { text: 'a', replies: [] } }))).toBe('oasst');
  });

  test('else its name; else nobody knows', () => {
    expect(kindOf('anno_dev.json', '{"1": [')).toBe('tiage');
    expect(kindOf('notes.json', '[1, 2]')).toBeNull();
  });

  test('a file of a set has its place there, and keeps its name', () => {
    expect(placeOf('tiage', 'some/where/anno_dev.json')).toBe('tiage/anno_dev.json');
    expect(placeOf('oasst', 'trees.json')).toBe('oasst/trees.jsonl');
    expect(placeOf('ntm-labels', 'mine.json')).toBe('ntm/labels.json');
    expect(placeOf('multihop-rag-articles', 'news.json')).toBe('multihop-rag/corpus.json');
  });

  test('only JSON is looked at', () => {
    expect(['a.json', 'b.JSONL', 'c.md', 'd', '.hidden.json', 'x/.git/y'].filter(mayBeRead)).toEqual([
      'a.json',
      'b.JSONL',
    ]);
  });
});
