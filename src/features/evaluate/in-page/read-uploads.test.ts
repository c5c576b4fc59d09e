import { describe, expect, test } from 'vitest';
import { isDataFile } from '../datasets/data-files.ts';
import { BrokenFile, fileKindOf, KINDS, mayBeRead, pathInData, readUploads } from './read-uploads.ts';
import { everydayFile, given, monitor, ntmLabels, ntmLines, sgdFile, tiageFile } from './testing/given.ts';

const endedBy = (ended: AbortController): string => {
  ended.abort();
  return '[]';
};
const nothing = new Map<string, string | null>();
const read = (...files: ReturnType<typeof given>[]) => readUploads(files, nothing, monitor());

describe('files as they are given', () => {
  test('are sorted into their sets, whatever their order and folders', async () => {
    const { data, leftOut, unknown } = await read(
      given('labels.json', ntmLabels),
      given('x/tiage/dev.json', tiageFile),
      given('talk.json', sgdFile),
      given('all.jsonl', ntmLines),
      given('ours.json', everydayFile),
    );
    const { ntm, tiage, sgd, everyday } = data;
    expect([ntm, tiage, sgd, everyday].map(({ length }) => length)).toEqual([1, 1, 2, 2]);
    expect(data.tiage[0]?.id).toBe('dev.json-1');
    expect([leftOut, unknown]).toEqual([[], []]);
  });

  test('are read in the order of their names, in which a folder is read, not in that in which they were given', async () => {
    const talk = (name: string) => given(`tiage/${name}.json`, tiageFile);
    const ids = async (...names: string[]) => (await read(...names.map(talk))).data.tiage.map(({ id }) => id);
    expect(await ids('b', 'a', 'B')).toEqual(['B.json-1', 'a.json-1', 'b.json-1']);
  });

  test('the gold of a study is known by its format, and refused where a turn is open', async () => {
    const turn = { message: 'hi', reply: null, parent: 0, also: [], disputed: false };
    const gold = (...turns: object[]) =>
      given('ours.gold.jsonl', { format: 'coppice-gold', version: 1, study: 'Ours', id: 'trip', turns });
    const { data } = await read(gold(turn, { ...turn, parent: 1 }, { ...turn, parent: 'elsewhere', disputed: true }));
    expect(data.study[0]).toMatchObject({ id: 'Ours: trip', labels: 'parents' });
    expect(data.study[0]?.turns.map(({ parent }) => parent)).toEqual([null, 0, null]);
    await expect(read(gold(turn, { ...turn, parent: null }))).rejects.toThrow(
      'turn 2 of trip is open: settle it in Studies',
    );
    await expect(read(gold(turn, { ...turn, parent: 2 }))).rejects.toThrow('not an earlier turn');
  });

  test('are left out with why', async () => {
    const huge = { ...given('huge.json', ''), size: 1e9 };
    const { leftOut } = await read(
      given('README.md', '#'),
      huge,
      given('a/sgd/x.json', sgdFile),
      given('b/sgd/x.json', sgdFile),
      given('labels.json', ntmLabels),
      given('sgd/test/schema.json', [{ service_name: 'Buses_1', slots: [], intents: [] }]),
    );
    expect(leftOut.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'README.md: not a .json or .jsonl file',
      'huge.json: larger than 64 MB: split it',
      'b/sgd/x.json: another file of the same set has this name',
      'sgd/test/schema.json: it comes with the dialogues of its set, but has none',
      'labels.json: none of its conversations was given: add the .jsonl files of NTM',
    ]);
  });

  test('questions and the articles that they are about are read together', async () => {
    const articles = given('news.json', [
      { title: 'Owls', source: 'The Kite', published_at: '2023-10-01', url: 'u', body: 'Owls fly.' },
    ]);
    const evidence_list = [{ url: 'u', fact: 'Owls fly.' }];
    const questions = given('q.json', [
      { query: 'Do they?', answer: 'Yes', question_type: 'inference_query', evidence_list },
    ]);
    const { data } = await read(questions, given('a/tiage/dev.json', tiageFile), articles);
    expect(data['multihop-rag']?.[0]?.questions[0]?.evidence).toEqual([0]);
    expect((await read(articles)).leftOut).toEqual([
      { path: 'news.json', why: 'no question about its articles was given: add MultiHopRAG.json' },
    ]);
    await expect(read(questions)).rejects.toMatchObject({ path: 'q.json', line: null });
  });

  test('that could be anything are asked about, and then read or left out as told', async () => {
    const file = given('mine.json', [{ dialogue_id: 'd', turns: [] }]);
    expect((await read(file)).unknown).toEqual(['mine.json']);
    const told = await readUploads([file], new Map([['mine.json', 'sgd']]), monitor());
    expect(told.data.sgd).toHaveLength(1);
    const out = await readUploads([file], new Map([['mine.json', null]]), monitor());
    expect([out.unknown, out.leftOut]).toEqual([[], [{ path: 'mine.json', why: 'you skipped it' }]]);
  });

  test('that are broken are named as they were given, with the line', async () => {
    const failure = await read(
      given('sgd/good.json', sgdFile),
      given('mine/tiage/bad.json', '{"1": [["Hi.", "-1"],\n["Hello.", "2"]]}'),
    ).catch((error) => error);
    expect(failure).toBeInstanceOf(BrokenFile);
    expect(failure).toMatchObject({ path: 'mine/tiage/bad.json', line: 2 });
    expect(failure.message).toMatch(/^Line 2: expected/);
  });

  test('that cannot be read are named, too', async () => {
    const gone = { ...given('a.json', ''), text: () => Promise.reject(new Error('gone')) };
    await expect(read(gone)).rejects.toMatchObject({ path: 'a.json', line: null });
  });

  test('are not read on once the signal has fired', async () => {
    const ended = new AbortController();
    const first = { ...given('a.json', ''), text: async () => endedBy(ended) };
    const second = { ...given('b.json', ''), text: () => Promise.reject(new Error('read all the same')) };
    await expect(readUploads([first, second], nothing, monitor(ended.signal))).rejects.toThrow(/abort/i);
  });
});

