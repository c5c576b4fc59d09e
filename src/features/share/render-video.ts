import { applyEntries } from '../../domain/apply.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import { emptyForest, type Forest, type NodeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { nodeOf } from '../../domain/queries.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { drawTurnWords, drawWords, fitText } from '../../ui/canvas/draw-words.ts';
import { cardsTouching } from '../../ui/canvas/find-cards.ts';
import {
  centre,
  fitZoom,
  openingView,
  type Rect,
  type Size,
  toScreen,
  type Viewport,
  visibleRect,
} from '../../ui/canvas/geometry.ts';
import { boxOf, cardNodeId, cardOf, type ForestLayout } from '../../ui/canvas/layout.ts';
import { createPainter } from '../../ui/canvas/painter.ts';
import { inksOf, type Palette, readPalette } from '../../ui/canvas/palette.ts';
import { bareScene, type Scene } from '../../ui/canvas/scene.ts';
import { whyOf, whyWords } from '../../ui/chat/placement-words.ts';
import { counted } from '../../ui/parts/format.ts';
import { filmStrip as turnsInOrder } from '../../ui/timeline/film-strip.ts';
import type { SharedConversation } from './shared-link.ts';

/** Size of the picture in drawing pixels, and the number of film pixels to each: 1920 × 1080. */
const PICTURE: Size = { width: 960, height: 540 };
const RATIO = 2;
/** Height of the caption about a turn. */
const CAPTION = 80;
const PANE: Size = { width: PICTURE.width, height: PICTURE.height - CAPTION };

/** In seconds. */
const OPENING = 1.6;
const ENDING = 2.4;
const LONGEST = 60;
const TURN = { most: 1.6, least: 0.3 };
/** The most turns that a film has time to show one by one. */
const ONE_BY_ONE = Math.floor(LONGEST / TURN.least);
/** Maximum share of a turn's time spent on movement. */
const MOVES = 0.6;
const FRAMES_A_SECOND = 30;

/** Margin around a forest shown as a whole, and the zoom from which it is readable. */
const MARGIN = 24;
const READABLE = 0.42;

const NOTHING: ReadonlySet<string> = new Set();

/** The timing of a film's turns and its length, in seconds. */
export const timesOf = (turns: number) => {
  const each = clamp(LONGEST / Math.max(1, turns), TURN.least, TURN.most);
  // A long conversation grows by several turns per step. `each` is no use here: a rounding error would double the step.
  const step = Math.max(1, Math.ceil(turns / ONE_BY_ONE));
  const moments = Math.ceil(turns / step);
  return { each, step, moments, length: OPENING + moments * each + ENDING };
};

/** The forest growing turn by turn, drawn as on the canvas; each frame must be drawn before the next is requested. */
function* framesOf({ title, entries, forest }: SharedConversation, palette: Palette): Generator<FilmFrame> {
  const [layer, strip] = [document.createElement('canvas'), document.createElement('canvas')];
  const painter = createPainter(layer, strip, null, RATIO);
  const turns = turnsInOrder({ forest, entries, handled: null });
  const { each, step, moments } = timesOf(turns.length);
  let whole = emptyForest();
  let done = 0;
  let at = OPENING;
  let before: { readonly layout: ForestLayout; readonly view: Viewport } | null = null;

  yield { at: 0, lasts: OPENING, draw: (pen) => drawOpening(pen, title, forest, palette) };
  for (let moment = 1; moment <= moments; moment++) {
    const turn = turns[Math.min(moment * step, turns.length) - 1];
    if (turn === undefined) return;
    // The end shows the current conversation, including all later changes.
    const count = moment === moments ? entries.length : turn.count;
    whole = applyEntries(whole, entries.slice(done, count));
    done = Math.max(done, count);
    const grown = withoutGone(whole, forest);
    if (grown.nodes[turn.nodeId] === undefined) continue;
    const scene = bareScene(grown);
    const active = cardOf(scene.layout, grown.nodes[turn.nodeId]);
    const view = viewOf(scene.layout, active === null ? null : boxOf(active));
    const from = before;
    const isNew = (id: NodeId): boolean => from !== null && cardOf(from.layout, grown.nodes[id]) === null;
    const ways = waysInto(scene, from?.layout ?? null);
    const moves = Math.max(1, Math.round(Math.min(MOVES, each / 2) * FRAMES_A_SECOND));
    for (let frame = 1; frame <= moves; frame++) {
      const rest = (1 - frame / moves) ** 3;
      const lasts = frame < moves ? 1 / FRAMES_A_SECOND : each - (moves - 1) / FRAMES_A_SECOND;
      const seen = between(from?.view ?? view, view, 1 - rest);
      const draw = (pen: CanvasRenderingContext2D): void => {
        painter.paint(scene, { ...seen, ...PANE }, NOTHING, palette, { offsetOf: (id) => scaled(ways.get(id), rest) });
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.drawImage(layer, 0, 0);
        pen.setTransform(RATIO, 0, 0, RATIO, 0, 0);
        drawCardWords(pen, scene, seen, ways, isNew, rest, palette);
        pen.drawImage(strip, 0, 0, strip.width / RATIO, strip.height / RATIO);
        drawCaption(pen, grown, turn.nodeId, moment / moments, palette);
      };
      yield { at, lasts, draw };
      at += lasts;
      if (moment < moments || frame < moves) continue;
      // A file derives the duration of its last picture from the one after it.
      const last = 1 / FRAMES_A_SECOND;
      yield { at, lasts: ENDING - last, draw };
      yield { at: at + ENDING - last, lasts: last, draw };
    }
    before = { layout: scene.layout, view };
  }
}

