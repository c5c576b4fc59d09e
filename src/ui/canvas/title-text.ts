import type { Forest, TreeId } from '../../domain/forest.ts';
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

interface Asked {
  readonly title: string;
  readonly turns: number;
  readonly said: string | undefined;
  readonly active: boolean;
  readonly room: number;
  readonly withNote: boolean;
  readonly font: string;
}

/** Between title and note, in pixels of the screen. */
export const NOTE_GAP = 8;
/** A title is cut rather than its note left out while at least this much of it is left, in pixels. */
const WORTH_READING = 72;

const sameAs = (a: Asked, b: Asked): boolean =>
  a.title === b.title &&
  a.turns === b.turns &&
  a.said === b.said &&
  a.active === b.active &&
  a.room === b.room &&
  a.withNote === b.withNote &&
  a.font === b.font;

/** Cuts titles by a measure of text, and keeps the answer for every topic: they are asked for in every frame. */
export const createTitleTexts = (measure: (text: string) => number) => {
  const known = new Map<TreeId, { asked: Asked; made: TitleText }>();

  const titleText = (
    forest: Forest,
    { treeId, tree }: PlacedTree,
    room: number,
    withNote: boolean,
    font: string,
    /** Of the topic's turns, those folded away. */
    folded = 0,
    /** In place of how many turns there are. */
    said?: string,
  ): TitleText => {
    const asked: Asked = {
      title: forest.trees[treeId]?.title ?? '',
      turns: tree.ids.length + folded,
      said,
      active: forest.active?.treeId === treeId,
      room: Math.round(room),
      withNote,
      font,
    };
    const before = known.get(treeId);
    if (before !== undefined && sameAs(before.asked, asked)) return before.made;
    const made = cut(asked, measure);
    known.set(treeId, { asked, made });
    return made;
  };
  return { titleText, forget: () => known.clear() };
};

const cut = ({ title, turns, said, active, room, withNote }: Asked, measure: (text: string) => number): TitleText => {
  const words = said ?? (active ? 'active' : turns === 1 ? '1 turn' : `${turns.toLocaleString()} turns`);
  const noteRoom = withNote ? room - measure(words) - NOTE_GAP : 0;
  const note = withNote && noteRoom >= Math.min(measure(title), WORTH_READING) ? words : '';
  const text = fitText(title, note === '' ? room : noteRoom, measure);
  return { text, textWidth: measure(text), note, noteWidth: note === '' ? 0 : measure(note) + NOTE_GAP };
};
