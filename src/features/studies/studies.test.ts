import * as fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { sum } from '../../domain/numbers.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { dialogueOfLog, named, withChanges, withDialogues } from './author.ts';
import { Dialogues } from './author-page.tsx';
import { lessonsIdOf } from './engine-person.ts';
import {
  currentEvents,
  type LabelEvent,
  labelFile,
  labelsOf,
  nameForFile,
  previousLabel,
  readLabelFile,
  timeAfter,
  undoable,
  unionOf,
  workOf,
} from './label-events.ts';
import { trainedOnWords, withoutGold } from './label-words.ts';
import {
  codesOf,
  dialoguesFor,
  itemHash,
  personOf,
  plainReply,
  type Study,
  type StudyDialogue,
  type StudyLabel,
} from './study.ts';
import { packStudy, readPackage } from './study-package.ts';
import { openShelf, peopleHere } from './study-shelf.ts';

const label = (parent: StudyLabel['parent']): StudyLabel => ({
  placement: parent === 'new-topic' ? 'create-topic' : 'continue-branch',
  parent,
  furtherParents: [],
  tags: [],
  unsure: false,
});

const study: Study = {
  format: 'coppice-study',
  version: 1,
  id: 's1',
  name: 'Kitchen & flat',
  guidelines: '# Rules\n\nRead all of it.',
  mode: 'blind',
  tags: ['recall'],
  people: 5,
  peoplePerDialogue: 2,
  seed: 7,
  dialogues: Array.from({ length: 9 }, (_, at) => ({
    id: `d${at}`,
    name: `Dialogue ${at}`,
    turns: [
      { user: `first of ${at}`, assistant: 'yes' },
      { user: 'and then?', assistant: '' },
    ],
    part: at === 0 ? 'training' : 'work',
    gold: [label('new-topic'), label(0)],
    engine: [null, { by: 'threshold', placement: 'continue-branch', parent: 0, confidence: 0.5 }],
  })),
};

const event = (change: Partial<LabelEvent>): LabelEvent => ({
  id: 'e',
  study: 's1',
  person: 'P1',
  dialogue: 'd1',
  itemHash: itemHash(study.dialogues[1] as Study['dialogues'][number]),
  turn: 0,
  at: 1,
  worked: 5,
  mode: 'blind',
  label: label('new-topic'),
  phase: 'work',
  ...change,
});

/** The package with one of its files changed. */
const spoilt = (name: string, change: (text: string) => string): Uint8Array => {
  const files = unzipSync(packStudy(study, 'annotator'));
  return zipSync({ ...files, [name]: strToU8(change(strFromU8(files[name] ?? new Uint8Array()))) });
};

