import type { Entry } from '../../../domain/entry.ts';
import type { Forest } from '../../../domain/forest.ts';
import type { PictureInks } from '../../../ui/parts/picture.ts';

/** A conversation as it is given to a writer. */
export interface WrittenConversation {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
  /** Files that came with its messages, as data URLs by id, for a format that holds them; left out for others. */
  readonly files?: ReadonlyMap<string, string>;
}

/** How much of a conversation: everything, or the active path alone. */
export type Scope = 'forest' | 'path';

export interface WriteOptions {
  readonly scope: Scope;
  /** Of the theme, for pictures. */
  readonly inks: PictureInks;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a conversation may have that a format may have no place for, in the order in which the person is told. */
export const ALL_PARTS = [
  'texts',
  'single',
  'replies',
  'choices',
  'unanswered',
  'quotes',
  'wordless',
  'files',
  'documents',
  'hiddenTurns',
  'pending',
  'reasoning',
  'topics',
  'titles',
  'branchTitles',
  'active',
  'models',
  'times',
  'instructions',
  'sampling',
  'notes',
  'hidden',
  'pins',
  'references',
  'story',
  'summaries',
  'decisions',
  'labels',
  'contexts',
  'history',
] as const;
export type Part = (typeof ALL_PARTS)[number];

/** Writes conversations in one format. Adding a format is a file with one of these and a line in `writers.ts`. */
export interface Writer {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** Who reads it, and how it is made, in a sentence or two. */
  readonly about: string;
  readonly group: (typeof WRITER_GROUPS)[number];
  /** Of the file's name, with its dot. */
  readonly ending: string;
  /** Its media type. */
  readonly type: string;
  /** What `write` yields: lines, elements of a JSON list, or pieces of one text. */
  readonly form: 'lines' | 'list' | 'text';
  /** Several conversations can stand in one file. */
  readonly several: boolean;
  /** It can be of the active path alone. */
  readonly path: boolean;
  /** What it keeps; of all else the person is told that it is not in the file. */
  readonly holds: readonly Part[];
  /** In pieces, so that the page can breathe between them. */
  write(conversation: WrittenConversation, options: WriteOptions): Iterable<string>;
  /** What the file is in the end where that is no text: a picture's pixels, or an archive with the files of messages, as in `files`. */
  finish?(text: string, files: ReadonlyMap<string, string>): Promise<Blob>;
}

/** In the order of the list. */
export const WRITER_GROUPS = ['Coppice', 'Chat tools', 'Threads', 'Training', 'Reading', 'Pictures'] as const;
