import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'vite';
import { root } from '../scripts/run.mjs';
import type { Figure } from './figure.ts';

/** Budget for the scripts loaded before the page first shows something, gzipped. */
const GOAL_KB = 250;

const dist = join(root, 'dist');

/** Collects a script and its static imports: everything a browser must have before running any of it. */
const withImports = (file: string, seen: Set<string>): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const statement of parseAst(readFileSync(file, 'utf8')).body) {
    const source = 'source' in statement ? statement.source : null;
    if (source?.value.startsWith('.')) withImports(resolve(dirname(file), source.value), seen);
  }
  return seen;
};

/** Measures the JavaScript needed before the first paint: the page's scripts, their static imports and its preloads. */
export const firstPaint = async (): Promise<Figure[]> => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const files = new Set<string>();
  for (const [, address] of html.matchAll(/(?:src|href)="([^"]+\.m?js)"/g))
    withImports(join(dist, address as string), files);
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  return [
    {
      name: `JavaScript before the first paint, gzipped (${files.size} files)`,
      value: bytes / 1000,
      unit: 'kB',
      goal: GOAL_KB,
      baseline: null,
    },
  ];
};
