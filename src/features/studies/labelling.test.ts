import { describe, expect, test } from 'vitest';
import { press } from '../../ui/commands/testing/press.ts';
import { pacedLabels } from './coordinate-data.ts';
import { type LabelEvent, LabelEventSchema } from './label-events.ts';
import { labelKeyOf } from './label-keys.ts';
import { comparedWithGold } from './label-words.ts';
import { createLabelling, createWorkClock, type LabellingSource, unsavedLabels } from './labelling.ts';
import {
  type PartialLabel,
  parentsFor,
  placementFor,
  placesOf,
  type StudyDialogue,
  type StudyLabel,
  withParent,
  withPlacement,
} from './study.ts';

const from = (parent: StudyLabel['parent'], placement: StudyLabel['placement'] = 'continue-branch'): StudyLabel => ({
  placement,
  parent,
  furtherParents: [],
  tags: [],
  unsure: false,
});

const dialogue = (id: string, turns: number, change: Partial<StudyDialogue> = {}): StudyDialogue => ({
  id,
  name: id,
  turns: Array.from({ length: turns }, (_, at) => ({ user: `${id} says ${at + 1}`, assistant: 'yes' })),
  part: 'work',
  ...change,
});

/** A person working on dialogues; `stored` is what the browser keeps. */
const atWork = (dialogues: readonly StudyDialogue[], change: Partial<LabellingSource> = {}) => {
  let ids = 0;
  let clock = 0;
  const stored: LabelEvent[] = [...(change.events ?? [])];
  const moved: { dialogue: string; turn: number }[] = [];
  const written = new Map<string, string>();
  const labelling = createLabelling({
    study: 's',
    mode: 'blind',
    person: 'Ada',
    dialogues,
    events: stored,
    position: null,
    clock: createWorkClock(() => clock),
    now: () => clock,
    newId: () => `e${stored.length}-${ids++}`,
    save: async (events) => {
      stored.push(...events);
    },
    moved: async (position) => {
      moved.push(position);
    },
    draft: {
      read: (at) => written.get(JSON.stringify(at)) ?? '',
      save: (at, text) => void written.set(JSON.stringify(at), text),
    },
    ...change,
  });
  const where = () => {
    const { dialogue: at, turn } = labelling.store.getState();
    return [dialogues[at]?.id, turn];
  };
  const held = (id: string) =>
    (labelling.store.getState().held.get(id) ?? []).map((event) => event?.label?.parent ?? null);
  return {
    ...labelling,
    stored,
    moved,
    where,
    held,
    work: (ms: number) => {
      clock += ms;
    },
  };
};

describe('what follows from a parent', () => {
  // Two topics; the first has a branch from turn 0.
  const labels = [from('new-topic'), from(0), from('new-topic'), from(0, 'create-branch')];

  test('is its placement', () => {
    expect(placementFor(labels, 3)).toBe('continue-branch');
    expect(placementFor(labels, 1)).toBe('switch-branch');
    expect(placementFor(labels, 0)).toBe('create-branch');
    expect(placementFor(labels, 2)).toBe('switch-topic');
    expect(placementFor(labels, 'new-topic')).toBe('create-topic');
  });

  test('and a placement means turns that have it: ends of branches, the newest first, before others', () => {
    expect(parentsFor(labels, 'continue-branch')).toEqual([3]);
    expect(parentsFor(labels, 'switch-branch')).toEqual([1]);
    expect(parentsFor(labels, 'create-branch')).toEqual([0]);
    expect(parentsFor([...labels, from('new-topic')], 'switch-topic')).toEqual([3, 2, 1, 0]);
    expect(parentsFor(labels.slice(0, 2), 'switch-topic')).toEqual([]);
  });

  test('is where it is drawn: branches side by side, in the colours of their topics', () => {
    expect(placesOf([...labels, null, from(2)])).toEqual([
      { lane: 0, topic: 0 },
      { lane: 0, topic: 0 },
      { lane: 1, topic: 1 },
      { lane: 2, topic: 0 },
      null,
      { lane: 1, topic: 1 },
    ]);
  });
});

