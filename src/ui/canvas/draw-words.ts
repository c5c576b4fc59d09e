import type { Forest, NodeId, TreeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { beginning } from '../../domain/queries.ts';
import { counted, firstCharacters } from '../parts/format.ts';
import { cardsIn, treesIn } from './find-cards.ts';
import { CARD, OVERVIEW_ZOOM, type Rect, TOPIC_GAP, type View, visibleRect } from './geometry.ts';
import type { ForestLayout, PlacedTree } from './layout.ts';
import { inksOf, type Palette, type Pen } from './palette.ts';
import type { Scene } from './scene.ts';

/** Line height, relative to the font size. */
const LINE = 1.3;

/** Where words are drawn, in screen pixels. */
export interface WordsBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Font size. */
  readonly size: number;
  /** Indent of the first line. */
  readonly indent: number;
}

/** Draws as many full lines as fit, at least one, in the pen's current font; the last is truncated. */
export const drawWords = (pen: Pen, words: string, { x, y, width, height, size, indent }: WordsBox): void => {
  const lines = Math.max(1, Math.floor((height + 0.3 * size) / (size * LINE)));
  let rest = beginning(words.replace(/\s+/g, ' '), 160);
  const rightToLeft = isRightToLeft(rest);
  for (let line = 0; line < lines && rest !== ''; line++) {
    const left = line === 0 ? indent : 0;
    const room = width - left;
    const fit = line === lines - 1 ? fitText : firstWords;
    const text = fit(rest, room, (part) => pen.measureText(part).width);
    drawLine(pen, text, x + left, y + line * size * LINE, rightToLeft);
    rest = rest.slice(text.length).trimStart();
  }
};

const RIGHT_TO_LEFT =
  /^\P{L}*(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs from right to left, by its first letter, as for `dir="auto"`. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Draws a line from its left edge, whichever way it runs. */
const drawLine = (pen: Pen, text: string, x: number, y: number, rightToLeft: boolean): void => {
  if (!rightToLeft) return pen.fillText(text, x, y);
  pen.save();
  pen.direction = 'rtl';
  pen.textAlign = 'left';
  pen.fillText(text, x, y);
  pen.restore();
};

/** Minimum and maximum font size of the words on a card, in screen pixels. */
export const SMALLEST_TEXT = 9.5;
export const LARGEST_TEXT = 14;

/** A turn's number and message on its card, which is at `box` on screen. */
export const drawTurnWords = (
  pen: Pen,
  { forest, standings }: Scene,
  id: NodeId,
  { x, y, width, height }: Rect,
  zoom: number,
  palette: Palette,
  ink: string,
): void => {
  const node = forest.nodes[id];
  if (node === undefined) return;
  const size = clamp(13 * zoom, SMALLEST_TEXT, LARGEST_TEXT);
  const pad = Math.max(3, 9 * zoom);
  const near = zoom >= OVERVIEW_ZOOM;
  pen.textBaseline = 'top';
  pen.font = `600 ${size}px ${palette.font}`;
  // On a solid block only the number is drawn; on a card, the words too. Blocks on the path have their full colour.
  pen.fillStyle = near ? ink : standings.path.has(id) ? palette.ground : palette.ink;
  const number = String(node.number);
  if (!near) return pen.fillText(number, x + pad, y + (height - size) / 2);
  pen.fillText(number, x + pad, y + pad);
  pen.font = `400 ${size}px ${palette.font}`;
  pen.fillStyle = palette.ink;
  const indent = pen.measureText(`${number}  `).width + 3;
  drawWords(pen, firstCharacters(node.message, MOST_LETTERS), {
    x: x + pad,
    y: y + pad,
    width: width - 2 * pad,
    height: height - 2 * pad,
    size,
    indent,
  });
};

/** As many whole words as fit, or as many letters of the first one; `measure` returns a text's width. */
export const firstWords = (text: string, width: number, measure: (text: string) => number): string => {
  if (measure(text) <= width) return text;
  let end = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
    if (measure(text.slice(0, at)) > width) break;
    end = at;
  }
  if (end > 0) return text.slice(0, end);
  for (const letter of text) {
    if (measure(text.slice(0, end + letter.length)) > width) break;
    end += letter.length;
  }
  return text.slice(0, end);
};

/** A card shows at most this many characters of a message. */
const MOST_LETTERS = 200;

