import { expect, test } from 'vitest';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { isSameButReplyTexts } from './hooks.ts';

test('a forest is the same but for the texts of replies while those come, and at no other event', () => {
  const log = syntheticLog(40, 4);
  let forest = frozen(fold([]));
  for (const entry of log) {
    const next = applyEntries(forest, [entry]);
    expect([entry.event.type, isSameButReplyTexts(forest, next)]).toEqual([
      entry.event.type,
      entry.event.type === 'reply-received',
    ]);
    forest = next;
  }
});
