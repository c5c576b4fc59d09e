import type { PlainEvent } from '../../../domain/event-kinds.ts';
import { Life } from '../../../domain/testing/random-life.ts';

/**
 * A conversation that the user edits by hand: 1 ─ 2 ─ 3, with 4 ─ 5 forked from 1, and 6 as its own topic.
 */
export const edited = () => {
  const life = new Life();
  const one = life.say(null, 'A flat in Lisbon');
  const two = life.say(one, 'With a balcony');
  const three = life.say(two, 'Below 900 euros');
  const four = life.say(one, 'Porto instead');
  const five = life.say(four, 'Near the river');
  const six = life.say(null, 'Sourdough starter');
  life.do({
    type: 'record',
    step: null,
    event: { type: 'topic-titled', treeId: life.forest.nodes[six]?.treeId as string, title: 'Sourdough', by: 'engine' },
  });
  const record = (event: PlainEvent, step = life.id()) => life.do({ type: 'record', event, step });
  const fresh = () => ({ treeId: life.id(), branchId: life.id() });
  return { life, one, two, three, four, five, six, record, fresh };
};