describe('a package', () => {
  test('is read as it was written, by the coordinator whole', () => {
    expect(readPackage(packStudy(study, 'coordinator'))).toEqual({ role: 'coordinator', study });
    expect(packStudy(study, 'coordinator')).toEqual(packStudy(study, 'coordinator'));
  });

  test('that is blind holds nothing of the engine, and gold of the training alone', () => {
    const files = unzipSync(packStudy(study, 'annotator'));
    for (const bytes of Object.values(files)) expect(strFromU8(bytes)).not.toMatch(/engine|threshold|confidence/);
    const read = readPackage(packStudy(study, 'annotator')).study;
    expect(read.dialogues.filter(({ gold }) => gold !== undefined).map(({ id }) => id)).toEqual(['d0']);
    const assisted = readPackage(packStudy({ ...study, mode: 'assisted' }, 'annotator')).study;
    expect(assisted.dialogues[3]?.engine).toEqual(study.dialogues[3]?.engine);
  });

  test('that was unpacked and packed again in a folder is read', () => {
    const files = Object.entries(unzipSync(packStudy(study, 'annotator')));
    const inFolder = Object.fromEntries(files.map(([name, file]) => [`kitchen.study/${name}`, file]));
    const packed = zipSync({ ...inFolder, '__MACOSX/kitchen.study/._study.json': strToU8('of the Mac') });
    expect(readPackage(packed)).toEqual(readPackage(packStudy(study, 'annotator')));
  });

  test('whose name was removed can be opened', () => {
    const unnamed = named({ ...study, name: ' ' });
    expect(readPackage(packStudy(unnamed, 'annotator')).study.name).toBe('Untitled study');
  });

  test('labels of the annotator’s package are of the coordinator’s items', () => {
    const theirs = readPackage(packStudy(study, 'annotator')).study;
    expect(theirs.dialogues.map(itemHash)).toEqual(study.dialogues.map(itemHash));
  });

  test.each([
    ['a text that is none', strToU8('hello'), /This is not a study file. Study files are zips/],
    ['another zip', zipSync({ 'a.txt': strToU8('a') }), /contains no study.json/],
    ['a foreign manifest', spoilt('study.json', () => '{"format":"other"}'), /has another format/],
    [
      'a newer version',
      spoilt('study.json', (text) => text.replace('"version":1', '"version":2')),
      /newer version of Coppice/,
    ],
    ['a changed manifest', spoilt('study.json', (text) => text.replace('blind', 'assisted')), /damaged \(study.json/],
    ['a changed text', spoilt('dialogues/d2.json', (text) => text.replace('first', 'last')), /damaged \(dialogues\/d2/],
    ['changed guidelines', spoilt('guidelines.md', () => 'Do as you like.'), /damaged \(guidelines.md/],
    ['half a file', packStudy(study, 'annotator').slice(0, 900), /damaged/],
  ])('%s is refused in words', (_, bytes, words) => {
    expect(() => readPackage(bytes)).toThrow(words);
  });

  test('that unpacks to too much is refused, whereas what is no part of it is not unpacked', () => {
    const files = unzipSync(packStudy(study, 'annotator'));
    const size = sum(Object.values(files).map(({ length }) => length));
    const withMore = zipSync({ ...files, 'film.mp4': new Uint8Array(size) });
    expect(readPackage(withMore, size)).toEqual(readPackage(packStudy(study, 'annotator')));
    expect(() => readPackage(withMore, size - 1)).toThrow(/unpacks to more than/);
  });
});

describe('labels', () => {
  const events = fc.array(
    fc.record({
      id: fc.nat(30).map((n) => `e${n}`),
      person: fc.constantFrom('P1', 'P2'),
      turn: fc.nat(1),
      parent: fc.constantFrom('new-topic' as const, 'elsewhere' as const),
    }),
  );
  // An id identifies an event, with the same result wherever it occurs.
  const made = events.map((list) => {
    const byId = new Map(list.map((one) => [one.id, one]));
    return [...byId.values()].map(({ parent, ...one }) =>
      event({ ...one, at: Number(one.id.slice(1)) % 7, label: label(parent) }),
    );
  });

  test('are the same in whatever order files come, and however often', () => {
    fc.assert(
      fc.property(made, fc.integer(), (all, seed) => {
        const cut = Math.abs(seed) % (all.length + 1);
        const [one, other] = [all.slice(0, cut), all.slice(cut)];
        expect(unionOf(other, one, other)).toEqual(unionOf(one, other));
        expect(unionOf(unionOf(one), other)).toEqual(unionOf(all));
        expect(labelsOf(all.toReversed())).toEqual(labelsOf(all));
      }),
    );
  });

  test('are the newest of each turn; undo and redo are events, too', () => {
    const first = event({ id: 'a', at: 1 });
    const second = event({ id: 'b', at: 2, label: label('elsewhere'), comment: 'really?' });
    expect(undoable([first, second]).past.map(({ id }) => id)).toEqual(['a', 'b']);
    const undone = event({ id: 'c', at: 3, of: 'b', ...previousLabel([first, second], second) });
    expect(labelsOf([first, second, undone])).toEqual([undone]);
    expect(undone.label).toEqual(first.label);
    expect(undoable([first, second, undone])).toEqual({ past: [first], future: [second] });
    const redone = event({ id: 'd', at: 4, of: 'b', label: second.label });
    expect(undoable([first, second, undone, redone])).toEqual({ past: [first, second], future: [] });
    expect(undoable([first, second, undone, event({ id: 'e', at: 5 })]).future).toEqual([]);
  });

  test('of a person are those stored and those just made, each once; norming and others’ are not among them', () => {
    const [there, here] = [event({ id: 'there', at: 2 }), event({ id: 'here', at: 1 })];
    const others = [event({ id: 'n', phase: 'norming' }), event({ id: 'o', person: 'P2' })];
    expect(workOf('P1', [here, there, ...others, here])).toEqual([here, there]);
  });

  test('of a file without any known label may be somebody else’s of the same name', () => {
    const known = [event({ id: 'a' }), event({ id: 'n', person: 'P2', phase: 'norming' })];
    const fileOf = (person: string, ...ids: string[]) => ({ person, events: ids.map((id) => event({ id, person })) });
    const sure = (name: string) => ({ name, isDoubtful: false });
    expect(nameForFile(known, fileOf('P1', 'a', 'b'))).toEqual(sure('P1'));
    expect(nameForFile(known, fileOf('P2', 'c'))).toEqual(sure('P2'));
    expect(nameForFile(known, fileOf('P1'))).toEqual(sure('P1'));
    expect(nameForFile(known, fileOf('P1', 'c'))).toEqual({ name: 'P1', isDoubtful: true });
    // Names are typed, and not always with the same capitals.
    expect(nameForFile(known, fileOf('p1', 'c'))).toEqual({ name: 'P1', isDoubtful: true });
    // Once taken in under another name, later files of that person are, too.
    expect(nameForFile([...known, event({ id: 'c', person: 'P1 (2)' })], fileOf('P1', 'c', 'd'))).toEqual(
      sure('P1 (2)'),
    );
  });

  test('of a text that has changed since are left out', () => {
    const old = [event({ id: 'old', itemHash: 'other' }), event({ id: 'gone', dialogue: 'd99' })];
    expect(currentEvents(study.dialogues, [...old, event({})])).toEqual([event({})]);
  });

  test('that come after others hold, also where a clock is behind theirs', () => {
    const ahead = event({ id: 'z', at: 9000 });
    const revised = event({ id: 'a', at: timeAfter([event({}), ahead], 10), label: label('elsewhere') });
    expect(labelsOf([ahead, revised])).toEqual([revised]);
    expect(timeAfter([ahead], 9500)).toBe(9500);
  });

  test('go out as a file and come back; what is not of this study is refused with the reason', () => {
    const file = labelFile(study, 'P1', [event({})]);
    expect(readLabelFile(file, study)).toEqual({ person: 'P1', events: [event({})] });
    expect(() => readLabelFile('{"a":1}', study)).toThrow(/not a label file/);
    expect(() => readLabelFile(file, { ...study, id: 's2', name: 'Other' })).toThrow(/another study, “Kitchen & flat”/);
    expect(() => readLabelFile(file.replace('"version":1', '"version":2'), study)).toThrow(/newer version of Coppice/);
    expect(() => readLabelFile(`${file}{"id":`, study)).toThrow(/damaged in line 3/);
    for (const phase of ['engine', 'gold'] as const) {
      const others = labelFile(study, 'P1', [event({}), event({ id: 'f', phase })]);
      expect(() => readLabelFile(others, study)).toThrow(/Line 3 is not a person’s label/);
    }
    const [one, two, ...rest] = study.dialogues;
    if (one === undefined || two === undefined) throw new Error('no dialogues');
    const changed = { ...study, dialogues: [one, { ...two, turns: [...two.turns, ...one.turns] }, ...rest] };
    expect(() => readLabelFile(file, changed)).toThrow(/\(d1\) that is not in this study, or has changed/);
    expect(() => readLabelFile(labelFile(study, 'P1', [event({ label: label(1) })]), study)).toThrow(
      /cannot be linked/,
    );
  });
});

describe('who labels what', () => {
  const first = { dialogue: 'd0', turn: 0 };

  test('each dialogue has as many people as it should, and no one has more than one more than another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer(), (people, k, seed) => {
        const of = { ...study, people, peoplePerDialogue: k, seed };
        const shares = codesOf(of).map((code) => dialoguesFor(of, code).filter(({ part }) => part === 'work'));
        const counts = of.dialogues
          .filter(({ part }) => part === 'work')
          .map(({ id }) => shares.filter((share) => share.some((one) => one.id === id)).length);
        expect(new Set(counts)).toEqual(new Set([Math.min(k, people)]));
        const lengths = shares.map(({ length }) => length);
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('the training comes first for everybody; the order is each person’s own, and always the same', () => {
    const all = { ...study, peoplePerDialogue: 5 };
    expect(dialoguesFor(all, 'Ada')[0]?.id).toBe('d0');
    expect(dialoguesFor(all, 'Ada')).toEqual(dialoguesFor(all, 'Ada'));
    expect(dialoguesFor(all, 'Ada')).not.toEqual(dialoguesFor(all, 'Bo'));
    expect(personOf(all, '  Ada  L. ')).toBe('Ada L.');
    expect(personOf(study, ' p3')).toBe('P3');
    expect(personOf(study, 'Ada')).toBeNull();
  });

  test('a name that is known here is that person’s, however its letters are written', () => {
    const all = { ...study, peoplePerDialogue: 5 };
    expect(personOf(all, 'ada l.', ['Bo', 'Ada L.'])).toBe('Ada L.');
    expect(personOf(all, 'ada', ['Ada', 'ada'])).toBe('ada');
    expect(personOf(all, 'Adam', ['Ada'])).toBe('Adam');
    expect(peopleHere({ person: 'Cy', positions: { Bo: first, Cy: first, Ada: first } })).toEqual(['Cy', 'Ada', 'Bo']);
    expect(peopleHere({ person: null, positions: {} })).toEqual([]);
  });

  test('where people have codes, one can be tried as Test, and a second person with a code has its dialogues', () => {
    expect(personOf(study, 'test ')).toBe('Test');
    expect(dialoguesFor(study, 'Test')).toHaveLength(study.dialogues.length);
    const idsFor = (person: string) =>
      dialoguesFor(study, person)
        .map(({ id }) => id)
        .sort();
    expect(idsFor('P1 (2)')).toEqual(idsFor('P1'));
  });
});

test('a study that is given again while where somebody was is still being written leaves them there', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const { id } = await shelf.keep('annotator', study);
  const writing = [
    shelf.change(id, () => ({ person: 'Ada' })),
    shelf.change(id, () => ({ positions: { Ada: { dialogue: 'd0', turn: 1 } } })),
  ];
  const given = await shelf.open(packStudy(study, 'annotator'));
  await Promise.all(writing);
  const kept = { person: 'Ada', positions: { Ada: { dialogue: 'd0', turn: 1 } } };
  expect(given).toMatchObject(kept);
  await shelf.refresh();
  expect(shelf.store.getState().studies).toMatchObject([kept]);
});

test('of two tabs, neither undoes what the other changed, and a study that one removed does not come back', async () => {
  const app = await plainApp();
  const [here, there] = [await app.part(openShelf), await app.part((...of) => openShelf(...of))];
  const { id } = await here.keep('annotator', study);
  await there.change(id, () => ({ person: 'Ada' }));
  await here.change(id, ({ positions }) => ({ positions: { ...positions, Ada: { dialogue: 'd0', turn: 1 } } }));
  await there.change(id, ({ saved }) => ({ saved: { ...saved, Ada: 3 } }));
  const kept = { person: 'Ada', positions: { Ada: { dialogue: 'd0', turn: 1 } }, saved: { Ada: 3 } };
  expect(there.store.getState().studies).toMatchObject([kept]);
  expect(await here.keep('annotator', study)).toMatchObject(kept);
  await there.remove(id);
  await here.change(id, () => ({ person: 'Bo' }));
  expect(here.store.getState().studies).toEqual([]);
  await there.refresh();
  expect(there.store.getState().studies).toEqual([]);
});

test('what is written of a comment is each person’s own, and removed with the study', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const { id } = await shelf.keep('annotator', study);
  const at = { dialogue: 'd0', turn: 1 };
  await shelf.change(id, () => ({ positions: { Ada: at } }));
  const adas = shelf.drafts(study.id, 'Ada');
  adas.save(at, 'which one?');
  expect([adas.read(at), adas.read({ ...at, turn: 0 }), shelf.drafts(study.id, 'Bo').read(at)]).toEqual([
    'which one?',
    '',
    '',
  ]);
  await shelf.remove(id);
  expect(adas.read(at)).toBe('');
});

test('what the decider learned from a study is forgotten once the study is no longer here to be coordinated', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const { storage } = await app.part((kernel) => kernel);
  const lesson = { by: 'correction', at: 1, question: 'topic', message: {}, choices: [], right: 0 } as const;
  const own = { ...lesson, conversationId: 'chat', nodeId: 'n' };
  const taught = { ...lesson, conversationId: lessonsIdOf(study, 'd0'), nodeId: 'n' };
  await app.actions.changeStorage((stored) => stored.replaceLessons([own, taught]));
  const studyTurns = () => app.store.getState().learning.studyTurns;
  const coordinated = await shelf.keep('coordinator', study);
  await shelf.remove((await shelf.keep('annotator', study)).id);
  expect([await storage.lessons(), studyTurns()]).toEqual([[own, taught], 1]);
  await shelf.keep('annotator', study);
  await shelf.remove(coordinated.id);
  expect([await storage.lessons(), studyTurns()]).toEqual([[own], 0]);
});

test('a new version of a study is taken in unless it changes dialogues with labels', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const forAll = { ...study, peoplePerDialogue: study.people };
  await shelf.keep('annotator', forAll);
  await shelf.add([event({})]);
  const mended = { ...forAll, guidelines: 'Without the typo.', dialogues: study.dialogues.slice(0, 5) };
  expect(await shelf.open(packStudy(mended, 'annotator'))).toMatchObject({
    study: { guidelines: 'Without the typo.' },
  });
  const [first, ...rest] = study.dialogues;
  const changed = { ...forAll, dialogues: [first as StudyDialogue, ...rest.slice(1)] };
  await expect(shelf.open(packStudy(changed, 'annotator'))).rejects.toThrow(
    /^Opening this file would lose labels: .*\(Dialogue 1\).* may be an older version.* 1\. save the labels, 2\. /,
  );
  const trained = { ...forAll, dialogues: study.dialogues.map((one) => ({ ...one, part: 'training' as const })) };
  await expect(shelf.open(packStudy(trained, 'annotator'))).rejects.toThrow(/\(Dialogue 1\)/);
  expect(shelf.store.getState().studies).toMatchObject([{ study: { guidelines: 'Without the typo.' } }]);
});

