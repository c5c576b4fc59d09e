import { describe, expect, test } from 'vitest';
import { PERSON } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { HistoryReading } from './history-dialog.tsx';
import { edited } from './testing/edited.ts';

/** All rows of a life's history. */
const historyRows = ({ forest, entries }: Life): HistoryReading['rows'] => {
  const reading = new HistoryReading(forest, entries);
  while (reading.more());
  expect(reading.rows).toHaveLength(reading.length);
  return reading.rows;
};

type Made = ReturnType<typeof edited>;

/** The wording of the last step. */
const last = (edit: (made: Made) => unknown): string => {
  const made = edited();
  edit(made);
  return historyRows(made.life).find((row) => row.now)?.words ?? '';
};

describe('the history says in words what a step did', () => {
  test('messages that were sent, and the topics they began', () => {
    expect(last(() => null)).toBe('Turn 6 sent: “Sourdough starter”, a new topic: “Sourdough”');
    expect(last(({ life, six }) => life.say(six, 'x '.repeat(60)))).toMatch(/^Turn 7 sent: “(x )+x…”$/);
  });

  test('turns that a longer export has added, with what else it brought', () => {
    const decision = { topic: 'continue-topic' as const, branch: null, by: 'import' as const, trace: null };
    const add = ({ life, six, fresh }: Made, ...ids: string[]) => {
      const reply = { type: 'reply-started' as const, nodeId: six, replyId: 'r', model: 'm', context: null };
      life.do({ type: 'record', event: reply, step: 'import' });
      for (const nodeId of ids) {
        const event = { type: 'message-sent' as const, nodeId, message: 'One', given: null, target: null };
        life.do({ type: 'record', event, step: 'import' });
        life.do({ type: 'place', nodeId, parentId: six, fresh: fresh(), decision });
      }
    };
    expect(last((made) => add(made, 'a'))).toBe('Turn 7 imported');
    expect(last((made) => add(made, 'a', 'b'))).toBe('2 turns imported');
    expect(last((made) => add(made))).toBe('Another reply to turn 6, by m');
  });

  test('moves, of one and of several', () => {
    expect(last(({ life, five, three }) => life.move(five, three))).toBe('Turn 5 moved under turn 3');
    expect(last(({ life, four }) => life.move(four, null))).toBe('Turn 4 made a topic of its own');
    const both = last(({ life, three, five, six, fresh }) => {
      for (const nodeId of [three, five]) {
        life.do({ type: 'move', nodeId, parentId: six, fresh: fresh(), at: 0, step: 'both' });
      }
    });
    expect(both).toBe('2 turns moved under turn 6');
  });

  test('what was taken out or deleted, though it is gone', () => {
    expect(
      last(({ life, two, fresh }) => life.do({ type: 'extract', nodeId: two, fresh: fresh(), at: 0, step: 's' })),
    ).toBe('Turn 2 detached from its path');
    const remove = (alone: boolean, ...which: (keyof Made)[]) =>
      last((made) =>
        made.life.do({ type: 'delete', nodeIds: which.map((key) => made[key] as string), alone, step: 's' }),
      );
    expect(remove(false, 'six')).toBe('Turn 6 deleted');
    expect(remove(false, 'two')).toBe('Turn 2 deleted with the 1 turn under it');
    expect(remove(false, 'two', 'four')).toBe('2 turns deleted with the 2 turns under them');
    expect(remove(true, 'two')).toBe('Turn 2 deleted; the turns below were kept');
    expect(remove(true, 'two', 'four')).toBe('2 turns deleted; the turns below were kept');
  });

  test('hiding, showing, and the end of a branch', () => {
    expect(last(({ record, two }) => record({ type: 'turns-hidden', nodeIds: [two], hidden: true }))).toBe(
      'Turn 2 hidden',
    );
    expect(
      last(({ record, two, three }) => record({ type: 'turns-hidden', nodeIds: [two, three], hidden: false })),
    ).toBe('2 turns shown again');
    const ended = last(({ record, four, five }) => {
      record({ type: 'activated', nodeId: five });
      record({ type: 'turns-hidden', nodeIds: [five], hidden: true }, 's');
      record({ type: 'activated', nodeId: four }, 's');
    });
    expect(ended).toBe('Branch ended at turn 4: turn 5 hidden');
  });

  test('marks, notes, references, titles and summaries', () => {
    const said = (event: (made: Made) => Parameters<Made['record']>[0]) => last((made) => made.record(event(made)));
    expect(said(({ two: nodeId }) => ({ type: 'turn-pinned', nodeId, pinned: true }))).toBe('Turn 2 pinned');
    expect(said(({ two: nodeId }) => ({ type: 'turn-noted', nodeId, note: 'Ask Ana\nabout it' }))).toBe(
      'Note on turn 2: “Ask Ana about it”',
    );
    expect(said(({ two: nodeId }) => ({ type: 'turn-noted', nodeId, note: null }))).toBe('Note on turn 2 removed');
    expect(
      said(({ six: nodeId, two: to }) => ({
        type: 'reference-added',
        nodeId,
        reference: { to, as: 'path', by: 'person' },
      })),
    ).toBe('Turn 6 refers to turn 2, in full');
    expect(
      said(({ life, two }) => ({
        type: 'branch-titled',
        branchId: life.forest.nodes[two]?.branchId as string,
        title: 'Flat',
      })),
    ).toBe('Branch renamed to “Flat”');
    expect(said(({ two: nodeId }) => ({ type: 'summarised', nodeId, text: 'Wants a balcony.', by: PERSON }))).toBe(
      'Summary of turn 2 written by you',
    );
    expect(said(({ two: nodeId }) => ({ type: 'activated', nodeId }))).toBe('Went to turn 2');
    expect(said(() => ({ type: 'conversation-titled', title: 'Moving' }))).toBe('Conversation renamed to “Moving”');
  });

  test('a turn that a later step took away keeps its number in the words of an earlier one', () => {
    const { life, two, three, six } = edited();
    life.move(three, six);
    life.do({ type: 'delete', nodeIds: [six], alone: false, step: 's' });
    const words = historyRows(life).map((row) => row.words);
    expect(words[0]).toBe('Turn 6 deleted with the 1 turn under it');
    expect(words[1]).toBe('Turn 3 moved under turn 6');
    expect(life.forest.nodes[two]).toBeDefined();
  });
});