test('a label put together by hand has no parent until one is chosen, and nothing that contradicts it', () => {
  const empty: PartialLabel = { parent: null, placement: null, furtherParents: [], tags: [], unsure: false };
  const switched = withPlacement(empty, 'switch-topic');
  expect(switched.parent).toBeNull();
  expect(withParent(switched, 3)).toMatchObject({ parent: 3, placement: 'switch-topic' });
  expect(withParent(empty, 3).placement).toBeNull();
  expect(withParent(empty, 'new-topic').placement).toBe('create-topic');
  const opens = withPlacement({ ...empty, furtherParents: [1] }, 'create-topic');
  expect(opens).toMatchObject({ parent: 'new-topic', furtherParents: [] });
  expect(withPlacement(opens, 'switch-topic')).toMatchObject({ parent: null, placement: 'switch-topic' });
  expect(withParent(opens, 3).placement).toBe('continue-branch');
  expect(withParent(opens, 'elsewhere').placement).toBe('switch-topic');
});

test('training only tells a trainee that a label matches the gold where all of it does', () => {
  const gold = { ...from(4), furtherParents: [2], tags: ['recall'] };
  const said = (change: Partial<StudyLabel>) => comparedWithGold({ ...gold, ...change }, gold);
  expect(said({ unsure: true })).toBe('Matches the gold label.');
  expect(said({ furtherParents: [] })).toMatch(/^Same parent and placement .*, different further parents\.$/);
  expect(said({ tags: [] })).toMatch(/^Same parent and placement .*, different tags\.$/);
  expect(said({ placement: 'create-branch' })).toMatch(/^Same parent .*, different placement\.$/);
  expect(said({ placement: 'create-branch', furtherParents: [] })).toMatch(
    /different placement and further parents\.$/,
  );
  expect(said({ parent: 2, furtherParents: [4] })).toMatch(/^Same parents .*, but another one comes first\.$/);
  expect(said({ parent: 2, furtherParents: [] })).toBe('Differs from the gold label.');
});

