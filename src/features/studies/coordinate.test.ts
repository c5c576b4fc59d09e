import { strFromU8, unzipSync } from 'fflate';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { AppContext } from '../../ui/app-context.ts';
import { createPageTask } from '../../ui/parts/progress.tsx';
import { answersTo, goldOf, placeAmong, turnsToSettle, turnsUntil } from './adjudicate.ts';
import type { AskingProgress } from './ask-engine.tsx';
import { AgreementPage } from './coordinate-agreement.tsx';
import {
  addFileAs,
  addFiles,
  type Coordination,
  disputedTurns,
  eventsOf,
  firstMode,
  labelConfusion,
  modesIn,
  peopleTable,
  sharedDialogues,
  withLatestLabels,
  withoutPeople,
} from './coordinate-data.ts';
import { ExportPage } from './export-page.tsx';
import type { LabelEvent } from './label-events.ts';
import {
  convoKitCorpus,
  goldForEvaluate,
  goldLines,
  goldTable,
  ircLinks,
  isComplete,
  ntmLabels,
  rawTable,
} from './label-files.ts';
import { progressWords, settledWords } from './label-words.ts';
import type { StudyDialogue, StudyLabel } from './study.ts';
import { leastShown, pairsOf, studyFigures } from './study-figures.ts';
import { reportFile } from './study-report.ts';
import { openShelf } from './study-shelf.ts';
import { eventsBy, labelled, PEOPLE, smallStudy } from './testing/small-study.ts';

const study = smallStudy();
const people = Object.keys(PEOPLE);
const events = people.flatMap((person) => eventsBy(study, person));

const settled = (turn: number, words: string, at: number): LabelEvent => ({
  ...(events.find((event) => event.dialogue === 'trip' && event.turn === turn) as LabelEvent),
  id: `gold-${turn}-${at}`,
  person: 'gold',
  phase: 'gold',
  at,
  label: labelled(words)[0] ?? null,
  reason: 'ambiguous',
});

/** A page of the coordinator, as first drawn. */
const pageOf = async (page: ComponentType<Coordination>, said: readonly LabelEvent[]): Promise<string> => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const kept = await shelf.keep('coordinator', study);
  const nothing = { add: async () => true, look: () => undefined };
  const tasks = {
    asking: createPageTask<AskingProgress>(),
    teaching: createPageTask<number>(),
    reporting: createPageTask<true>(),
  };
  const shown = createElement(page, { shelf, kept, events: said, mode: 'blind', tasks, ...nothing });
  return renderToStaticMarkup(createElement(AppContext, { value: app }, shown));
};

const textsIn = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]));

test('people: how much, how fast, fast guesses, and gold that they did not know of', () => {
  const [ann, ben, cem] = peopleTable(study, events, 'blind');
  expect([ann?.person, ben?.person, cem?.person]).toEqual(people);
  expect(ann).toMatchObject({ labelled: 15, of: 15, outlier: null, guesses: [], gold: { right: 1, of: 1 } });
  expect(ben).toMatchObject({ gold: { right: 0, of: 1 }, training: { right: 3, of: 3 } });
  expect(cem).toMatchObject({ outlier: 'fast', guesses: [{ turn: 3 }, { turn: 3 }], training: { right: 2, of: 3 } });
  expect(ben?.cells[1]).toMatchObject({ labelled: 8, flagged: 1 });
  const taken = { ...(events.at(-1) as LabelEvent), id: 'taken-back', at: Date.now(), label: null };
  expect(peopleTable(study, [...events, taken], 'blind')[2]).toMatchObject({ labelled: 14, of: 15 });
});

test('who has an open turn is not told to have done all', () => {
  expect(progressWords({ labelled: 299, of: 300 })).toBe('99 %');
  expect(progressWords({ labelled: 300, of: 300 })).toBe('100 %');
  expect(progressWords({ labelled: 29, of: 100 })).toBe('29 %');
  expect(progressWords({ labelled: 0, of: 0 })).toBe('–');
});