describe('the rows of the history', () => {
  test('the newest first, undone ones above where we are, down to the beginning', () => {
    const { life } = edited();
    life.do({ type: 'undo' });
    life.do({ type: 'undo' });
    const rows = historyRows(life);
    expect(rows.map((row) => [row.steps, row.undone, row.now])).toEqual([
      [6, true, false],
      [5, true, false],
      [4, false, true],
      [3, false, false],
      [2, false, false],
      [1, false, false],
      [0, false, false],
    ]);
    expect(rows[0]?.words).toBe('Turn 6 sent: “Sourdough starter”, a new topic: “Sourdough”');
    expect(rows.at(-1)?.words).toBe('The beginning');
  });

  test('going to a row does what the row says', () => {
    const { life } = edited();
    for (const steps of [2, 5, 0, 6]) {
      life.do({ type: 'rewind', to: steps });
      expect(historyRows(life).find((row) => row.now)?.steps).toBe(steps);
      expect(life.forest.turnCount).toBe(steps);
    }
  });

  test('after a purge it begins there', () => {
    const { life, record, two } = edited();
    record({ type: 'turns-purged', nodeIds: [two] });
    expect(historyRows(life).map((row) => row.words)).toEqual(['After the last purge']);
  });

  test('what is far back is read when it is wanted', () => {
    const life = new Life();
    let last: string | null = null;
    for (let turn = 0; turn < 2_000; turn++) last = life.say(last);
    const reading = new HistoryReading(life.forest, life.entries);
    expect(reading.length).toBe(2_001);
    expect(reading.rows.length).toBeLessThan(300);
    expect(reading.rows[0]?.words).toContain('Turn 2000 sent');
    while (reading.rows.length < 1_001) reading.more();
    expect(reading.rows[1_000]?.words).toContain('Turn 1000 sent');
  });
});
