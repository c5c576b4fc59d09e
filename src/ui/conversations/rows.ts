import { filterWords, folded } from '../../app/search-words.ts';
import { type ConversationMeta, filingOf } from '../../engine/storage.ts';
import { counted } from '../parts/format.ts';

/** A row of the list. The first of a group carries its heading; a folder has its own row, to open and close it. */
export type ListRow =
  | { readonly kind: 'folder'; readonly folder: string; readonly size: number; readonly open: boolean }
  | {
      readonly kind: 'conversation';
      readonly meta: ConversationMeta;
      readonly heading: string | null;
      readonly inFolder: boolean;
    };

interface ConversationRows {
  readonly rows: readonly ListRow[];
  /** All folders, and all tags (most used first), including those of the archive. */
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly archived: number;
  /** How many the filter finds in the archive while the list is shown, or the other way round. */
  readonly elsewhere: number;
  /** Whether to offer a switch between the list and the archive: an archive that is shown can be left, even if empty. */
  readonly switches: boolean;
}

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** `Today`, `Yesterday`, `Last 7 days`, `Last 30 days`, `March 2026`, in local time. Built once per list, because date formatting is slow. */
export const dateGroups = (now: number): ((at: number) => string) => {
  const [today, yesterday, week, thirty] = [daysAgo(now, 0), daysAgo(now, 1), daysAgo(now, 6), daysAgo(now, 29)];
  const months = new Map<number, string>();
  return (at) => {
    if (at >= today) return 'Today';
    if (at >= yesterday) return 'Yesterday';
    if (at >= week) return 'Last 7 days';
    if (at >= thirty) return 'Last 30 days';
    const date = new Date(at);
    const key = date.getFullYear() * 12 + date.getMonth();
    const name = months.get(key) ?? month.format(at);
    months.set(key, name);
    return name;
  };
};

/** The start of the local calendar day that many days ago. */
const daysAgo = (now: number, ago: number): number => {
  const day = new Date(now);
  day.setDate(day.getDate() - ago);
  return day.setHours(0, 0, 0, 0);
};

const taggedIn = (meta: ConversationMeta): string[] => filingOf(meta).tags.map((tag) => `#${folded(tag)}`);

/**
 * Every word must occur in the title, the folder or a tag. `#word` is a tag, or if there is none of that name, the beginning
 * of one.
 */
const finds = (filter: string, conversations: readonly ConversationMeta[]): ((meta: ConversationMeta) => boolean) => {
  const words = filterWords(filter).filter((word) => word !== '#');
  const whole = words.some(isTag) ? new Set(conversations.flatMap(taggedIn)) : new Set();
  return (meta) => {
    const tagged = taggedIn(meta);
    const text = [folded(meta.title), folded(filingOf(meta).folder ?? ''), ...tagged].join('\n');
    return words.every((word) => {
      if (!isTag(word)) return text.includes(word);
      return tagged.some((tag) => (whole.has(word) ? tag === word : tag.startsWith(word)));
    });
  };
};

const isTag = (word: string): boolean => word.startsWith('#');

/** A filter without the tags in it: what can occur in a message. */
export const withoutTags = (filter: string, tags: readonly string[]): string => {
  const tagged = new Set(tags.map((tag) => `#${folded(tag)}`));
  const words = filter.trim().split(/\s+/);
  return words.filter((word) => !tagged.has(folded(word))).join(' ');
};

/** Says that a filter finds nothing. `elsewhere`: how many it finds in the archive, or in the list; `inMessages`: the filter without tags. */
export const noMatch = (
  elsewhere: number,
  { archive, inMessages }: { readonly archive: boolean; readonly inMessages: string },
): string => {
  if (elsewhere > 0)
    return `Nothing here matches, but ${counted(elsewhere, 'conversation')} in the ${archive ? 'list' : 'archive'} ${elsewhere === 1 ? 'does' : 'do'}.`;
  return inMessages === ''
    ? 'No conversation has all these tags.'
    : 'No conversation has that title. Try searching the messages.';
};

/**
 * The list as shown: pinned conversations, then folders by name, then the rest by date. Within each, the given order is
 * kept, most recently used first. While a filter is set, all folders are open.
 */
export const conversationListRows = (
  conversations: readonly ConversationMeta[],
  {
    filter,
    archive,
    closed,
    now,
  }: { readonly filter: string; readonly archive: boolean; readonly closed: readonly string[]; readonly now: number },
): ConversationRows => {
  const folders = new Map<string, ConversationMeta[]>();
  const tagUses = new Map<string, number>();
  const pinned: ConversationMeta[] = [];
  const loose: ConversationMeta[] = [];
  const matches = finds(filter, conversations);
  const allFolders = new Set<string>();
  let [archived, elsewhere] = [0, 0];
  for (const meta of conversations) {
    const filing = filingOf(meta);
    for (const tag of filing.tags) tagUses.set(tag, (tagUses.get(tag) ?? 0) + 1);
    if (filing.folder !== null) allFolders.add(filing.folder);
    if (filing.archived) archived += 1;
    if (!matches(meta)) continue;
    if (filing.archived !== archive) elsewhere += 1;
    else if (filing.pinned) pinned.push(meta);
    else if (filing.folder === null) loose.push(meta);
    else {
      const within = folders.get(filing.folder) ?? [];
      within.push(meta);
      folders.set(filing.folder, within);
    }
  }
  const row = (meta: ConversationMeta, heading: string | null, inFolder = false): ListRow => ({
    kind: 'conversation',
    meta,
    heading,
    inFolder,
  });
  const rows: ListRow[] = pinned.map((meta, at) => row(meta, at === 0 ? 'Pinned' : null));
  for (const folder of [...folders.keys()].sort(byName.compare)) {
    const within = folders.get(folder) ?? [];
    const open = filter.trim() !== '' || !closed.includes(folder);
    rows.push({ kind: 'folder', folder, size: within.length, open });
    if (open) rows.push(...within.map((meta) => row(meta, null, true)));
  }
  let last: string | null = null;
  const groupOf = dateGroups(now);
  for (const meta of loose) {
    const group = groupOf(meta.updatedAt);
    rows.push(row(meta, group === last ? null : group));
    last = group;
  }
  return {
    rows,
    folders: [...allFolders].sort(byName.compare),
    tags: [...tagUses].sort((a, b) => b[1] - a[1] || byName.compare(a[0], b[0])).map(([tag]) => tag),
    archived,
    elsewhere,
    switches: archive || archived > 0,
  };
};

/** Parses `garden, Seeds #spring` into tags: no `#`, no empty ones, no duplicates. */
export const tagsFrom = (text: string): string[] => {
  const tags = new Map<string, string>();
  for (const part of text.split(/[,;#\n]/)) {
    const tag = part.trim().replace(/\s+/g, '-');
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()];
};
