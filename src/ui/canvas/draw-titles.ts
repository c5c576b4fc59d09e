import type { TreeId } from '../../domain/forest.ts';
import { cardsIn, treesIn } from './find-cards.ts';
import type { ForestLayout, PlacedTree } from './forest-layout.ts';
import { CARD, OVERVIEW_ZOOM, type Rect, TOPIC_GAP } from './measures.ts';
import { inksOf, type Palette } from './palette.ts';
import type { Scene } from './scene.ts';
import { chooseTitles } from './title-choice.ts';
import { createTitleTexts, NOTE_GAP, type TitleText } from './title-text.ts';
import { seenBy, type View } from './view.ts';

type Pen = CanvasRenderingContext2D;

const DOT_RADIUS = 4;
const DOT_ROOM = 16;
/** A title in the overview is at most this wide, its dot included. */
const FAR_ROOM = 200;
/** A pane less wide than this has little room beside a title. */
const NARROW = 480;
/** Height of the strip along the upper edge where titles stay when their roots have left it. */
export const STRIP_HEIGHT = 36;
const PILL = { height: 26, padding: 9, top: 6.5 };

/** Writes the topics' titles with one pen. */
export const createTitleDrawer = (pen: Pen) => {
  const texts = createTitleTexts((text) => pen.measureText(text).width);
  let bold = '';
  let light = '';
  let choice: { layout: ForestLayout; activeId: TreeId | null; step: number; ids: ReadonlySet<TreeId> } | null = null;

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

  const farText = (scene: Scene, placed: PlacedTree): TitleText =>
    titleText(scene, placed, FAR_ROOM - DOT_ROOM, scene.forest.active?.treeId === placed.treeId);

  /** Which titles there is room for. Chosen anew only when the zoom has changed by a step. */
  const chosen = (scene: Scene, zoom: number): ReadonlySet<TreeId> => {
    const { forest, layout } = scene;
    const activeId = forest.active?.treeId ?? null;
    const step = Math.floor(Math.log2(zoom) * 4);
    if (choice?.layout !== layout || choice.activeId !== activeId || choice.step !== step) {
      const widthOf = (placed: PlacedTree) => {
        const { textWidth, noteWidth } = farText(scene, placed);
        return DOT_ROOM + textWidth + noteWidth;
      };
      choice = { layout, activeId, step, ids: chooseTitles(layout, activeId, 2 ** (step / 4), widthOf) };
    }
    return choice.ids;
  };

  const write = (
    { text, note, textWidth }: TitleText,
    x: number,
    y: number,
    /** Of the dot before it; null for none. */
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
    pen.fillText(text, x + indent, y);
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

  /** Titles above their roots, in pixels of the screen. In the overview the active one stands out. */
  const drawTitles = (scene: Scene, view: View, palette: Palette): void => {
    const { forest, layout } = scene;
    const { zoom } = view;
    const far = zoom < OVERVIEW_ZOOM;
    setFont(far ? 12 : Math.max(12, 13 * zoom), palette);
    const shown = far ? chosen(scene, zoom) : null;
    for (const placed of treesIn(layout, seenBy(view, far ? FAR_ROOM : 0))) {
      if (shown?.has(placed.treeId) === false) continue;
      const title = far
        ? farText(scene, placed)
        : titleText(scene, placed, roomAboveRoot(placed) * zoom - DOT_ROOM, true);
      const root = (placed.x + (placed.tree.xs[0] as number)) * zoom + view.x;
      const wide = DOT_ROOM + title.textWidth + title.noteWidth + PILL.padding;
      // A narrow pane would cut it off.
      const x =
        far && view.width < NARROW && root >= 0 ? Math.max(PILL.padding, Math.min(root, view.width - wide)) : root;
      const y = placed.y * zoom + view.y - Math.max(11, 15 * zoom);
      const { full } = inksOf(palette, placed.order);
      const active = far && forest.active?.treeId === placed.treeId;
      if (active) {
        const width = DOT_ROOM + title.textWidth + title.noteWidth + 2 * PILL.padding;
        pill(x - PILL.padding, y - PILL.height / 2 - 2, width, full, palette);
      }
      write(title, x, active ? y - 2 : y, dotOf(scene, placed, full), palette, far && !active);
    }
  };

  return { setFont, titleText, write, pill, drawTitles, forget: texts.forget };
};

const dotOf = ({ headings }: Scene, { treeId }: PlacedTree, ink: string): string | null =>
  headings?.get(treeId)?.plain === true ? null : ink;

/** Writes, along the upper edge, the titles of the topics whose roots have left the view there. */
export const createStripDrawer = (pen: Pen) => {
  const { setFont, titleText, write, pill, forget } = createTitleDrawer(pen);

  const drawStrip = (scene: Scene, view: View, palette: Palette): void => {
    pen.clearRect(0, 0, view.width, STRIP_HEIGHT);
    if (view.zoom < OVERVIEW_ZOOM) return;
    setFont(12, palette);
    let free = 8;
    const edge = { ...seenBy(view), height: STRIP_HEIGHT / view.zoom };
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

/** Where a tree begins within a rectangle; null if none of its cards or lines is there. */
const leftmostIn = (placed: PlacedTree, rect: Rect): number | null => {
  let left: number | null = null;
  for (const index of cardsIn(placed, rect)) {
    const x = placed.x + (placed.tree.xs[index] as number);
    if (x + CARD.width >= rect.x) left = Math.min(left ?? x, x);
  }
  return left;
};

const roomAboveRoot = ({ tree }: PlacedTree): number =>
  Math.max(CARD.width, tree.width - (tree.xs[0] as number)) + TOPIC_GAP / 2;