const DOT_RADIUS = 4;
const DOT_ROOM = 16;
/** Maximum width of a title in the overview, dot included; it shrinks for its neighbour's title down to the minimum. */
const FAR_ROOM = 200;
const NARROWEST = 68;
/** Height of the strip along the top edge where titles stay after their roots have scrolled out. */
export const STRIP_HEIGHT = 36;
const PILL = { height: 26, padding: 9, top: 6.5 };

/** Draws the topics' titles with one pen. */
export const createTitleDrawer = (pen: Pen) => {
  const texts = createTitleTexts((text) => pen.measureText(text).width);
  let bold = '';
  let light = '';
  let gaps: { layout: ForestLayout; of: ReadonlyMap<TreeId, number> } | null = null;
  let choice: { layout: ForestLayout; activeId: TreeId | null; step: number; lines: TitleLines } | null = null;

  const setFont = (size: number, { font }: Palette) => {
    bold = `600 ${size}px ${font}`;
    light = `400 ${size}px ${font}`;
    pen.font = bold;
    pen.textBaseline = 'middle';
  };

  const titleText = (
    { forest, foldedIn, headings }: Scene,
    placed: PlacedTree,
    room: number,
    withNote: boolean,
  ): TitleText => {
    const { treeId } = placed;
    return texts.titleText(forest, placed, room, withNote, bold, foldedIn.get(treeId), headings?.get(treeId)?.note);
  };

  const isActive = ({ forest }: Scene, { treeId }: PlacedTree): boolean => forest.active?.treeId === treeId;

  /** The width available to a title in the overview; `toEdge` is what the pane leaves. All in screen pixels. */
  const farRoom = (
    scene: Scene,
    placed: PlacedTree,
    zoom: number,
    line: TitleLine,
    toEdge = Number.POSITIVE_INFINITY,
  ): number => {
    const next = line === 0 ? nextTitles(scene.layout).get(placed.treeId) : undefined;
    const toNext = (next ?? Number.POSITIVE_INFINITY) * zoom - APART.x;
    const padding = isActive(scene, placed) ? PILL.padding : 0;
    return Math.max(NARROWEST, Math.min(FAR_ROOM, toEdge, toNext - padding)) - DOT_ROOM;
  };

  /** A title's width in the overview, or an upper bound: truncating it takes repeated measuring. */
  const farWidth = (scene: Scene, placed: PlacedTree, zoom: number, line: TitleLine): number => {
    const room = farRoom(scene, placed, zoom, line);
    // Hardly any title is shorter, so it need not be measured.
    if (room === NARROWEST - DOT_ROOM) return room;
    if (!isActive(scene, placed)) return Math.min(room, texts.width(scene.forest, placed, bold));
    const { textWidth, noteWidth } = titleText(scene, placed, room, true);
    return textWidth + noteWidth;
  };

  /** The distance from each topic's title to the next one in its row. */
  const nextTitles = (layout: ForestLayout): ReadonlyMap<TreeId, number> => {
    if (gaps?.layout !== layout) gaps = { layout, of: gapsBetweenTitles(layout) };
    return gaps.of;
  };

  /** Which titles fit, and where. Recomputed only when the zoom has changed by a step. */
  const chosen = (scene: Scene, zoom: number): TitleLines => {
    const { forest, layout } = scene;
    const activeId = forest.active?.treeId ?? null;
    const step = Math.floor(Math.log2(zoom) * 4);
    if (choice?.layout !== layout || choice.activeId !== activeId || choice.step !== step) {
      const at = 2 ** (step / 4);
      const widthOf = (placed: PlacedTree, line: TitleLine) => DOT_ROOM + farWidth(scene, placed, at, line);
      choice = { layout, activeId, step, lines: chooseTitles(layout, activeId, at, widthOf) };
    }
    return choice.lines;
  };

  const write = (
    { text, note, textWidth }: TitleText,
    x: number,
    y: number,
    /** Colour of the dot before it; null for none. */
    ink: string | null,
    palette: Palette,
    haloed: boolean,
  ) => {
    const indent = ink === null ? 0 : DOT_ROOM;
    if (haloed) {
      pen.globalAlpha = 0.85;
      pen.fillStyle = palette.ground;
      pen.fillRect(x - 3, y - 9, indent + textWidth + 6, 18);
      pen.globalAlpha = 1;
    }
    if (ink !== null) {
      pen.beginPath();
      pen.arc(x + DOT_RADIUS, y, DOT_RADIUS, 0, 2 * Math.PI);
      pen.fillStyle = ink;
      pen.fill();
    }
    pen.fillStyle = palette.ink;
    drawLine(pen, text, x + indent, y, isRightToLeft(text));
    if (note === '') return;
    pen.font = light;
    pen.fillStyle = palette.quiet;
    pen.fillText(note, x + indent + textWidth + NOTE_GAP, y);
    pen.font = bold;
  };

  const pill = (x: number, y: number, width: number, edge: string, { panel }: Palette) => {
    pen.beginPath();
    pen.roundRect(x, y, width, PILL.height, 8);
    pen.fillStyle = panel;
    pen.fill();
    pen.strokeStyle = edge;
    pen.lineWidth = 1;
    pen.stroke();
  };

  /** A line from a raised title down to its topic. */
  const stem = (x: number, from: number, to: number, ink: string): void => {
    pen.beginPath();
    pen.moveTo(x, from);
    pen.lineTo(x, to);
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    pen.stroke();
  };

  /** Titles above their roots, in screen pixels. In the overview the active one stands out. */
  const drawTitles = (scene: Scene, view: View, palette: Palette): void => {
    const { zoom } = view;
    const far = zoom < OVERVIEW_ZOOM;
    setFont(far ? 12 : Math.max(12, 13 * zoom), palette);
    if (far) return drawFarTitles(scene, view, palette);
    for (const placed of treesIn(scene.layout, visibleRect(view))) {
      const title = titleText(scene, placed, roomAboveRoot(placed) * zoom - DOT_ROOM, true);
      const { full } = inksOf(palette, placed.order);
      write(
        title,
        titleLeft(placed) * zoom + view.x,
        titleTop(placed, view),
        dotOf(scene, placed, full),
        palette,
        false,
      );
    }
  };

  const drawFarTitles = (scene: Scene, view: View, palette: Palette): void => {
    const { layout } = scene;
    const shown = chosen(scene, view.zoom);
    const drawn: { readonly from: number; readonly to: number; readonly y: number }[] = [];
    const inSight = treesIn(layout, visibleRect(view, FAR_ROOM)).filter(({ treeId }) => shown.has(treeId));
    for (const placed of inSight.sort((a, b) => Number(isActive(scene, b)) - Number(isActive(scene, a)))) {
      const root = titleLeft(placed) * view.zoom + view.x;
      const line = shown.get(placed.treeId) ?? 0;
      const own = titleTop(placed, view);
      const y = own - line * HIGHER;
      const active = isActive(scene, placed);
      // At the edge of the pane a title is truncated further, then moved inwards as far as there is nothing in the way.
      const within = root >= 0 && root < view.width;
      const toEdge = within ? view.width - root - PILL.padding : Number.POSITIVE_INFINITY;
      const title = titleText(scene, placed, farRoom(scene, placed, view.zoom, line, toEdge), active);
      const width = DOT_ROOM + title.textWidth + title.noteWidth;
      const x = within ? clamp(root, PILL.padding, view.width - width - PILL.padding) : root;
      const overlaps = drawn.some((one) => one.from < x + width && x < one.to && Math.abs(one.y - y) < APART.y);
      if (overlaps || (line > 0 && y < APART.y / 2)) continue;
      drawn.push({ from: x, to: x + width, y });
      const { full } = inksOf(palette, placed.order);
      if (active) pill(x - PILL.padding, y - PILL.height / 2 - 2, width + 2 * PILL.padding, full, palette);
      if (line > 0) stem(x + DOT_RADIUS, y, own + DOT_RADIUS, full);
      write(title, x, active ? y - 2 : y, dotOf(scene, placed, full), palette, !active);
    }
  };

  return { setFont, titleText, write, pill, drawTitles, forget: texts.forget };
};