test('of an even number, the median is between the middle ones, and so is the pace that others are compared with', () => {
  const [first] = eventsBy(study, 'Ann').filter(({ phase }) => phase === 'work') as [LabelEvent];
  const took = (person: string, ...seconds: number[]): LabelEvent[] =>
    seconds.map((worked, turn) => ({ ...first, turn, person, id: `${person} ${turn}`, worked: worked * 1000 }));
  expect(peopleTable(study, took('Ann', 1, 9), 'blind')).toMatchObject([{ pace: 5000 }]);
  const outliers = (one: number, other: number) =>
    peopleTable(study, [...took('Ann', one), ...took('Ben', other)], 'blind').map(({ outlier }) => outlier);
  expect(outliers(4, 9)).toEqual([null, null]);
  expect(outliers(1, 9)).toEqual(['fast', null]);
});

test('a comment before a label is part of its time, and one after it is no label', () => {
  const [first] = eventsBy(study, 'Ann').filter(({ phase }) => phase === 'work') as [LabelEvent];
  const flagged = { ...first, id: 'a', label: null, comment: 'odd', worked: 9000 };
  const given = { ...first, id: 'b', comment: 'odd', worked: 800, at: first.at + 1 };
  const after = { ...given, id: 'c', comment: 'very odd', worked: 700, at: first.at + 2 };
  expect(peopleTable(study, [flagged, given, after], 'blind')).toMatchObject([{ pace: 9800, guesses: [] }]);
});

test('the table of raw labels has the time that a label took, also where a comment, undo or redo came after it', () => {
  const [first] = eventsBy(study, 'Ann').filter(({ phase }) => phase === 'work') as [LabelEvent];
  const secondsIn = (...said: readonly Partial<LabelEvent>[]) => {
    const all = said.map((one, at): LabelEvent => ({ ...first, at: first.at + at, id: `${at}`, ...one }));
    const [head = '', row = ''] = rawTable(study, all).text.split('\r\n');
    return row.split(',')[head.split(',').indexOf('seconds')];
  };
  const flagged = { label: null, comment: 'odd' };
  expect(secondsIn({ worked: 25_000 }, { comment: 'odd', worked: 4000 })).toBe('25');
  expect(secondsIn({ ...flagged, worked: 25_000 }, { comment: 'odd', worked: 1500 })).toBe('26.5');
  const undone = { label: null, of: '0', worked: 800 };
  expect(secondsIn({ worked: 25_000 }, undone, { of: '0', worked: 300 })).toBe('25');
  expect(secondsIn({ worked: 25_000 }, undone, { ...flagged, worked: 900 })).toBe('');
  // Training has no pace, but its labels took their time too.
  expect(secondsIn({ phase: 'training', worked: 7000 }, { phase: 'training', comment: 'odd', worked: 1 })).toBe('7');
});

test('a label that is revised at once is no fast guess, and its turn is counted once', () => {
  const [first] = eventsBy(study, 'Ann').filter(({ phase }) => phase === 'work') as [LabelEvent];
  const slip = { ...first, id: 'a', worked: 9000, label: labelled('?S')[0] ?? null };
  const revised = { ...first, id: 'b', worked: 800, at: first.at + 1 };
  expect(peopleTable(study, [slip, revised], 'blind')).toMatchObject([{ pace: 9800, guesses: [] }]);
});

test('who is left out counts for nothing, and what was settled stays', () => {
  const engine = { ...(events[0] as LabelEvent), id: 'engine', phase: 'engine' as const };
  const left = withoutPeople([...events, engine, settled(4, '?S', 10)], ['Ann', 'gold']);
  expect(peopleTable(study, left, 'blind').map(({ person }) => person)).toEqual(['Ben', 'Cem']);
  expect(left.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['engine', 'gold']));
  expect(goldOf(study, left, 'blind')[0]?.turns[4]).toMatchObject({ basis: 'settled' });
});

