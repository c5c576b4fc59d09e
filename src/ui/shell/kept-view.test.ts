import { afterEach, expect, test, vi } from 'vitest';
import { initialState } from '../../app/state.ts';
import { storeChanges } from './kept-view.ts';

afterEach(() => vi.unstubAllGlobals());

test('what is changed in one tab leaves alone what another one has stored about the page', () => {
  const texts = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => texts.get(key) ?? null, setItem: texts.set.bind(texts) });
  const kept = () => JSON.parse(texts.get('coppice-view') ?? '{}');
  const { reading, listStays, closedFolders, toured, widths } = initialState({} as never, 'memory').session;
  const opened = { reading, listStays, closedFolders, toured, widths };
  storeChanges(opened, { ...opened });
  expect(texts.size).toBe(0);

  const other = { ...opened, reading: 'everything', listStays: 'open', toured: true } as const;
  storeChanges(opened, other);
  storeChanges(opened, { ...opened, widths: { chat: 400 } });
  expect(kept()).toEqual({ reading: 'everything', listStays: 'open', toured: true, widths: { chat: 400 } });
  storeChanges(opened, { ...opened, widths: { inspector: 300 }, closedFolders: ['Home'] });
  storeChanges(opened, { ...opened, closedFolders: ['Work'] });
  storeChanges({ ...opened, closedFolders: ['Home'] }, { ...opened, closedFolders: [] });
  expect(kept()).toMatchObject({ widths: { chat: 400, inspector: 300 }, closedFolders: ['Work'] });
  storeChanges(other, { ...other, reading: 'path' });
  expect(kept()).toMatchObject({ reading: 'path', listStays: 'open', widths: { chat: 400 } });
});