const dotOf = ({ headings }: Scene, { treeId }: PlacedTree, ink: string): string | null =>
  headings?.get(treeId)?.plain === true ? null : ink;

/** Draws, along the top edge, the titles of topics whose roots have scrolled out there. */
export const createStripDrawer = (pen: Pen) => {
  const { setFont, titleText, write, pill, forget } = createTitleDrawer(pen);

  const drawStrip = (scene: Scene, view: View, palette: Palette): void => {
    pen.clearRect(0, 0, view.width, STRIP_HEIGHT);
    if (view.zoom < OVERVIEW_ZOOM) return;
    setFont(12, palette);
    let free = 8;
    const edge = { ...visibleRect(view), height: STRIP_HEIGHT / view.zoom };
    for (const placed of treesIn(scene.layout, edge)) {
      const left = leftmostIn(placed, edge);
      if (left === null || placed.y * view.zoom + view.y > 0) continue;
      const title = titleText(scene, placed, 220, true);
      const width = DOT_ROOM + title.textWidth + title.noteWidth + 2 * PILL.padding;
      const x = Math.max(free, left * view.zoom + view.x);
      if (x + width > view.width - 8) break;
      pill(x, PILL.top, width, palette.line, palette);
      write(
        title,
        x + PILL.padding,
        PILL.top + PILL.height / 2 + 0.5,
        dotOf(scene, placed, inksOf(palette, placed.order).full),
        palette,
        false,
      );
      free = x + width + 6;
    }
  };
  return { drawStrip, forget };
};