test('a new version does not take a dialogue from who labelled it, as another dialogue would where people have codes', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  await shelf.keep('annotator', study);
  await shelf.keep('coordinator', study);
  const theirs = dialoguesFor(study, 'P1').filter(({ part }) => part === 'work');
  await shelf.add(theirs.map((one) => event({ id: one.id, dialogue: one.id, itemHash: itemHash(one) })));
  const longer = { ...study, dialogues: [...study.dialogues, { ...(study.dialogues[8] as StudyDialogue), id: 'd9' }] };
  const still = dialoguesFor(longer, 'P1').map(({ id }) => id);
  const taken = theirs.filter(({ id }) => !still.includes(id));
  expect(taken).not.toEqual([]);
  await expect(shelf.open(packStudy(longer, 'annotator'))).rejects.toThrow(taken[0]?.name ?? '');
  expect(await shelf.open(packStudy(longer, 'coordinator'), true)).toMatchObject({ study: longer });
});

test('a coordinator’s copy that differs replaces the one here only if it may', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const { id } = await shelf.keep('coordinator', study);
  await shelf.change(id, () => ({ leftOut: ['Test'] }));
  const older = packStudy({ ...study, guidelines: 'Older.' }, 'coordinator');
  expect(await shelf.open(older)).toBeNull();
  expect(shelf.store.getState().studies).toMatchObject([{ study }]);
  expect(await shelf.open(packStudy(study, 'coordinator'))).toMatchObject({ study });
  expect(await shelf.open(older, true)).toMatchObject({ study: { guidelines: 'Older.' }, leftOut: ['Test'] });
});

