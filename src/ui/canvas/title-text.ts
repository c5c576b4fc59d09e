import type { Forest } from '../../domain/forest.ts';
import { fitText } from './fit-text.ts';
import type { PlacedTree } from './forest-layout.ts';

/** A topic's title as it is written, cut to the room there is. */
export interface TitleText {
  readonly text: string;
  readonly textWidth: number;
  /** "active" or how many turns; empty where there is no room for it. */
  readonly note: string;
  readonly noteWidth: number;
}

/** Between title and note, in pixels of the screen. */
export const NOTE_GAP = 8;
/** A title is cut rather than its note left out while at least this much of it is left, in pixels. */
const WORTH_READING = 72;
const MOST_KEPT = 5000;

/** Cuts and measures titles in the pen's own font, and keeps what it measured. */
export const createTitleTexts = (pen: CanvasRenderingContext2D) => {
  const known = new Map<string, TitleText>();
  const width = (text: string) => pen.measureText(text).width;

  const titleText = (forest: Forest, { treeId, tree }: PlacedTree, room: number, withNote: boolean): TitleText => {
    const title = forest.trees[treeId]?.title ?? '';
    const turns = tree.ids.length;
    const active = forest.active?.treeId === treeId;
    const words = active ? 'active' : turns === 1 ? '1 turn' : `${turns.toLocaleString()} turns`;
    const key = `${title}\n${words}\n${Math.round(room)} ${withNote}\n${pen.font}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const whole = width(title);
    const noteRoom = room - width(words) - NOTE_GAP;
    const note = withNote && noteRoom >= Math.min(whole, WORTH_READING) ? words : '';
    const text = fitText(title, note === '' ? room : noteRoom, width);
    const made = { text, textWidth: width(text), note, noteWidth: note === '' ? 0 : width(note) + NOTE_GAP };
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, made);
    return made;
  };
  return { titleText, forget: () => known.clear() };
};
