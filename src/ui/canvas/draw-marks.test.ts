import { expect, test } from 'vitest';
import { drawSelection } from './draw-marks.ts';
import { boxOf, cardOf } from './layout.ts';
import type { Palette, Pen } from './palette.ts';
import { bareScene } from './scene.ts';
import { smallForest } from './testing/small-forest.ts';

test('of many selected cards only those in view get a ring', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `${at}`);
  const forest = smallForest(Object.fromEntries(ids.map((id, at) => [id, ids[at - 1] ?? null])));
  const scene = { ...bareScene(forest), selection: new Set(ids) };
  let rings = 0;
  const pen = { beginPath: () => undefined, roundRect: () => undefined, stroke: () => void rings++ };
  const card = cardOf(scene.layout, forest.nodes['20']);
  if (card === null) throw new Error('turn 20 has no card');
  drawSelection(pen as unknown as Pen, scene, boxOf(card), 1, {} as Palette);
  expect(rings).toBe(1);
});