test('files of somebody whose name is taken wait for an answer, which holds for all of them', async () => {
  const app = await plainApp();
  const shelf = await app.part(openShelf);
  const { study: kept } = await shelf.keep('coordinator', study);
  await shelf.add(eventsBy(study, 'Ann'));
  const others = eventsBy(study, 'Ben').map((event) => ({ ...event, person: 'Ann' }));
  const early = { name: 'ann.jsonl', person: 'Ann', events: others.slice(0, 5) };
  const late = { ...early, events: others };
  expect(await addFiles(shelf, kept, [early, late])).toEqual({ results: [], doubtful: [early, late] });
  await addFileAs(shelf, early, 'Ann (2)');
  expect(await addFiles(shelf, kept, [late])).toMatchObject({
    results: [{ words: 'Ann (2): 10 new entries', refused: false }],
    doubtful: [],
  });
});

test('labels given beside the engine’s are never put together with others', () => {
  const assisted = events.map((event) => (event.person === 'Cem' ? { ...event, mode: 'assisted' as const } : event));
  expect(peopleTable(study, assisted, 'blind').map(({ person }) => person)).toEqual(['Ann', 'Ben']);
  expect(peopleTable(study, assisted, 'assisted').map(({ person }) => person)).toEqual(['Cem']);
  const [gold] = goldOf(study, assisted, 'assisted');
  expect(gold?.turns.every(({ basis }) => basis === 'one-person')).toBe(true);
});

test('a study that was tried out in the other mode opens in its own, from the first training that comes back', () => {
  const [trial, training] = (['work', 'training'] as const).map((part) => events.filter(({ phase }) => phase === part));
  const assisted = (training ?? []).map((event) => ({ ...event, mode: 'assisted' as const }));
  const modes = modesIn([...(trial ?? []), ...assisted]);
  expect(modes).toEqual(['blind', 'assisted']);
  expect(firstMode({ mode: 'assisted' }, modes)).toBe('assisted');
  expect(firstMode({ mode: 'assisted' }, modesIn(trial ?? []))).toBe('blind');
  expect(firstMode({ mode: 'assisted' }, modesIn([]))).toBe('assisted');
});

test('of all dialogues, those with turns that two people labelled are counted for their agreement', () => {
  const shared = (said: readonly LabelEvent[], among = people) =>
    sharedDialogues(withLatestLabels(study.dialogues.slice(1), eventsOf(said, ['work'], 'blind')), pairsOf([among]));
  expect(shared(events)).toBe(2);
  const part = events.filter(({ person, dialogue, turn }) => dialogue !== 'desk' || (person === 'Ann') === turn < 2);
  expect(shared(part, ['Ann', 'Ben'])).toBe(1);
  expect(shared(part)).toBe(2);
  expect(shared(events, ['Ann'])).toBe(0);
});

test('one person’s labels are compared with those of a decider as soon as it has joined', async () => {
  const anns = eventsBy(study, 'Ann');
  const work = anns.filter(({ phase }) => phase === 'work');
  const engine = work.map(
    (event): LabelEvent => ({
      ...event,
      id: `engine-${event.id}`,
      person: 'paper’s rule, focused',
      phase: 'engine',
    }),
  );
  expect(await pageOf(AgreementPage, anns)).toContain('Labels from only one person.');
  const joined = await pageOf(AgreementPage, [...anns, ...engine]);
  expect(joined).toContain('1 person, blind, 2 dialogues');
  expect(joined).toMatch(/<th scope="col">paper’s rule, focused<small>with each person/);
  expect(joined).not.toMatch(/only one person|Confusions|disputed/);
  // Two deciders agree with each other where nobody labelled, which says nothing of that person.
  const another = engine.map((event) => ({ ...event, id: `another-${event.id}`, person: 'untaught, focused' }));
  const fewer = anns.filter(({ dialogue }) => dialogue !== 'desk');
  expect(await pageOf(AgreementPage, [...fewer, ...engine, ...another])).toContain('1 person, blind, 1 of 2 dialogues');
  expect(await pageOf(AgreementPage, events)).toContain('Most disputed turns');
});