test('a dialogue that has labels stays in its part: in the other, they would count for nothing', () => {
  const nothing = () => undefined;
  const one = { ...study, dialogues: study.dialogues.slice(1, 2) };
  const switches = (labelled: readonly string[]) => {
    const shown = { study: one, labelled: new Set(labelled), onChange: nothing, onGold: nothing, onRemove: nothing };
    const [, group = ''] =
      /aria-label="(Part of .*?)<\/div>/s.exec(renderToStaticMarkup(createElement(Dialogues, shown))) ?? [];
    return [/^[^"]*/.exec(group)?.[0], group.split(' disabled=""').length - 1];
  };
  expect(switches([])).toEqual(['Part of Dialogue 1', 0]);
  expect(switches(['d1'])).toEqual(['Part of Dialogue 1: it has labels and stays as it is', 2]);
});

test('an edit of a study only writes what it changed', () => {
  const [first, second, third, ...rest] = study.dialogues as [StudyDialogue, StudyDialogue, StudyDialogue];
  const fresh = { ...first, id: 'fresh' };
  const stored = { ...study, guidelines: 'Theirs.', dialogues: [{ ...first, name: 'Theirs' }, second, third, fresh] };
  const after = { ...study, name: 'Mine', dialogues: [first, { ...second, name: 'Mine' }, ...rest] };
  expect(withChanges(stored, study, after)).toEqual({
    ...stored,
    name: 'Mine',
    dialogues: [{ ...first, name: 'Theirs' }, { ...second, name: 'Mine' }, fresh],
  });
});

test('dialogues without a title that two tabs add at once are both kept', () => {
  const adding = (message: string, tag: string) => {
    const turns = [{ message, speaker: null, reply: '', parents: [] }];
    return withDialogues(study, [{ title: '', turns }], false, tag);
  };
  const stored = withChanges(study, study, adding('Theirs.', 'a1'));
  const added = withChanges(stored, study, adding('Mine.', 'b2')).dialogues.slice(study.dialogues.length);
  expect(added.map(({ turns }) => turns[0]?.user)).toEqual(['Theirs.', 'Mine.']);
});

test('the links of a conversation are its gold, except where a turn was moved under a later one', async () => {
  const life = new Life();
  const [a, b] = [life.say(null), life.say(null)];
  const c = life.say(a);
  life.say(c);
  life.move(b, c);
  const { gold } = withDialogues(study, [await dialogueOfLog('Trip', life.entries)], true, 'a1').dialogues.at(-1) ?? {};
  expect(gold?.map((label) => label?.parent ?? null)).toEqual(['new-topic', null, 0, 2]);
});

test('replies are read without the marks of Markdown', () => {
  const assistant = '## Plan\n\n- **Monday**: 5 km\n- _Friday_: 8 km\n\n| Week | Km |\n|---|---|\n| 1 | 13 |\n';
  const plain = plainReply({ user: 'a plan please', assistant });
  expect(plain).toMatch(/^Plan\n\n- Monday: 5 km\n- Friday: 8 km\n/);
  expect(plain).toContain('1 · 13');
  expect(plain).not.toMatch(/[#*_|]/);
  expect(plainReply({ user: 'thanks', assistant: '' })).toBe('');
});

test('what lacks gold and what the decider was trained on are told of one as of several', () => {
  expect(withoutGold(1)).toBe('1 turn has no gold, so it gets no feedback.');
  expect(withoutGold(2)).toBe('2 turns have no gold, so they get no feedback.');
  expect(trainedOnWords(['Trip'], 1)).toContain('was trained on this dialogue: Trip.');
  expect(trainedOnWords(['Trip'], 2)).toContain('was trained on 1 of these 2 dialogues: Trip.');
  expect(trainedOnWords(['Trip', 'Soup'], 2)).toContain('was trained on all of these 2 dialogues: Trip, Soup.');
});
