import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Colouring } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { createPixelBrush, drawOverview } from './draw-overview.ts';
import { CARD } from './geometry.ts';
import { boxOf, cardOf } from './layout.ts';
import type { CardInks, Palette, Pixel } from './palette.ts';
import { bareScene, COLOURS, coloursOf, type Scene, standingsOf } from './scene.ts';
import { smallForest } from './testing/small-forest.ts';

const GROUND = 0;
const INK = 1;
const LINE = 2;
const full = (colour: number) => 100 + colour;
const soft = (colour: number) => 200 + colour;
const palette = {
  inkPixel: INK,
  linePixel: LINE,
  inks: COLOURS.map((_, at) => ({ fullPixel: full(at), softPixel: soft(at) }) as CardInks),
} as unknown as Palette;

beforeEach(() => {
  vi.stubGlobal(
    'ImageData',
    class {
      readonly data: Uint8ClampedArray;
      constructor(data: Uint8ClampedArray) {
        this.data = data;
      }
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

/** A chain of turns, and a turn of another topic; the last turn is active. */
const chain = (turns: number, ...others: string[]): Forest =>
  smallForest({
    ...Object.fromEntries(Array.from({ length: turns }, (_, at) => [`${at + 1}`, at === 0 ? null : `${at}`])),
    ...Object.fromEntries(others.map((id) => [id, null])),
  });

const sceneOf = (forest: Forest, by: Colouring): Scene => ({
  ...bareScene(forest),
  colours: coloursOf(forest, standingsOf(forest), by),
});

/** Draws all of a forest; returns the pixel in the middle of a turn's card, or so many screen pixels beside it. */
const drawn = (scene: Scene, zoom: number) => {
  const { layout, forest } = scene;
  const [width, height] = [Math.ceil(layout.width * zoom), Math.ceil(layout.height * zoom)];
  const brush = createPixelBrush();
  brush.begin(width, height, zoom, 0, 0, GROUND);
  drawOverview(brush, scene, { x: 0, y: 0, width: layout.width, height: layout.height }, zoom, palette);
  const pixels = new Uint32Array(brush.image().data.buffer);
  return (id: string, beside = 0): Pixel | undefined => {
    const card = cardOf(layout, forest.nodes[id]);
    if (card === null) throw new Error(`turn ${id} has no card`);
    const { x, y } = boxOf(card);
    const column = Math.floor((x + CARD.width / 2) * zoom + beside);
    return pixels[Math.floor((y + CARD.height / 2) * zoom) * width + column];
  };
};

test('coloured by something else than topics, cards on the active path keep their colours, with a line of ink along them', () => {
  const scene = sceneOf(chain(25), 'age');
  const colourOf = (id: string) => scene.colours.of(id, 0);
  expect(new Set(['1', '8', '13', '18', '25'].map(colourOf)).size).toBe(5);
  const at = drawn(scene, 0.2);
  for (const id of ['1', '8', '13', '18', '25']) {
    expect(at(id, -10)).toBe(full(colourOf(id)));
    expect(at(id)).toBe(INK);
  }
  // As narrow as a trunk, in the overview and in the minimap.
  for (const zoom of [0.08, 0.03]) {
    const far = drawn(scene, zoom);
    const sides = (id: string) => [far(id, -1.4), far(id, 1.4)];
    for (const id of ['1', '13', '25']) {
      expect(far(id)).toBe(INK);
      expect(sides(id)).toContain(full(colourOf(id)));
    }
  }
});

test('by topic, the path is in the colour of its topic', () => {
  const at = drawn(sceneOf(chain(3), 'topic'), 0.2);
  expect([at('1'), at('1', -10), at('3')]).toEqual([full(0), full(0), full(0)]);
});

test('a straight run off the path has the colours of all its turns from afar, not of its first', () => {
  const scene = sceneOf(chain(50, 'x'), 'age');
  const at = drawn(scene, 0.05);
  for (const id of ['1', '20', '50']) expect(at(id)).toBe(soft(scene.colours.of(id, 0)));
  expect(at('1')).not.toBe(at('50'));
});

test('turns of a run that are hidden are all that fades', () => {
  const forest = chain(50, 'x');
  const hidden = (...ids: string[]): Forest => ({
    ...forest,
    hiddenCount: ids.length,
    nodes: {
      ...forest.nodes,
      ...Object.fromEntries(ids.map((id) => [id, { ...(forest.nodes[id] as Node), hidden: true }])),
    },
  });
  const root = drawn(sceneOf(hidden('1'), 'topic'), 0.05);
  expect([root('1'), root('5'), root('50')]).toEqual([LINE, soft(0), soft(0)]);
  const tail = drawn(sceneOf(hidden('46', '47', '48', '49', '50'), 'topic'), 0.05);
  expect([tail('1'), tail('40'), tail('50')]).toEqual([soft(0), soft(0), LINE]);
});

test('of a long run seen from afar, or partly, few colours are looked up and few joints are drawn', () => {
  const forest = chain(5_000, 'x');
  const scene = sceneOf(forest, 'age');
  const { layout } = scene;
  const work = (from: Forest['active'], zoom: number, height: number) => {
    const of = vi.fn(scene.colours.of);
    const brush = createPixelBrush();
    const rect = vi.fn(brush.rect);
    brush.begin(1, 1, zoom, 0, 0, GROUND);
    const seen = { x: 0, y: layout.height / 2, width: layout.width, height };
    drawOverview(
      { ...brush, rect },
      { ...scene, forest: { ...forest, active: from }, colours: { ...scene.colours, of } },
      seen,
      zoom,
      palette,
    );
    return { lookUps: of.mock.calls.length, rects: rect.mock.calls.length };
  };
  const active = { treeId: '1', branchId: 'b-1', nodeId: '5000' };
  for (const from of [null, active]) {
    expect(work(from, 0.001, layout.height).lookUps).toBeLessThan(1_500);
    expect(work(from, 0.08, 2_000).lookUps).toBeLessThan(100);
  }
  // 2,500 turns are seen, and drawn twice.
  expect(work(active, 0.001, layout.height).rects).toBeLessThan(8_000);
});