describe('labelling', () => {
  test('takes two keys in the plain case, and one for the first turn', () => {
    const ada = atWork([dialogue('a', 3)]);
    ada.link();
    ada.link();
    expect(ada.store.getState().remark).toMatch(/Choose the turn it continues first/);
    ada.moveCursor(-1);
    ada.link();
    ada.place('create-topic');
    ada.link();
    expect(ada.held('a')).toEqual(['new-topic', 0, 'new-topic']);
    expect(ada.store.getState().done).toBe(true);
  });

  test('a placement pressed again means an older turn, and after the last the first again', () => {
    const parents = ['new-topic', 0, 'new-topic', 'new-topic'] as const;
    const ada = atWork([dialogue('a', 5)], { events: parents.map((parent, turn) => event(turn, from(parent))) });
    const pressed = () => {
      ada.place('switch-topic');
      return ada.store.getState().choice.cursor;
    };
    expect([pressed(), pressed(), pressed(), pressed()]).toEqual([2, 1, 0, 2]);
    // Once a turn is chosen by hand, the key only says how it is continued.
    ada.moveCursor(-1);
    expect(pressed()).toBe(1);
  });

  test('after a suggestion, a placement key on another turn keeps its parent', () => {
    const parents = ['new-topic', 0, 'new-topic', 1] as const;
    const ada = atWork([dialogue('a', 5)], { events: parents.map((parent, turn) => event(turn, from(parent))) });
    ada.place('switch-topic');
    ada.goTo(0, 3);
    ada.place('create-branch');
    expect(ada.store.getState().choice).toMatchObject({ cursor: 1, placement: 'create-branch' });
  });

  test('links several parents, says so where one is unsure, and keeps tags and comments', () => {
    const ada = atWork([dialogue('a', 4)], {
      events: [0, 1, 2].map((turn) => event(turn, from(turn === 0 ? 'new-topic' : turn - 1))),
    });
    expect(ada.where()).toEqual(['a', 3]);
    ada.flag(' odd ');
    ada.moveCursor(-1);
    ada.another();
    ada.moveCursor(-1);
    ada.moveCursor(-1);
    ada.toggleUnsure();
    ada.toggleTag('recall');
    ada.link();
    expect(ada.stored.at(-1)).toMatchObject({
      comment: 'odd',
      label: { placement: 'continue-branch', parent: 2, furtherParents: [0], tags: ['recall'], unsure: true },
    });
  });

  test('a further parent leaves the placement that was chosen for the first; a parent in its stead does not', () => {
    const ada = atWork([dialogue('a', 4)], {
      events: [0, 1, 2].map((turn) => event(turn, from(turn === 0 ? 'new-topic' : turn - 1))),
    });
    ada.moveCursor(-1);
    ada.place('create-branch');
    ada.another();
    ada.moveCursor(-2);
    ada.link();
    expect(ada.stored.at(-1)?.label).toMatchObject({ placement: 'create-branch', parent: 2, furtherParents: [0] });
    ada.goTo(0, 3);
    ada.pick('elsewhere');
    ada.pick(2);
    ada.link();
    expect(ada.stored.at(-1)?.label).toMatchObject({ placement: 'continue-branch', parent: 2, furtherParents: [] });
  });

  test('going to the turn that one is at says why nothing moves, and keeps what was picked', () => {
    const ada = atWork([dialogue('a', 3)], { events: [event(0, from('new-topic')), event(1, from(0))] });
    const remark = () => ada.store.getState().remark;
    ada.pick(1);
    ada.toggleUnsure();
    ada.goTo(0, 3);
    expect(remark()).toBe('Label this turn first.');
    ada.goTo(0);
    ada.nextUnlabelled();
    expect(remark()).toBe('This is the next turn without a label.');
    expect(ada.store.getState().choice).toMatchObject({ cursor: 1, unsure: true });
    ada.link();
    ada.goTo(0, 2);
    ada.goTo(0, 3);
    expect(remark()).toBe('This is the last turn.');
    ada.goTo(0, 0);
    ada.toggleUnsure();
    ada.goTo(0, -1);
    expect([remark(), ada.store.getState().choice.unsure]).toEqual(['This is the first turn.', true]);
  });

  test('a review goes on after each correction, to the end, and where it was left', () => {
    const ada = atWork([dialogue('a', 3), dialogue('b', 2)]);
    const linkAll = (...parents: readonly StudyLabel['parent'][]) => {
      for (const parent of parents) {
        ada.pick(parent);
        ada.link();
      }
    };
    linkAll('new-topic', 0, 1, 'new-topic', 0);
    expect(ada.store.getState().done).toBe(true);
    ada.review();
    expect(ada.where()).toEqual(['b', 0]);
    ada.goTo(0, 1);
    linkAll('new-topic');
    expect(ada.where()).toEqual(['a', 2]);
    ada.nextUnlabelled();
    expect(ada.store.getState().done).toBe(true);
    ada.goTo(0, 1);
    ada.nextUnlabelled();
    ada.review();
    expect(ada.where()).toEqual(['a', 1]);
    ada.link();
    ada.link();
    expect(ada.where()).toEqual(['b', 0]);
    ada.link();
    ada.link();
    expect(ada.store.getState().done).toBe(true);
    // A label that was missing ends the work at once.
    ada.goTo(0, 0);
    ada.clear();
    linkAll('new-topic');
    expect(ada.store.getState().done).toBe(true);
  });

  test('a comment is of the turn that it was begun on, also when that is left while it is written', () => {
    const ada = atWork([dialogue('a', 3)], { events: [event(0, from('new-topic')), event(1, from(0))] });
    const flags = () => (ada.store.getState().held.get('a') ?? []).map((held) => held?.comment);
    const comment = () => ada.store.getState().comment;
    ada.startComment();
    ada.writeComment('odd');
    ada.startComment();
    expect(comment()).toBe('odd');
    ada.goTo(0, 1);
    expect([comment(), flags()]).toEqual([null, [undefined, undefined, 'odd']]);
    expect(ada.stored.at(-1)).toMatchObject({ turn: 2, label: null });

    ada.startComment();
    ada.writeComment('never mind');
    ada.writeComment(null);
    ada.goTo(0, 2);
    ada.startComment();
    expect(comment()).toBe('odd');
    ada.writeComment('');
    ada.goTo(0, 1);
    expect([comment(), flags()]).toEqual([null, [undefined, undefined, 'odd']]);

    ada.goTo(0, 2);
    ada.pick(1);
    ada.startComment();
    ada.writeComment('very odd');
    ada.link();
    expect(ada.store.getState()).toMatchObject({ done: true, comment: null });
    expect(ada.stored.at(-1)).toMatchObject({ turn: 2, comment: 'very odd', label: { parent: 1 } });

    ada.goTo(0, 1);
    ada.startComment();
    ada.writeComment('odd, too');
    ada.leave();
    ada.leave();
    expect(ada.stored.filter(({ comment: stored }) => stored === 'odd, too')).toHaveLength(1);
  });

  test('a comment is still being written after the tab was closed, and no longer once its turn is flagged', () => {
    const written = new Map<string, string>();
    const draft: LabellingSource['draft'] = {
      read: ({ dialogue: id, turn }) => written.get(`${id} ${turn}`) ?? '',
      save: ({ dialogue: id, turn }, text) => void written.set(`${id} ${turn}`, text),
    };
    const opened = () => atWork([dialogue('a', 2)], { events: [event(0, from('new-topic'))], draft });
    const before = opened();
    before.startComment();
    before.writeComment('two sentences');
    const after = opened();
    expect(after.store.getState()).toMatchObject({ turn: 1, comment: 'two sentences' });
    after.goTo(0, 0);
    expect(after.stored.at(-1)).toMatchObject({ turn: 1, comment: 'two sentences' });
    after.goTo(0, 1);
    expect(after.store.getState().comment).toBeNull();
    after.startComment();
    after.writeComment('never mind');
    after.writeComment(null);
    expect(opened().store.getState().comment).toBeNull();
  });

  test.each([
    ['т', { code: 'KeyN' }, 'n'],
    ['я', { ctrlKey: true, code: 'KeyZ' }, 'z'],
    ['Я', { ctrlKey: true, shiftKey: true, code: 'KeyZ' }, 'z'],
    ['N', { shiftKey: true }, 'n'],
    ['?', { shiftKey: true }, '?'],
    ['3', {}, '3'],
    ['۱', { code: 'Digit1' }, '1'],
    ['٣', { code: 'Digit3' }, '3'],
    ['/', { code: 'Digit2' }, '2'],
    ['ต', { code: 'Digit9' }, '9'],
    ['é', { code: 'Digit2' }, '2'],
    ['-', { code: 'Minus' }, '-'],
    ['?', { shiftKey: true, code: 'Digit6' }, '?'],
    ['Backspace', {}, 'backspace'],
  ])('the labelling key of %s (%j) is %s', (key, held, expected) => {
    expect(labelKeyOf(press(key, held))).toBe(expected);
  });

  test('goes on where it was left; the training comes first and teaches; all of it can be undone and done again', () => {
    const training = dialogue('t', 2, {
      part: 'training',
      gold: [from('new-topic'), from('new-topic', 'create-topic')],
    });
    const dialogues = [training, dialogue('a', 2)];
    const ada = atWork(dialogues);
    ada.goTo(1);
    expect(ada.store.getState().remark).toBe('The training comes first.');
    ada.link();
    expect(ada.store.getState().feedback).toBe(true);
    ada.link();
    ada.moveCursor(-1);
    ada.link();
    expect(ada.where()).toEqual(['t', 1]);
    ada.link();
    expect(ada.where()).toEqual(['a', 0]);
    ada.link();
    expect(ada.moved.at(-1)).toEqual({ dialogue: 'a', turn: 1 });

    const again = atWork(dialogues, { events: ada.stored, position: { dialogue: 'a', turn: 1 } });
    expect(again.where()).toEqual(['a', 1]);
    again.undo();
    again.undo();
    expect(again.where()).toEqual(['t', 1]);
    expect([again.held('t'), again.held('a')]).toEqual([['new-topic', null], [null]]);
    again.redo();
    again.redo();
    again.redo();
    expect(again.store.getState().remark).toBe('There is nothing to redo.');
    expect([again.held('t'), again.held('a')]).toEqual([['new-topic', 0], ['new-topic']]);
    expect(again.stored.filter(({ of }) => of !== undefined)).toHaveLength(4);
  });

  test('who was done comes back to the end, and who was reviewing to the turn that they had come to', () => {
    const ada = atWork([dialogue('a', 3)]);
    ada.link();
    for (const parent of [0, 1]) {
      ada.pick(parent);
      ada.link();
    }
    const again = () => atWork([dialogue('a', 3)], { events: ada.stored, position: ada.moved.at(-1) ?? null });
    expect(again().store.getState().done).toBe(true);
    ada.goTo(0, 1);
    expect(again().store.getState()).toMatchObject({ done: false, turn: 1 });
  });

  test('a training that is new in another version of the study comes before the work that was begun', () => {
    const events = [event(0, from('new-topic'))];
    const dialogues = [dialogue('t', 2, { part: 'training' }), dialogue('a', 2)];
    expect(atWork(dialogues, { events, position: { dialogue: 'a', turn: 1 } }).where()).toEqual(['t', 0]);
  });

  test('shows nothing of another person, and says when a label could not be stored', async () => {
    const others = [event(0, from('new-topic'), { person: 'Bo', comment: 'mine' })];
    const ada = atWork([dialogue('a', 1)], { events: others, save: () => Promise.reject(new Error('No room.')) });
    expect(ada.store.getState().events).toEqual([]);
    ada.link();
    await Promise.resolve();
    await Promise.resolve();
    expect(ada.store.getState().failure).toBe('No room.');
  });

  test('goes by nothing of dialogues that are not hers or were training, and undoes none of it', () => {
    const others = [event(0, from('new-topic'), { dialogue: 'b' }), event(0, from('new-topic'), { phase: 'training' })];
    const ada = atWork([dialogue('a', 2)], { events: others });
    expect(ada.where()).toEqual(['a', 0]);
    ada.undo();
    expect(ada.store.getState().remark).toBe('There is nothing to undo.');
  });

  test('a label that could not be stored is stored with the next one', async () => {
    const stored: LabelEvent[] = [];
    let full = true;
    const ada = atWork([dialogue('a', 2)], {
      save: async (events) => {
        if (full) throw new Error('No room.');
        stored.push(...events);
      },
    });
    ada.link();
    await Promise.resolve();
    await Promise.resolve();
    full = false;
    ada.moveCursor(-1);
    ada.link();
    await Promise.resolve();
    await Promise.resolve();
    expect(stored).toEqual(ada.store.getState().events);
    expect(ada.store.getState().failure).toBeNull();
  });

  test('counts the time of work, and of a pause a minute at most', () => {
    const ada = atWork([dialogue('a', 2)]);
    ada.work(4000);
    ada.link();
    ada.work(600_000);
    ada.clock.touch();
    ada.work(2000);
    ada.moveCursor(-1);
    ada.link();
    expect(ada.stored.map(({ worked }) => worked)).toEqual([4000, 62_000]);
  });

  test.each(['undo', 'back'])('the time on a turn stays its own while another is corrected, by %s', (way) => {
    const ada = atWork([dialogue('a', 3)]);
    const link = (ms: number, parent: StudyLabel['parent']) => {
      ada.work(ms);
      ada.pick(parent);
      ada.link();
    };
    const times = () =>
      [...pacedLabels(ada.stored.map((one) => LabelEventSchema.parse(one))).values()].map(({ worked }) => worked);
    link(4000, 'new-topic');
    link(8000, 0);
    ada.work(10_000);
    if (way === 'undo') ada.undo();
    else ada.goTo(0, 1);
    link(1500, 'new-topic');
    expect(ada.where()).toEqual(['a', 2]);
    link(1500, 1);
    expect(times()).toEqual([4000, 9500, 11_500]);
    // No turn is read at the end.
    ada.work(5000);
    ada.goTo(0, 2);
    link(1000, 0);
    expect(times()).toEqual([4000, 9500, 12_500]);
    expect(ada.stored.reduce((sum, { worked }) => sum + worked, 0)).toBe(31_000);
  });

  test('the time on a turn stays its own, too, where nothing else was left to label', () => {
    const ada = atWork([dialogue('a', 2)]);
    const link = (ms: number, parent: StudyLabel['parent']) => {
      ada.work(ms);
      ada.pick(parent);
      ada.link();
    };
    link(1000, 'new-topic');
    link(1000, 0);
    ada.goTo(0, 1);
    ada.work(10_000);
    ada.nextUnlabelled();
    expect(ada.store.getState().done).toBe(true);
    ada.goTo(0, 1);
    link(500, 'new-topic');
    expect(ada.stored.map(({ onTurn }) => onTurn)).toEqual([1000, 1000, 10_500]);
  });

  test('what is read after coming back to the page counts before a key is pressed; the time away does not', () => {
    const ada = atWork([dialogue('a', 1)]);
    ada.work(700);
    ada.clock.shown(false);
    ada.work(600_000);
    ada.clock.shown(true);
    ada.work(30_000);
    ada.link();
    expect(ada.stored.map(({ worked }) => worked)).toEqual([30_700]);
  });
});

