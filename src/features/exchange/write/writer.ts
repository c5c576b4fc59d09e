import type { Entry } from '../../../domain/entry.ts';
import type { Forest } from '../../../domain/forest.ts';
import type { PictureInks } from '../../../ui/parts/picture.ts';

/** A conversation as passed to a writer. */
export interface WrittenConversation {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
  /** Its attached files, as data URLs by id, for formats that hold them; omitted for others. */
  readonly files?: ReadonlyMap<string, string>;
}

/** The part of a conversation to write: everything, or only the active path. */
export type Scope = 'forest' | 'path';

export interface WriteOptions {
  readonly scope: Scope;
  /** Theme colours, for pictures. */
  readonly inks: PictureInks;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a conversation may contain but a format may not support, in the order of display. */
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
export type ConversationPart = (typeof ALL_PARTS)[number];

/** Writes conversations in one format. A new format needs a file with a writer and a line in `writers.ts`. */
export interface Writer {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Who reads it and how it is made, in a sentence or two. */
  readonly about: string;
  readonly group: (typeof WRITER_GROUPS)[number];
  /** File extension, including the dot. */
  readonly ending: string;
  /** Its media type. */
  readonly type: string;
  /** What `write` yields: lines, elements of a JSON list, or chunks of one text. */
  readonly form: 'lines' | 'list' | 'text';
  /** Whether one file can contain several conversations. */
  readonly several: boolean;
  /** Whether it can be limited to the active path. */
  readonly path: boolean;
  /** The parts that it keeps; the user is told that all others are not in the file. */
  readonly holds: readonly ConversationPart[];
  /** Yields chunks, so that the page stays responsive in between. */
  write(conversation: WrittenConversation, options: WriteOptions): Iterable<string>;
  /** Produces the final file if it is not text: a picture's pixels, or an archive with the attached `files`. */
  finish?(text: string, files: ReadonlyMap<string, string>): Promise<Blob>;
}

/** In the order of the list. */
export const WRITER_GROUPS = ['Coppice', 'Chat tools', 'Threads', 'Training', 'Reading', 'Pictures'] as const;
