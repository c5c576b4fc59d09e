import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = 'src';

/** The production sources, as paths from the repository's root. */
const sources = (): string[] =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|(?:^|\/)testing\//.test(path))
    .map((path) => join(ROOT, path));

/** A room of the house: a folder of a layer, with all that is in it; a file that lies in its layer itself is one of its own. */
const roomOf = (path: string): string => path.split('/').slice(0, 3).join('/');

/** The files a source imports, also those it loads later and those it only needs types of. */
const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) =>
    normalize(join(dirname(path), to as string)),
  );

/** Finds a circle in a graph: the rooms along it, or null. */
const circleIn = (graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | null => {
  const done = new Set<string>();
  const from = (room: string, path: readonly string[]): string[] | null => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return null;
    for (const next of graph.get(room) ?? []) {
      const circle = from(next, [...path, room]);
      if (circle !== null) return circle;
    }
    done.add(room);
    return null;
  };
  for (const room of graph.keys()) {
    const circle = from(room, []);
    if (circle !== null) return circle;
  }
  return null;
};

// Biome finds circles between files.
test('imports between folders run in no circle, also those of types', () => {
  const graph = new Map<string, Set<string>>();
  const paths = sources();
  const known = new Set(paths);
  for (const path of paths) {
    const room = roomOf(path);
    const others = importsOf(path).filter((to) => known.has(to) && roomOf(to) !== room);
    graph.set(room, new Set([...(graph.get(room) ?? []), ...others.map(roomOf)]));
  }
  expect(paths.length).toBeGreaterThan(100);
  expect(circleIn(graph)).toBeNull();
});

test('a circle is found', () => {
  const circle = circleIn(
    new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c', 'd'])],
      ['d', new Set(['b'])],
    ]),
  );
  expect(circle).toEqual(['b', 'd', 'b']);
});
