import { afterEach, expect, test, vi } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { createStored, isSameButReplyTexts, withFocusedRow } from './hooks.ts';

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
