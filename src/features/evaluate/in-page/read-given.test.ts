import { describe, expect, test } from 'vitest';
import { BrokenFile, readGiven } from './read-given.ts';
import { everydayFile, given, going, ntmLabels, ntmLines, sgdFile, tiageFile } from './testing/given.ts';

const endedBy = (ended: AbortController): string => {
  ended.abort();
  return '[]';
};
const nothing = new Map<string, string | null>();
const read = (...files: ReturnType<typeof given>[]) => readGiven(files, nothing, going());

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

  test('are left out with why', async () => {
    const huge = { ...given('huge.json', ''), size: 1e9 };
    const { leftOut } = await read(
      given('README.md', '#'),
      huge,
      given('a/sgd/x.json', sgdFile),
      given('b/sgd/x.json', sgdFile),
      given('labels.json', ntmLabels),
    );
    expect(leftOut.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'README.md: not a .json or .jsonl file',
      'huge.json: larger than 64 MB: split it',
      'b/sgd/x.json: another file of the same set has this name',
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
    const told = await readGiven([file], new Map([['mine.json', 'sgd']]), going());
    expect(told.data.sgd).toHaveLength(1);
    const out = await readGiven([file], new Map([['mine.json', null]]), going());
    expect([out.unknown, out.leftOut]).toEqual([[], [{ path: 'mine.json', why: 'you left it out' }]]);
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
    await expect(readGiven([first, second], nothing, going(ended.signal))).rejects.toThrow(/abort/i);
  });
});