/** A moment without the turns that are gone in the end, whose words are too. */
export const withoutGone = (moment: Forest, end: Forest): Forest => {
  const nodeIds = recordsOf(moment.nodes).flatMap(({ id }) => (end.nodes[id] === undefined ? [id] : []));
  if (nodeIds.length === 0) return moment;
  return applyEntries(moment, [
    { v: LOG_VERSION, seq: 1, at: 0, step: null, event: { type: 'turns-purged', nodeIds } },
  ]);
};

/** Centres the whole forest or, if it would be unreadably small, the current turn. */
const viewOf = (whole: Size, active: Rect | null): Viewport => {
  const zoom = fitZoom(whole, PANE, MARGIN);
  return zoom < READABLE ? openingView(whole, active, PANE) : centre({ x: 0, y: 0, ...whole }, PANE, zoom);
};

interface Way {
  readonly x: number;
  readonly y: number;
}

/** The path of each card to its place: a new card emerges from its parent's. */
const waysInto = ({ forest, layout }: Scene, before: ForestLayout | null): ReadonlyMap<NodeId, Way> => {
  const ways = new Map<NodeId, Way>();
  for (const placed of layout.trees) {
    for (const [index, id] of placed.tree.ids.entries()) {
      const own = boxOf({ placed, index });
      const node = nodeOf(forest, id);
      const old = before === null ? null : cardOf(before, node);
      const parent = placed.tree.parents[index] ?? -1;
      const from = old !== null ? boxOf(old) : parent === -1 ? own : boxOf({ placed, index: parent });
      if (from.x !== own.x || from.y !== own.y) ways.set(id, { x: from.x - own.x, y: from.y - own.y });
    }
  }
  return ways;
};

const scaled = (way: Way | undefined, rest: number): Way | undefined => way && { x: way.x * rest, y: way.y * rest };

const between = (from: Viewport, to: Viewport, share: number): Viewport => {
  const mixed = (a: number, b: number): number => a + (b - a) * share;
  return { x: mixed(from.x, to.x), y: mixed(from.y, to.y), zoom: mixed(from.zoom, to.zoom) };
};

const drawCardWords = (
  pen: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  ways: ReadonlyMap<NodeId, Way>,
  isNew: (id: NodeId) => boolean,
  rest: number,
  palette: Palette,
): void => {
  for (const card of cardsTouching(scene.layout, visibleRect({ ...view, ...PANE }, 200))) {
    const id = cardNodeId(card);
    const box = boxOf(card);
    const away = scaled(ways.get(id), rest) ?? { x: 0, y: 0 };
    const shown = toScreen(view, { ...box, x: box.x + away.x, y: box.y + away.y });
    // A card emerging from another leaves that one's text readable until it is out.
    pen.globalAlpha = isNew(id) ? 1 - rest : 1;
    drawTurnWords(pen, scene, id, shown, view.zoom, palette, inksOf(palette, card.placed.order).full);
  }
  pen.globalAlpha = 1;
};

const clear = (pen: CanvasRenderingContext2D, palette: Palette): void => {
  pen.setTransform(RATIO, 0, 0, RATIO, 0, 0);
  pen.fillStyle = palette.ground;
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height);
};