test('what people differ about, most first, and what they took for what', () => {
  const dialogues = withLatestLabels(study.dialogues.slice(1), eventsOf(events, ['work'], 'blind'));
  const disputed = disputedTurns(dialogues, people);
  expect(disputed[0]).toMatchObject({ dialogue: 'desk', turn: 2, parents: 2, actions: 2, pairs: 3 });
  expect(disputed.map(({ dialogue, turn }) => `${dialogue} ${turn}`).sort()).toEqual([
    'desk 2',
    'desk 3',
    'trip 4',
    'trip 5',
    'trip 7',
  ]);
  // Who gives further parents to a turn differs too, and is settled, but that is the least of disputes.
  const further = events.map((event) =>
    event.id === 'Ann-trip-6' ? { ...event, label: labelled('4+2S')[0] ?? null } : event,
  );
  const more = disputedTurns(withLatestLabels(study.dialogues.slice(1), eventsOf(further, ['work'], 'blind')), people);
  expect(more).toHaveLength(6);
  expect(more.at(-1)).toMatchObject({ dialogue: 'trip', turn: 6, parents: 0, actions: 0, differing: 2, pairs: 3 });
  expect(turnsToSettle(goldOf(study, further, 'blind'))).toHaveLength(more.length);
  const cells = labelConfusion(dialogues, people);
  expect(cells[1]?.[4]?.turns).toEqual([
    { dialogue: 'desk', turn: 2 },
    { dialogue: 'desk', turn: 2 },
  ]);
  expect(cells[4]?.[1]?.turns).toEqual([]);
});

test('settling: agreed turns are filled in, answers have no names, and any answer holds until it is taken back', () => {
  const gold = goldOf(study, events, 'blind');
  expect(turnsToSettle(gold)).toHaveLength(5);
  expect(gold[0]?.turns[0]).toMatchObject({ basis: 'agreed', label: { parent: 'new-topic' } });
  const answers = answersTo(events, { dialogue: 'trip', turn: 4 }, 'blind');
  expect(answers.map(({ people: given }) => given).sort()).toEqual([1, 2]);
  expect(answers.map(({ letter }) => letter)).toEqual(['A', 'B']);
  expect(JSON.stringify(answers)).not.toMatch(/Ann|Ben|Cem/);
  expect(answers.flatMap(({ comments }) => comments)).toEqual(['Ramiro or the whole trip?']);

  const other = [...events, settled(4, '?S', 10)];
  expect(goldOf(study, other, 'blind')[0]?.turns[4]).toMatchObject({
    basis: 'settled',
    reason: 'ambiguous',
    label: { parent: 'elsewhere' },
  });
  const back = [...other, { ...settled(4, '?S', 11), label: null }];
  expect(goldOf(study, back, 'blind')[0]?.turns[4]).toMatchObject({ basis: 'open', label: null });
});

test('the turn being settled stays when files that arrive bring others before it, and gives way once nobody differs on it', () => {
  const items = turnsToSettle(goldOf(study, events, 'blind'));
  const [first, second, ...others] = items.map(({ ...item }) => item);
  if (first === undefined || second === undefined) throw new Error('too few');
  const place = { at: 0, item: second };
  expect(placeAmong([second, ...others], place)).toEqual(place);
  expect(placeAmong([first, second, ...others], place)).toEqual({ at: 1, item: second });
  expect(placeAmong([first, ...others], { at: 1, item: second })).toEqual({ at: 1, item: others[0] });
  expect(placeAmong([first], { at: 3, item: second })).toEqual({ at: 0, item: first });
  expect(placeAmong([], place)).toEqual({ at: 0, item: null });
  expect(placeAmong(items, { at: 0, item: null })).toEqual({ at: 0, item: first });
});

