import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { expect, test } from 'vitest';

/** The production sources, as paths from the repository's root. */
const sources = (): string[] =>
  ['src', 'measure'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|(?:^|\/)testing\//.test(path))
      .map((path) => join(root, path)),
  );

/** A room of the house: a folder of a layer, with all that is in it; a file that lies in its layer itself is one of its own. */
const roomOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('src/') ? 3 : 2)
    .join('/');

/** The folder that a file lies in, without those in it; a file that lies in its layer itself is one of its own. */
const folderOf = (path: string): string => (roomOf(path) === path ? path : dirname(path));

/** Files that put together what lies in a folder beside them, which in turn leans on other files beside them. */
const PUTS_TOGETHER: Readonly<Record<string, string>> = {
  'src/engine/context/policies/policies.ts': 'the table of policies, `focused/` among them',
  'src/features/exchange/read/readers.ts': 'the table of readers',
  'src/features/exchange/read/read-files.ts': 'asks for the one format that is plain text, before the table',
  'src/models/embedded/embedded-models.ts': 'hands out all embedded models, loading each on use',
  'src/models/embedded/what-if-deciders.ts': 'a decider with a layer of lessons of its own',
};

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

/** Which places import which, where `placeOf` says in which place a file is. */
const importsBetween = (
  placeOf: (path: string) => string,
  skipped: readonly string[] = [],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const paths = sources();
  expect(paths.length).toBeGreaterThan(100);
  const known = new Set(paths);
  const graph = new Map<string, Set<string>>();
  for (const path of paths) {
    if (skipped.includes(path)) continue;
    const place = placeOf(path);
    const others = importsOf(path).filter((to) => known.has(to) && placeOf(to) !== place);
    graph.set(place, new Set([...(graph.get(place) ?? []), ...others.map(placeOf)]));
  }
  return graph;
};

// Biome finds circles between files.
test('imports between the folders of the layers run in no circle, also those of types', () => {
  expect(circleIn(importsBetween(roomOf))).toBeNull();
});

test('nor do those between folders at any depth, but for the files that put folders together', () => {
  expect(circleIn(importsBetween(folderOf, Object.keys(PUTS_TOGETHER)))).toBeNull();
});

test.each(Object.keys(PUTS_TOGETHER))('%s still needs to be excepted', (path) => {
  const others = Object.keys(PUTS_TOGETHER).filter((other) => other !== path);
  expect(circleIn(importsBetween(folderOf, others))).not.toBeNull();
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
