import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { emptyForest } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life, lives, longLives } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { ForestIndexCache, indexAfter, indexOf } from './forest-index.ts';
import { VectorTable } from './vector-table.ts';

const VECTOR = Float32Array.of(1, 0);

test('an index that is kept is the one that would be made anew, whatever happened and whichever vectors came', () => {
  fc.assert(
    fc.property(fc.oneof(lives, longLives), fc.infiniteStream(fc.nat(7)), (moves, chances) => {
      const life = new Life();
      for (const move of moves) life.live(move);
      const table = new VectorTable(2);
      const kept = new ForestIndexCache(table);
      let forest = frozen(emptyForest());
      for (const entry of life.entries) {
        forest = applyEntries(forest, [entry]);
        for (const { id } of recordsOf(forest.nodes)) {
          if (!table.has(id) && chances.next().value < 2) table.set(id, VECTOR);
        }
        if (chances.next().value < 3) expect(kept.of(forest)).toEqual(indexOf(forest, table));
      }
    }),
    { numRuns: 150 },
  );
});

test('of a conversation that goes on nothing is indexed anew', () => {
  const log = syntheticLog(212, 3);
  const from = log.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === 'n201');
  const table = new VectorTable(2);
  let forest = frozen(fold(log, from));
  for (const { id } of recordsOf(forest.nodes)) table.set(id, VECTOR);
  let index = indexOf(forest, table);
  for (const entry of log.slice(from)) {
    const next = applyEntries(forest, [entry]);
    if (entry.event.type === 'summarised') table.set(entry.event.nodeId, VECTOR);
    const gone = indexAfter(index, forest, next, table);
    if (gone === null) throw new Error(`indexed anew at ${entry.event.type}`);
    expect(gone).toEqual(indexOf(next, table));
    [forest, index] = [next, gone];
  }
});