test('an adjudicator is told how far they are, of one turn too', () => {
  expect(settledWords(1, 4)).toBe('1 of 4 turns settled');
  expect(settledWords(0, 1)).toBe('0 of 1 turn settled');
  expect(settledWords(4, 4)).toBe('All 4 turns are settled and in the gold (see Export).');
  expect(settledWords(1, 1)).toBe('The only turn is settled and in the gold (see Export).');
});

test('every answer has a key of its own that is not one for another turn', () => {
  const first = events.find((event) => event.dialogue === 'trip' && event.turn === 4) as LabelEvent;
  const many = Array.from({ length: 26 }, (_, at) => {
    const label = { ...(labelled('1S')[0] as StudyLabel), tags: [`tag ${at}`] };
    return { ...first, id: `many-${at}`, person: `P${at}`, label };
  });
  const letters = answersTo(many, { dialogue: 'trip', turn: 4 }, 'blind').map(({ letter }) => letter);
  expect(letters.join(' ')).toBe('A B C D E F G H I L M N O P Q R S T U V W X Y Z A2 B2');
});

test('a turn that people agree on once it was settled can still be reopened, and then holds what they agree on', () => {
  const agreed = labelled('1S')[0] ?? null;
  const revised = events.map((event) =>
    event.dialogue === 'trip' && event.turn === 4 ? { ...event, label: agreed } : event,
  );
  const kept = [...revised, settled(4, '?S', 10)];
  expect(goldOf(study, kept, 'blind')[0]?.turns[4]).toMatchObject({ basis: 'settled', disputed: false });
  expect(turnsToSettle(goldOf(study, kept, 'blind'))).toContainEqual({ dialogue: 'trip', turn: 4 });
  const reopened = goldOf(study, [...kept, { ...settled(4, '?S', 11), label: null }], 'blind');
  expect(reopened[0]?.turns[4]).toMatchObject({ basis: 'agreed', label: agreed });
  expect(turnsToSettle(reopened)).not.toContainEqual({ dialogue: 'trip', turn: 4 });
});

test('an adjudicator sees as much of a dialogue as its annotators did', () => {
  const [, trip] = study.dialogues as [StudyDialogue, StudyDialogue];
  const seen = turnsUntil(trip, 2);
  expect(seen).toHaveLength(3);
  expect(seen.map(({ assistant }) => assistant !== '')).toEqual([true, true, false]);
});

const whole = [...events, settled(4, '1S', 10), settled(5, '5+2B', 11), settled(7, '5S', 12)];
const gold = goldOf(study, whole, 'blind');