/** The leftmost x of a tree within a rectangle; null if none of its cards or lines are in it. */
const leftmostIn = (placed: PlacedTree, rect: Rect): number | null => {
  let left: number | null = null;
  for (const index of cardsIn(placed, rect)) {
    const x = placed.x + (placed.tree.xs[index] as number);
    if (x + CARD.width >= rect.x) left = Math.min(left ?? x, x);
  }
  return left;
};

export const titleLeft = ({ x, tree }: PlacedTree): number => x + (tree.xs[0] as number);

/** The vertical centre of a title's line, in screen pixels. */
const titleTop = ({ y }: PlacedTree, view: View): number => y * view.zoom + view.y - Math.max(11, 15 * view.zoom);

/** The distance from each topic's title to the next one in its row, if there is one. */
export const gapsBetweenTitles = ({ trees }: ForestLayout): ReadonlyMap<TreeId, number> => {
  const gaps = new Map<TreeId, number>();
  const inOrder = trees.toSorted((a, b) => a.y - b.y || titleLeft(a) - titleLeft(b));
  for (const [i, placed] of inOrder.entries()) {
    const next = inOrder[i + 1];
    if (next !== undefined && next.y === placed.y) gaps.set(placed.treeId, titleLeft(next) - titleLeft(placed));
  }
  return gaps;
};

const roomAboveRoot = ({ tree }: PlacedTree): number =>
  Math.max(CARD.width, tree.width - (tree.xs[0] as number)) + TOPIC_GAP / 2;

/** Minimum distance between two titles, in screen pixels. */
const APART = { x: 12, y: 20 };
/** How much higher a title goes that does not fit next to its neighbours: clear of the active one's pill. */
const HIGHER = 25;
/** Width of the grid cells for looking up neighbours; titles are narrower. */
const CELL = 240;
/** More rows than any forest has. */
const ROWS = 2 ** 24;

/** 0: right above the topic; 1: one line higher, if the neighbours leave no room and no tree is there. */
type TitleLine = 0 | 1;
type TitleLines = ReadonlyMap<TreeId, TitleLine>;

/**
 * The topics whose titles are shown at a zoom without overlap: the active one first, then the larger ones. Independent
 * of the scroll position, so titles do not flicker while panning. `widthOf` returns a title's width in screen pixels,
 * at most CELL.
 */
export const chooseTitles = (
  layout: ForestLayout,
  activeId: TreeId | null,
  zoom: number,
  widthOf: (tree: PlacedTree, line: TitleLine) => number,
): TitleLines => {
  const chosen = new Map<TreeId, TitleLine>();
  const taken = new Map<number, { from: number; to: number; y: number }[]>();
  const bySize = layout.trees.toSorted((a, b) => b.tree.ids.length - a.tree.ids.length);
  const first = bySize.findIndex(({ treeId }) => treeId === activeId);
  if (first > 0) bySize.unshift(...bySize.splice(first, 1));
  const take = (placed: PlacedTree, line: TitleLine): boolean => {
    const from = titleLeft(placed) * zoom;
    const y = placed.y * zoom - line * HIGHER;
    const column = Math.floor(from / CELL);
    const row = Math.floor(y / APART.y);
    const isFree = (to: number): boolean => {
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          for (const one of taken.get((column + dx) * ROWS + row + dy) ?? []) {
            if (one.from < to && from < one.to && Math.abs(one.y - y) < APART.y) return false;
          }
        }
      }
      return true;
    };
    // Most do not fit, however short they are, so their titles need not be measured.
    if (!isFree(from + DOT_ROOM)) return false;
    const width = widthOf(placed, line);
    const to = from + width + APART.x;
    if (!isFree(to)) return false;
    if (line > 0 && treesIn(layout, higher(placed, width, zoom)).length > 0) return false;
    chosen.set(placed.treeId, line);
    const cell = column * ROWS + row;
    const others = taken.get(cell);
    if (others === undefined) taken.set(cell, [{ from, to, y }]);
    else others.push({ from, to, y });
    return true;
  };
  const crowded = bySize.filter((placed) => !take(placed, 0));
  for (const placed of crowded) take(placed, 1);
  return chosen;
};