const event = (turn: number, label: StudyLabel, change: Partial<LabelEvent> = {}): LabelEvent => ({
  id: `old${turn}`,
  study: 's',
  person: 'Ada',
  dialogue: 'a',
  itemHash: 'h',
  turn,
  at: turn,
  worked: 1,
  mode: 'blind',
  label,
  phase: 'work',
  ...change,
});

test('the labels that the saved file lacks are counted, not all that was done to them', async () => {
  const ada = atWork([dialogue('a', 6)]);
  const lacking = (saved: number) => unsavedLabels(ada.store.getState(), ada.dialogues, saved);
  const link = (): void => {
    ada.work(1000);
    ada.pick('new-topic');
    ada.link();
  };
  for (let turn = 0; turn < 3; turn++) link();
  expect(lacking(0)).toBe(3);
  ada.undo();
  ada.redo();
  ada.goTo(0, 1);
  ada.flag('odd');
  expect(lacking(0)).toBe(3);
  const saved = ada.stored.at(-1)?.at ?? 0;
  expect(lacking(saved)).toBe(0);
  // Neither a comment nor what is undone again is another label.
  ada.flag('very odd');
  ada.goTo(0, 3);
  link();
  ada.undo();
  expect(lacking(saved)).toBe(0);
  ada.goTo(0, 3);
  link();
  ada.goTo(0, 1);
  ada.pick(0);
  ada.link();
  expect(lacking(saved)).toBe(2);
  // Another tab's labels, in the file too, come before.
  const again = atWork([dialogue('a', 6)], { events: ada.stored });
  expect(unsavedLabels(again.store.getState(), again.dialogues, ada.stored.at(-1)?.at ?? 0)).toBe(0);
});
