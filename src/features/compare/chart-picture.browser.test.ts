import { beforeAll, expect, test } from 'vitest';
import type { Series } from '../../ui/parts/charts/scale.ts';
import { colourReader, pngOf, readInks } from '../../ui/parts/picture.ts';
import { chartSvg, heightOf, WIDTH } from './export-menu.tsx';

beforeAll(async () => {
  await import('../../ui/theme.css');
});

const drawing = () => {
  const { read, done } = colourReader();
  const series: Series[] = [
    { key: 'full-history', name: 'full-history', values: [10, 20, 40], colour: read('var(--topic-2)'), dash: '6 3' },
    { key: 'memtree', name: 'memtree', values: [10, null, 15], colour: read('var(--topic-3)') },
  ];
  const inks = readInks(read);
  done();
  const title = 'Ships & <harbours> "today" \u0007\u{1F6A2}: tokens sent for each turn';
  const svg = chartSvg({ title, about: '3 turns', numbers: [1, 2, 3], series, notes: ['mean 23', 'mean 12'], inks });
  return { svg, series, inks };
};

test('the drawing is XML that shows the chart with nothing from outside', () => {
  const { svg, series } = drawing();
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(parsed.querySelector('parsererror')).toBeNull();
  const root = parsed.documentElement;
  expect(root.localName).toBe('svg');
  expect(root.getAttribute('width')).toBe(String(WIDTH));
  const words = [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(words[0]).toBe('Ships & <harbours> "today" \u{1F6A2}: tokens sent for each turn');
  expect(words).toEqual(expect.arrayContaining(['memtree mean 12', 'full-history mean 23', '1', '3']));
  const strokes = [...parsed.querySelectorAll('path')].map((path) => path.getAttribute('stroke'));
  for (const { colour } of series) {
    expect(colour).toMatch(/^#[0-9a-f]{6}$/);
    // The line, and its sample in the legend.
    expect(strokes.filter((stroke) => stroke === colour)).toHaveLength(2);
  }
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|url\(|var\(|oklch/);
});

test('the picture is twice as fine as the drawing, and the ground is the theme’s', async () => {
  const { svg, inks } = drawing();
  const height = heightOf(2);
  const picture = await createImageBitmap(await pngOf(svg, WIDTH, height));
  expect([picture.width, picture.height]).toEqual([WIDTH * 2, height * 2]);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext('2d');
  pen?.drawImage(picture, 0, 0);
  const corner = [...(pen?.getImageData(2, 2, 1, 1).data ?? [])];
  const hex = `#${corner
    .slice(0, 3)
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
  expect(hex).toBe(inks.ground);
  expect(corner[3]).toBe(255);
});

test('a drawing that is none is refused in words', async () => {
  await expect(pngOf('<svg', 10, 10)).rejects.toThrow();
});
