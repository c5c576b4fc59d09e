import { expect, test } from 'vitest';
import { type ConversationMeta, type Filing, filedAs } from '../../engine/storage.ts';
import { conversationListRows, dateGroups, type ListRow, noMatch, tagsFrom, withoutTags } from './rows.ts';

const now = new Date(2026, 10, 23, 14, 30).getTime();
const meta = (title: string, at: Date, filing: Partial<Filing> = {}): ConversationMeta =>
  filedAs({ id: title, title, turns: 1, createdAt: 0, updatedAt: at.getTime(), deletedAt: null }, filing);

const shown = (row: ListRow): string =>
  row.kind === 'folder'
    ? `${row.folder} (${row.size})${row.open ? '' : ' closed'}`
    : `${row.heading === null ? '' : `${row.heading}: `}${row.inFolder ? '  ' : ''}${row.meta.title}`;

const all = [
  meta('breakfast', new Date(2026, 10, 23, 0, 5)),
  meta('late', new Date(2026, 10, 22, 23, 59)),
  meta('tax form', new Date(2026, 10, 22, 9), { folder: 'Office', tags: ['money'] }),
  meta('rules', new Date(2026, 10, 20, 9), { pinned: true, folder: 'Office' }),
  meta('seeds', new Date(2026, 10, 18), { folder: 'garden', tags: ['spring', 'money'] }),
  meta('old', new Date(2026, 10, 10), { archived: true, tags: ['spring'] }),
  meta('march', new Date(2026, 2, 4)),
];
const list = (change: Partial<Parameters<typeof conversationListRows>[1]> = {}) =>
  conversationListRows(all, { filter: '', archive: false, closed: [], now, ...change });

test('what is pinned comes first, then folders by name, then the days of the calendar', () => {
  expect(list({ closed: ['Office'] }).rows.map(shown)).toEqual([
    'Pinned: rules',
    'garden (1)',
    '  seeds',
    'Office (1) closed',
    'Today: breakfast',
    'Yesterday: late',
    'March 2026: march',
  ]);
  expect(list()).toMatchObject({ folders: ['garden', 'Office'], tags: ['money', 'spring'], archived: 1 });
});

test('the archive is apart; words find titles, folders and tags, and open closed folders', () => {
  expect(list({ archive: true }).rows.map(shown)).toEqual(['Last 30 days: old']);
  expect(list({ filter: 'OFFICE', closed: ['Office'] }).rows.map(shown)).toEqual([
    'Pinned: rules',
    'Office (1)',
    '  tax form',
  ]);
  expect(list({ filter: '#mon see' }).rows.map(shown)).toEqual(['garden (1)', '  seeds']);
  expect(list({ filter: '#garden' }).rows).toEqual([]);
});

test('a tag means that tag, and only the beginning of others if there is none of that name', () => {
  const tagged = (tag: string) => meta(tag, new Date(2026, 2, 4), { tags: [tag] });
  const find = (filter: string) =>
    conversationListRows(['Art', 'articles', 'Café'].map(tagged), { filter, archive: false, closed: [], now })
      .rows.map(shown)
      .map((row) => row.replace('March 2026: ', ''));
  expect(find('#Art')).toEqual(['Art']);
  expect(find('#art')).toEqual(['Art']);
  expect(find('#arti')).toEqual(['articles']);
  expect(find('#ar')).toEqual(['Art', 'articles']);
  expect(find('art')).toEqual(['Art', 'articles']);
  expect(find('#café')).toEqual(['Café']);
});

test('what is searched for in messages is the filter without its tags', () => {
  expect(withoutTags(' #work  plan #5 “for C#” ', ['Work'])).toBe('plan #5 “for C#”');
  expect(withoutTags('#work', ['Work'])).toBe('');
  expect(withoutTags(' ', [])).toBe('');
});

test('a filter that finds nothing leads to the search of messages only if it has words for it', () => {
  const words = (filter: string, elsewhere = 0) =>
    noMatch(elsewhere, { archive: false, inMessages: withoutTags(filter, ['work', 'garden']) });
  expect(words('#work #garden')).toBe('No conversation has all these tags.');
  expect(words('#work plan')).toBe('No conversation has that title. Try searching the messages.');
  expect(words('#work #garden', 1)).toBe('Nothing here matches, but 1 conversation in the archive does.');
});

test('there is a way to the archive if it has anything, and always one back', () => {
  const unarchived = all.filter(({ title }) => title !== 'old');
  const switches = (metas: readonly ConversationMeta[], archive: boolean) =>
    conversationListRows(metas, { filter: '', archive, closed: [], now }).switches;
  expect([switches(all, false), switches(unarchived, false), switches(unarchived, true)]).toEqual([true, false, true]);
});

test('yesterday is yesterday whatever the hour, and tags are read from what people type', () => {
  expect(dateGroups(now)(new Date(2026, 10, 17).getTime())).toBe('Last 7 days');
  expect(dateGroups(now)(new Date(2026, 10, 16).getTime())).toBe('Last 30 days');
  expect(tagsFrom(' #work, Work; big  plan #x ,, ')).toEqual(['work', 'big-plan', 'x']);
});

test('what a filter finds only in the archive, or only in the list, is counted', () => {
  const found = (change: Parameters<typeof list>[0]) => {
    const { rows, elsewhere } = list(change);
    return [rows.map(shown), elsewhere];
  };
  expect(found({ filter: 'old' })).toEqual([[], 1]);
  expect(found({ filter: '#money', archive: true })).toEqual([[], 2]);
  expect(found({ filter: 'nowhere' })).toEqual([[], 0]);
});