/** Where a raised title would be. */
const higher = (placed: PlacedTree, width: number, zoom: number): Rect => {
  const middle = placed.y - (Math.max(11, 15 * zoom) + HIGHER) / zoom;
  return { x: titleLeft(placed), y: middle - APART.y / 2 / zoom, width: width / zoom, height: APART.y / zoom };
};

/** A topic's title as drawn, truncated to the available width. */
interface TitleText {
  readonly text: string;
  readonly textWidth: number;
  /** "active" or the number of turns; empty if it does not fit. */
  readonly note: string;
  readonly noteWidth: number;
}

interface TitleRequest {
  readonly title: string;
  readonly turns: number;
  /** Replaces the number of turns. */
  readonly ownNote: string | undefined;
  readonly active: boolean;
  readonly room: number;
  readonly withNote: boolean;
  readonly font: string;
}

/** Gap between title and note, in screen pixels. */
const NOTE_GAP = 8;
/** A title is truncated rather than its note dropped while at least this much of it is left, in pixels. */
const WORTH_READING = 72;

const sameAs = (a: TitleRequest, b: TitleRequest): boolean =>
  a.title === b.title &&
  a.turns === b.turns &&
  a.ownNote === b.ownNote &&
  a.active === b.active &&
  a.room === b.room &&
  a.withNote === b.withNote &&
  a.font === b.font;

/** Cached results per topic: one for drawing, and one because the active topic is measured differently while titles are chosen. */
const KEPT = 2;

/** Truncates titles using a text measure, and caches the results for every topic. */
export const createTitleTexts = (measure: (text: string) => number) => {
  const known = new Map<TreeId, { readonly request: TitleRequest; readonly made: TitleText }[]>();
  const widths = new Map<TreeId, { readonly title: string; readonly font: string; readonly width: number }>();

  /** Width of a full title, without a note. */
  const width = (forest: Forest, { treeId }: PlacedTree, font: string): number => {
    const title = forest.trees[treeId]?.title ?? '';
    const before = widths.get(treeId);
    if (before?.title === title && before.font === font) return before.width;
    const width = measure(title);
    widths.set(treeId, { title, font, width });
    return width;
  };

  const titleText = (
    forest: Forest,
    { treeId, tree }: PlacedTree,
    room: number,
    withNote: boolean,
    font: string,
    /** How many of the topic's turns are folded away. */
    folded = 0,
    /** Replaces the number of turns. */
    ownNote?: string,
  ): TitleText => {
    const request: TitleRequest = {
      title: forest.trees[treeId]?.title ?? '',
      turns: tree.ids.length + folded,
      ownNote,
      active: forest.active?.treeId === treeId,
      room: Math.round(room),
      withNote,
      font,
    };
    const before = known.get(treeId) ?? [];
    const same = before.find((one) => sameAs(one.request, request));
    if (same !== undefined) return same.made;
    const made = cut(request, measure);
    known.set(treeId, [{ request, made }, ...before.slice(0, KEPT - 1)]);
    return made;
  };
  const forget = (): void => {
    known.clear();
    widths.clear();
  };
  return { titleText, width, forget };
};

const cut = (
  { title, turns, ownNote, active, room, withNote }: TitleRequest,
  measure: (text: string) => number,
): TitleText => {
  const width = measure(title);
  const words = withNote ? (ownNote ?? (active ? 'active' : counted(turns, 'turn'))) : '';
  const noteWidth = withNote ? measure(words) + NOTE_GAP : 0;
  // The number of turns is visible anyway; any other note is not.
  const noted = withNote && room - noteWidth >= (ownNote === undefined ? width : Math.min(width, WORTH_READING));
  const left = noted ? room - noteWidth : room;
  const text = width <= left ? title : fitText(title, left, measure);
  return {
    text,
    textWidth: text === title ? width : measure(text),
    note: noted ? words : '',
    noteWidth: noted ? noteWidth : 0,
  };
};

/** Truncates a text with an ellipsis to the widest that fits; `measure` returns a text's width. */
export const fitText = (text: string, width: number, measure: (text: string) => number): string => {
  if (measure(text) <= width) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${beginning(text, middle).trimEnd()}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : `${beginning(text, fits).trimEnd()}…`;
};
