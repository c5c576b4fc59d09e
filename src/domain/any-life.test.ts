import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEntries, fold, frozen } from './apply.ts';
import { Entry } from './entry.ts';
import { emptyForest, type Forest } from './forest.ts';
import { violations } from './invariants.ts';
import { idsOf, recordsOf, sizeOf } from './table.ts';
import { plainForest } from './testing/plain-forest.ts';
import { Life, lives, longLives } from './testing/random-life.ts';

/** What a user would notice: everything but the undo stacks and the overviews kept for reuse. */
const visible = ({ history: _, overviews: __, ...rest }: Forest) => structuredClone(rest);

describe('any sequence of intents', () => {
  test('leaves a valid forest', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) {
          life.live(move);
          expect(violations(life.forest)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('replayed equals what it was live, through commits and through storage', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const stored = life.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry))));
        expect(fold(stored)).toEqual(life.forest);
        expect(
          plainForest(stored.reduce((forest, entry) => applyEntries(forest, [entry]), frozen(emptyForest()))),
        ).toEqual(life.forest);
      }),
      { numRuns: 150 },
    );
  });

  test('undone to the start is empty, and redone to the end is the same again', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const before = visible(life.forest);
        let steps = 0;
        while (life.do({ type: 'undo' }).ok) {
          steps++;
          expect(violations(life.forest)).toEqual([]);
        }
        expect(visible(life.forest)).toEqual(visible(emptyForest()));
        // Redoes only what was undone here, not what had been undone before.
        for (let i = 0; i < steps; i++) expect(life.do({ type: 'redo' }).ok).toBe(true);
        expect(visible(life.forest)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test('takes nothing from a reply: whenever it is there, it is as long as it has been', () => {
    const kind = fc.constantFrom('again' as const, 'resume' as const, 'undo' as const, 'redo' as const);
    const onReplies = fc.array(fc.record({ kind, pick: fc.constant(1) }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof(lives, onReplies), (moves) => {
        const life = new Life();
        life.say(null);
        const longest = new Map<string, string>();
        for (const move of moves) {
          life.live(move);
          for (const { id, text } of recordsOf(life.forest.nodes).flatMap(({ replies }) => replies)) {
            expect(text.startsWith(longest.get(id) ?? '')).toBe(true);
            longest.set(id, text);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('that deletes turns alone leaves each other turn under the nearest one above it that is left', () => {
    const turns = fc.array(fc.record({ parent: fc.nat(), goes: fc.boolean() }), { minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(turns, fc.boolean(), (said, turned) => {
        const life = new Life();
        const ids: string[] = [];
        for (const { parent } of said) ids.push(life.say(ids[parent % ids.length] ?? null));
        const { nodes: before } = structuredClone(life.forest);
        const gone = ids.filter((_, at) => said[at]?.goes);
        const nodeIds = turned ? gone.toReversed() : gone;
        if (!life.do({ type: 'delete', nodeIds, alone: true, step: life.id() }).ok) return;
        for (const { id, parentId } of recordsOf(life.forest.nodes)) {
          let above = before[id]?.parentId ?? null;
          while (above !== null && gone.includes(above)) above = before[above]?.parentId ?? null;
          expect(parentId).toBe(above);
        }
        expect(violations(life.forest)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('of two hundred, with purges and travels in between, loses no text that was not purged and keeps none that was', () => {
    fc.assert(
      fc.property(longLives, fc.array(fc.nat({ max: 1000 }), { minLength: 3, maxLength: 3 }), (moves, purges) => {
        const life = new Life();
        const purged = new Set<string>();
        moves.forEach((move, i) => {
          life.live(move);
          if (i % 50 !== 49) return;
          const ids = idsOf(life.forest.nodes);
          const victim = ids[(purges[(i / 50) | 0] ?? 0) % Math.max(1, ids.length)];
          if (victim !== undefined && sizeOf(life.forest.pending) === 0) {
            purged.add(victim);
            life.purge([victim]);
          }
          expect(violations(life.forest)).toEqual([]);
          const moment = (purges[0] ?? 0) % (life.entries.length + 1);
          expect(violations(fold(life.entries, moment))).toEqual([]);
        });
        expect(fold(life.entries.map((entry) => Entry.parse(JSON.parse(JSON.stringify(entry)))))).toEqual(life.forest);
        const log = JSON.stringify(life.entries);
        for (const { event } of life.entries) {
          if (event.type !== 'message-sent') continue;
          expect(log.includes(`"said-${event.nodeId}"`)).toBe(!purged.has(event.nodeId));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('does nothing where it is refused', () => {
    fc.assert(
      fc.property(lives, (moves) => {
        const life = new Life();
        for (const move of moves) life.live(move);
        const before = structuredClone(life.forest);
        const anyone = idsOf(life.forest.nodes)[0] ?? 'nobody';
        expect(life.move(anyone, 'nobody').ok).toBe(false);
        expect(life.move(anyone, anyone).ok).toBe(false);
        expect(life.do({ type: 'record', step: 's', event: { type: 'activated', nodeId: 'nobody' } }).ok).toBe(false);
        expect(life.forest).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });
});