test('gold in the forms of others, of dialogues of which no turn is open', () => {
  const complete = gold.filter(isComplete);
  expect(complete.map(({ dialogue }) => dialogue.id)).toEqual(['trip']);
  const irc = textsIn(ircLinks(study, complete).bytes);
  expect(irc['trip.ascii.txt']).toMatch(/^\[00:00\] <user> Two days in Lisbon/);
  expect(irc['trip.annotation.txt']).toBe('0 0 -\n0 1 -\n2 2 -\n2 3 -\n0 4 -\n4 5 -\n1 5 -\n3 6 -\n4 7 -\n');
  const ntm = textsIn(ntmLabels(study, complete).bytes);
  expect(JSON.parse(ntm['ntm/labels.json'] ?? '')).toEqual([
    { conversation_id: 'trip', parent: [0, 1, 0, 3, 1, 5, 4, 5], also: { 6: [2] }, disputed: [5, 6, 8] },
  ]);
  const corpus = textsIn(convoKitCorpus(study, complete).bytes);
  const utterances = (corpus['small-talk/utterances.jsonl'] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(utterances).toHaveLength(16);
  expect(utterances[0]).toMatchObject({ id: 'trip-1', conversation_id: 'trip-1', reply_to: null });
  expect(utterances[8]).toMatchObject({ id: 'trip-5', conversation_id: 'trip-1', reply_to: 'trip-1-reply' });
  expect(utterances[12]).toMatchObject({ conversation_id: 'trip-3' });
  const ids = new Set(utterances.map(({ id }) => id));
  expect(utterances.every(({ reply_to: to }) => to === null || ids.has(to))).toBe(true);
});

test('gold that would be an empty file cannot be saved', async () => {
  const disabled = async (said: readonly LabelEvent[]) => {
    const [, files = ''] = /aria-label="Gold as a file">(.*?)<\/ul>/.exec(await pageOf(ExportPage, said)) ?? [];
    return [...files.matchAll(/ disabled="">.*?<b>(.*?)<\/b>/g)].map(([, name]) => name);
  };
  expect(await disabled(events)).toEqual(['JSON lines', 'ConvoKit', 'IRC disentanglement', 'NTM labels']);
  expect(await disabled(whole)).toEqual([]);
});

test('the gold of two studies of one name goes to Evaluate as two files', async () => {
  const [ours, theirs] = [goldForEvaluate(study, gold), goldForEvaluate({ ...study, id: 'other' }, gold)];
  expect(ours.name).not.toBe(theirs.name);
  expect(await ours.text()).toBe(goldLines(study, gold).text);
});

test('labels and gold as tables, and the report with its pictures', () => {
  const lines = goldLines(study, gold).text.trim().split('\n');
  expect(JSON.parse(lines[0] ?? '').turns[5]).toMatchObject({ parent: 5, also: [2], basis: 'settled', disputed: true });
  expect(goldTable(study, gold).text.split('\r\n')).toHaveLength(1 + 12 + 1);
  // Without a byte order mark, Excel misreads letters beyond ASCII.
  for (const { text } of [goldTable(study, gold), rawTable(study, whole)])
    expect(text).toMatch(/^\uFEFF(?:dialogue|person),/);
  const ofLines = lines.flatMap((line) =>
    JSON.parse(line).turns.map(({ disputed }: { disputed: boolean }) => disputed),
  );
  const column = goldTable(study, gold)
    .text.split('\r\n')
    .slice(1, -1)
    .map((row) => /,(?:agreed|settled|open),(yes|no),/.exec(row)?.[1] === 'yes');
  expect(column).toEqual(ofLines);
  const raw = rawTable(study, whole).text.split('\r\n');
  expect(raw).toHaveLength(1 + 45 + 1);
  expect(raw.filter((row) => row.includes('Ramiro or'))).toHaveLength(1);
  const [first] = eventsBy(study, 'Ben') as [LabelEvent];
  // A person may go by the name that settled labels are stored under.
  const named = whole.map((one) => (one.person === 'Ann' ? { ...one, person: 'gold' } : one));
  expect(rawTable(study, named).text.split('\r\n')).toHaveLength(1 + 45 + 1);
  const flagged = (turn: number, comment?: string): LabelEvent => ({
    ...first,
    id: `${turn}`,
    person: 'Dan',
    turn,
    label: null,
    ...(comment === undefined ? {} : { comment }),
  });
  expect(
    rawTable(study, [flagged(0), flagged(1, 'Cut off.')])
      .text.split('\r\n')
      .slice(1),
  ).toEqual([expect.stringMatching(/^Dan,birds,2,training,blind,,,,,,Cut off\.,/), '']);

  const dialogues = withLatestLabels(study.dialogues.slice(1), eventsOf(events, ['work'], 'blind'));
  const reportOf = (peoplePerDialogue: number, said = events) =>
    textsIn(
      reportFile({
        study: { ...study, name: 'C:\\a_b ^ ~5 % {κ}', peoplePerDialogue },
        mode: 'blind',
        rows: peopleTable(study, said, 'blind'),
        columns: [
          { title: 'People with each other', figures: studyFigures(dialogues, [people]) },
          {
            title: 'Ann with each',
            figures: studyFigures(dialogues, [
              ['Ann', 'Ben'],
              ['Ann', 'Cem'],
            ]),
          },
        ],
        confusions: labelConfusion(dialogues, people).map((row) => row.map(({ turns }) => turns.length)),
        gold,
        trainedOn: ['Trip'],
      }).bytes,
    );
  const files = reportOf(1);
  expect(files['report.md']).toMatch(/\| Link F1 \| 0\.\d{3} \[0\.\d\d, \d\.\d\d\], n 36 \| \S+ \[.*\], n 24 \|\n/);
  expect(files['report.md']).toContain('assigned to 1 person.');
  expect(reportOf(study.people)['report.md']).toContain('assigned to everybody.');
  expect(files['report.md']).toContain('3 people gave 36 labels in 2 of 2 dialogues with 12 turns in total, without');
  const learning = events.filter(({ person, phase }) => person !== 'Cem' || phase === 'training');
  expect(reportOf(1, learning)['report.md']).toContain('2 people gave 24 labels in 2 of 2 dialogues');
  const begun = events.filter(({ dialogue, turn }) => dialogue === 'trip' && turn < 3);
  expect(reportOf(1, begun)['report.md']).toContain(
    '3 people gave 9 labels in 1 of 2 dialogues with 12 turns in total',
  );
  expect(reportOf(1, learning)['report.md']).toContain('| Cem | 3 of 15 |');
  expect(files['report.md']).toMatch(/\| Ann \| 15 of 15 \| \d+ \| [\d.]+ \| 0 \| 1 of 1 \|/);
  expect(files['report.md']).toMatch(/\| Cem \| 15 of 15 \| \d+ \| [\d.]+ \(fast\) \| 2 \|/);
  expect(files['report.md']).toContain('ambiguous 3');
  expect(files['report.md']).toContain('trained on 1 dialogue of these (Trip)');
  for (const picture of ['agreement.svg', 'confusions.svg']) expect(files[picture]).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(files['agreement.svg']).not.toContain('>−0.25<');
  expect(files['agreement.tex']).toContain('\\begin{tabular}');
  expect(files['agreement.tex']).toContain(
    'Agreement in C:\\textbackslash{}a\\_b \\textasciicircum{} \\textasciitilde{}5 \\% \\{$\\kappa$\\}, with',
  );
});

test('tags of several words are told apart in the tables', () => {
  const [first] = events as [LabelEvent];
  const tagged = { ...first, label: { ...(first.label as StudyLabel), tags: ['follow up', 'recall'] } };
  expect(rawTable(study, [tagged]).text).toContain(',"follow up, recall",');
});

test('agreement below chance is drawn below 0, not at it', () => {
  const figure = { id: 'cohen', value: -0.2, interval: [-0.5, 0.1], n: 9 } as const;
  expect(leastShown([figure])).toBe(-0.5);
  expect(leastShown([{ ...figure, interval: null }])).toBe(-0.25);
  expect(leastShown([{ ...figure, value: 0.4, interval: null }])).toBe(0);
  expect(leastShown([])).toBe(0);
  const made = reportFile({
    ...{ study, mode: 'blind', rows: [], confusions: [], gold: [], trainedOn: [] },
    columns: [{ title: 'People', figures: [figure] }],
  });
  const picture = textsIn(made.bytes)['agreement.svg'] ?? '';
  const xOf = (mark: RegExp) => Number(mark.exec(picture)?.[1]);
  const dot = xOf(/stroke-width="2"\/><circle cx="([\d.]+)"/);
  const zero = xOf(/<text x="([\d.]+)"[^>]*>0<\/text>/);
  expect(dot).toBeLessThan(zero);
  expect(picture).toContain('>−0.25<');
});