const drawOpening = (pen: CanvasRenderingContext2D, title: string, forest: Forest, palette: Palette): void => {
  clear(pen, palette);
  const { width, height } = PICTURE;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.font = `640 36px ${palette.font}`;
  pen.fillText(
    fitText(title, width - 160, (part) => pen.measureText(part).width),
    width / 2,
    height / 2 - 18,
  );
  pen.fillStyle = palette.quiet;
  pen.font = `400 18px ${palette.font}`;
  const [turns, topics] = [sizeOf(forest.nodes), sizeOf(forest.trees)];
  pen.fillText(`${counted(turns, 'turn')} · ${counted(topics, 'topic')}`, width / 2, height / 2 + 28);
  pen.textAlign = 'start';
};

/** Below the forest: what was said, and where it went. */
const drawCaption = (
  pen: CanvasRenderingContext2D,
  forest: Forest,
  id: NodeId,
  share: number,
  palette: Palette,
): void => {
  const node = nodeOf(forest, id);
  const [top, left] = [PANE.height, 32];
  pen.fillStyle = palette.panel;
  pen.fillRect(0, top, PICTURE.width, CAPTION);
  pen.fillStyle = palette.line;
  pen.fillRect(0, top, PICTURE.width, 1);
  const ink = inksOf(palette, forest.trees[node.treeId]?.order ?? 0).full;
  pen.fillStyle = ink;
  pen.fillRect(0, PICTURE.height - 3, PICTURE.width * share, 3);
  pen.beginPath();
  pen.arc(left + 5, top + 22, 5, 0, 2 * Math.PI);
  pen.fill();
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.quiet;
  pen.font = `500 14px ${palette.font}`;
  const why = `Turn ${node.number} · ${whyWords(whyOf(forest, node))}`;
  const room = PICTURE.width - 2 * left;
  pen.fillText(
    fitText(why, room - 18, (part) => pen.measureText(part).width),
    left + 18,
    top + 22,
  );
  pen.textBaseline = 'top';
  pen.fillStyle = palette.ink;
  pen.font = `600 18px ${palette.font}`;
  drawWords(pen, node.message, { x: left, y: top + 38, width: room, height: 24, size: 18, indent: 0 });
};

/**
 * A film of the growing forest. Rejects with the signal's reason, or with a readable error if the browser cannot write
 * films. `onProgress` receives the completed share.
 */
export const renderVideo = async (
  conversation: SharedConversation,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<VideoFile> => {
  const { length } = timesOf(sizeOf(conversation.forest.nodes));
  const size = { width: PICTURE.width * RATIO, height: PICTURE.height * RATIO };
  const onFrame = (at: number) => onProgress(Math.min(1, at / length));
  return writeFilm(size, framesOf(conversation, readPalette(document.body)), onFrame, signal);
};

/** One picture of a film; `at` and `lasts` are in seconds. */
interface FilmFrame {
  readonly at: number;
  readonly lasts: number;
  draw(pen: CanvasRenderingContext2D): void;
}

interface VideoFile {
  readonly file: Blob;
  /** File extension, including the dot. */
  readonly ending: string;
}

/**
 * Encodes frames as a film of the given size, in pixels. Rejects with the signal's reason, or with a readable error if the
 * browser cannot write films.
 */
const writeFilm = async (
  { width, height }: { readonly width: number; readonly height: number },
  frames: Iterable<FilmFrame>,
  onTime: (at: number) => void,
  signal: AbortSignal,
): Promise<VideoFile> => {
  const {
    BufferTarget,
    CanvasSource,
    getFirstEncodableVideoCodec,
    Mp4OutputFormat,
    Output,
    QUALITY_MEDIUM,
    WebMOutputFormat,
  } = await import('mediabunny');
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d', { alpha: false });
  const webm = await getFirstEncodableVideoCodec(['vp9', 'vp8', 'av1'], { width, height });
  const codec = webm ?? (await getFirstEncodableVideoCodec(['avc'], { width, height }));
  if (codec === null || pen === null)
    throw new Error('this browser can’t create videos. Use a recent version of Chrome, Edge, Firefox or Safari');
  const format = webm === null ? new Mp4OutputFormat() : new WebMOutputFormat();
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new CanvasSource(canvas, { codec, quality: QUALITY_MEDIUM });
  output.addVideoTrack(source);
  await output.start();
  try {
    for (const { at, lasts, draw } of frames) {
      signal.throwIfAborted();
      draw(pen);
      await source.add(at, lasts);
      onTime(at);
      // Yields, so that the page can draw and the user can cancel.
      await new Promise((resolve) => setTimeout(resolve));
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  const file = new Blob([target.buffer ?? new ArrayBuffer(0)], { type: format.mimeType });
  return { file, ending: format.fileExtension };
};
