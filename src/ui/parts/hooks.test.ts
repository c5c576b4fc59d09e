import { afterEach, expect, test, vi } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import {
  createStored,
  droppedFiles,
  droppedItems,
  filesFound,
  isSameButReplyTexts,
  pathOf,
  withFocusedRow,
} from './hooks.ts';

afterEach(() => vi.unstubAllGlobals());

test('the row that has the focus is mounted in its place, wherever it is, and no row of another list', () => {
  const list = { contains: (element: unknown) => element !== null && 'isHere' in (element as object) } as HTMLElement;
  const indexOf = vi.fn((key: string) => ['a', 'b', 'c', 'd', 'e'].indexOf(key));
  const focusIn = (row: string | null, isHere = true) =>
    vi.stubGlobal('document', {
      activeElement: { closest: () => (row === null ? null : { dataset: { row } }), ...(isHere && { isHere }) },
    });
  focusIn('a');
  expect(withFocusedRow([2, 3], list, indexOf)).toEqual([0, 2, 3]);
  focusIn('d');
  expect(withFocusedRow([2, 3], list, indexOf)).toEqual([2, 3]);
  for (const elsewhere of ['turn', null]) {
    focusIn(elsewhere);
    expect(withFocusedRow([2, 3], list, indexOf)).toEqual([2, 3]);
  }
  // Not looked up: a list may have very many rows.
  indexOf.mockClear();
  focusIn('a', false);
  expect(withFocusedRow([2, 3], list, indexOf)).toEqual([2, 3]);
  expect(withFocusedRow([2, 3], null, indexOf)).toEqual([2, 3]);
  expect(indexOf).not.toHaveBeenCalled();
});

test('a forest is the same but for the texts of replies while those come, and at no other event', () => {
  const log = syntheticLog(40, 4);
  let forest = frozen(fold([]));
  for (const entry of log) {
    const next = applyEntries(forest, [entry]);
    expect([entry.event.type, isSameButReplyTexts(forest, next)]).toEqual([
      entry.event.type,
      entry.event.type === 'reply-received',
    ]);
    forest = next;
  }
});

test('a stored value is read when first needed and written when it changes', () => {
  const texts = new Map([['size', '3']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => texts.get(key) ?? null, setItem: texts.set.bind(texts) });
  const size = createStored(
    'size',
    (text) => ({ value: Number(text) }),
    ({ value }) => `${value}`,
  );
  expect(size.get()).toEqual({ value: 3 });
  size.set({ value: 4 });
  expect([size.get().value, texts.get('size')]).toEqual([4, '4']);
});

test('a stored value is the one that another tab has stored last', () => {
  const texts = new Map([['voice', '{"dictation":"remote","voice":null}']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => texts.get(key) ?? null, setItem: texts.set.bind(texts) });
  const voice = createStored('voice', (text) => JSON.parse(text ?? '{}'));
  expect(voice.get()).toBe(voice.get());
  texts.set('voice', '{"dictation":"off","voice":null}');
  voice.set({ ...voice.get(), voice: 'Ada' });
  expect(texts.get('voice')).toBe('{"dictation":"off","voice":"Ada"}');
});

test('where nothing can be stored, a value lasts for this visit', () => {
  const refuse = () => {
    throw new Error('storage is blocked');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const on = createStored('on', (text) => text === 'true');
  expect(on.get()).toBe(false);
  on.set(true);
  expect(on.get()).toBe(true);
});

/** Entries of a file system, as a browser gives them for what was dropped. */
const fileEntry = (path: string) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const file = new File([path], name);
  return { isFile: true, name, fullPath: `/${path}`, file: (resolve: (file: File) => void) => resolve(file) };
};
type Reject = (error: Error) => void;
const unreadable = (_: unknown, reject: Reject) => reject(new DOMException('No.', 'NotReadableError'));
const folderEntry = (path: string, portions: readonly object[][]) => ({
  isFile: false,
  fullPath: `/${path}`,
  createReader: () => {
    const left = [...portions, []];
    return { readEntries: (resolve: (entries: object[]) => void) => resolve(left.shift() ?? []) };
  },
});
const unreadableFolder = (path: string) => ({
  isFile: false,
  fullPath: `/${path}`,
  createReader: () => ({ readEntries: unreadable }),
});
const dropOf = (...entries: object[]) => {
  const listed = entries.map((_, at) => new File([], `listed ${at}`));
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { items, files: listed } as unknown as DataTransfer;
};

test('dropped folders are gone through, in as many portions as they come, and files know their paths', async () => {
  const inner = folderEntry('export/a', [[fileEntry('export/a/content')], [fileEntry('export/a/more')]]);
  const outer = folderEntry('export', [[inner, fileEntry('export/c.json')]]);
  const found = await droppedFiles(dropOf(outer, fileEntry('d.json')));
  expect(found.map(pathOf)).toEqual(['export/a/content', 'export/a/more', 'export/c.json', 'd.json']);
  expect(await found[0]?.text()).toBe('export/a/content');
  const listed = { items: [{}], files: [new File([], 'e.json')] } as unknown as DataTransfer;
  expect((await droppedFiles(listed)).map(pathOf)).toEqual(['e.json']);
});

test('of dropped folders, what cannot be read is named, what systems hide there is left out, and the rest is found', async () => {
  const gone = { ...fileEntry('export/gone.json'), file: unreadable };
  const hidden = [fileEntry('export/.DS_Store'), fileEntry('export/Thumbs.db')];
  const inside = [gone, ...hidden, unreadableFolder('export/locked'), fileEntry('export/c.json')];
  const drop = () => dropOf(folderEntry('export', [inside]), fileEntry('.chat.json'));
  await expect(droppedFiles(drop())).rejects.toThrow('No.');
  const found = await filesFound(droppedItems(drop()));
  expect(found.files.map(pathOf)).toEqual(['export/c.json', '.chat.json']);
  expect(found.unreadable.toSorted()).toEqual(['export/gone.json', 'export/locked']);
});

test('dropped files without a folder are there at once, as the browser lists them', async () => {
  const given = droppedItems(dropOf(fileEntry('d.json'), fileEntry('e.json')));
  expect(given).toEqual([expect.any(File), expect.any(File)]);
  expect((await filesFound(given)).files.map(pathOf)).toEqual(['listed 0', 'listed 1']);
});
