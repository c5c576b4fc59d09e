import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEntries, frozen } from '../../domain/apply.ts';
import { emptyForest } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { Life, lives } from '../../domain/testing/random-life.ts';
import { TokenCache } from '../text/token-cache.ts';
import { instructionsOf, sentReply } from './context-text.ts';
import { sentMessage } from './sent-message.ts';
import { fullHistoryTokens } from './tokens.ts';

const counter = { name: 'units', count: async (texts: readonly string[]) => texts.map(({ length }) => length) };

test('what the full history would cost is the same whether it is added up anew or from turn to turn', async () => {
  await fc.assert(
    fc.asyncProperty(lives, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), async (moves, picks) => {
      const life = new Life();
      const tokens = new TokenCache(counter);
      let forest = frozen(emptyForest());
      let taken = 0;
      for (const move of moves) {
        life.live(move);
        forest = applyEntries(forest, life.entries.slice(taken));
        taken = life.entries.length;
        const nodes = recordsOf(forest.nodes).toSorted((a, b) => a.number - b.number);
        for (const turn of [nodes.at(-1), nodes[(picks[taken % picks.length] ?? 0) % Math.max(1, nodes.length)]]) {
          if (turn === undefined) continue;
          const texts = nodes
            .filter(({ number }) => number < turn.number)
            .flatMap((one) => [sentMessage(one), sentReply(one)]);
          const whole = [instructionsOf(forest), sentMessage(turn), ...texts].reduce(
            (sum, { length }) => sum + length,
            0,
          );
          expect(await fullHistoryTokens(forest, turn, tokens)).toBe(whole);
        }
      }
    }),
    { numRuns: 100 },
  );
});