const text = (content: unknown) => JSON.stringify(content);

describe('what a file is', () => {
  test('its folder says, wherever that lies', () => {
    expect(fileKindOf('sgd/dialogues_013.json', '{')).toBe('sgd');
    expect(fileKindOf('shared/data/TIAGE/dev/x.json', '')).toBe('tiage');
    expect(fileKindOf('coppice/data/everyday/a.json', '')).toBe('everyday');
    expect(fileKindOf('study/ntm/dialogues.jsonl', '')).toBe('ntm');
    expect(fileKindOf('data/ntm/labels.json', '')).toBe('ntm-labels');
    expect(fileKindOf('data/ntm/dialogues.jsonl', '')).toBe('ntm');
    expect(fileKindOf('multihop-rag/corpus.json', '')).toBe('multihop-rag-articles');
    expect(fileKindOf('multihop-rag/MultiHopRAG.json', '')).toBe('multihop-rag');
  });

  test('else what is in it', () => {
    expect(fileKindOf('a.json', text(sgdFile))).toBe('sgd');
    expect(fileKindOf('b.json', text(tiageFile))).toBe('tiage');
    expect(fileKindOf('c.jsonl', ntmLines)).toBe('ntm');
    expect(fileKindOf('d.json', text(ntmLabels))).toBe('ntm-labels');
    const cast = [{ number: 1, turn: [{ number: '1-1', participant: 'User', utterance: 'a', parent: '0' }] }];
    expect(fileKindOf('e.json', text(cast))).toBe('cast2022');
    expect(fileKindOf('f.json', text([{ structure: [], whole_conv: [] }]))).toBe('structflow');
    expect(fileKindOf('h.json', text(everydayFile))).toBe('everyday');
    expect(fileKindOf('i.json', text([{ qa: [], conversation: { session_1: [] }, sample_id: 'a' }]))).toBe('locomo');
    expect(fileKindOf('j.json', text({ name: { speaker_1: 'A', speaker_2: 'B' }, session_1: [] }))).toBe('realtalk');
    expect(fileKindOf('k.json', text([{ dialogue: 'Alex: Hi.', questions: [] }]))).toBe('msc-e');
    expect(fileKindOf('l.json', text([{ query: 'a', evidence_list: [{ published_at: '2023' }] }]))).toBe(
      'multihop-rag',
    );
    expect(fileKindOf('m.json', text([{ title: 'a', published_at: '2023', body: 'b' }]))).toBe('multihop-rag-articles');
    expect(fileKindOf('g.jsonl', text({ message_tree_id: 'm', prompt: { text: 'a', replies: [] } }))).toBe('oasst');
  });

  test('else its name; else nobody knows', () => {
    expect(fileKindOf('anno_dev.json', '{"1": [')).toBe('tiage');
    expect(fileKindOf('notes.json', '[1, 2]')).toBeNull();
  });

  test('a file of a set has its place there, and keeps its name', () => {
    expect(pathInData('tiage', 'some/where/anno_dev.json')).toBe('tiage/anno_dev.json');
    expect(pathInData('oasst', 'trees.json')).toBe('oasst/trees.jsonl');
    expect(pathInData('ntm-labels', 'mine.json')).toBe('ntm/labels.json');
    expect(KINDS.filter(({ name }) => !isDataFile(pathInData(name, 'one.jsonl')))).toEqual([]);
    expect(pathInData('multihop-rag-articles', 'news.json')).toBe('multihop-rag/corpus.json');
  });

  test('only JSON is looked at', () => {
    expect(['a.json', 'b.JSONL', 'c.md', 'd', '.hidden.json', 'x/.git/y'].filter(mayBeRead)).toEqual([
      'a.json',
      'b.JSONL',
    ]);
  });
});
