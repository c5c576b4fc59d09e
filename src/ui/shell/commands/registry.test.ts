import { expect, test } from 'vitest';
import type { AppState, TurnProgress } from '../../../app/state.ts';
import { plainApp } from '../../../app/testing/plain-app.ts';
import { recordsOf, sizeOf } from '../../../domain/table.ts';
import { resultOf } from '../../../domain/testing/plain-forest.ts';
import { countingChat } from '../../../engine/testing/plain-models.ts';
import { features } from '../../../features/features.ts';
import { paletteGroups, turnsFound } from '../../../features/palette/palette-rows.ts';
import { type Command, disabledReason } from '../../commands/command.ts';
import { Keymap } from '../../commands/keymap.ts';
import { commandsOf, runCommand } from './registry.ts';

const commands = commandsOf(features);

const withTurns = async (...messages: string[]) => {
  const { actions, store } = await plainApp(countingChat());
  for (const message of messages) await actions.send(message);
  return { actions, state: store.getState };
};

const named = (id: string): Command => {
  const command = commands.find((one) => one.id === id);
  if (command === undefined) throw new Error(`no command ${id}`);
  return command;
};

// Commands that press a button on the page depend on the page.
const onPage = new Set(['rename-conversation', 'play']);
const offPage = commands.filter(({ id }) => !onPage.has(id));

test('every command with keys can be done, and every one that can be done can have keys', () => {
  expect(commands.map(({ id }) => id).sort()).toEqual([...new Keymap(features).ids].sort());
});

test('where there is no turn yet, what needs one says so in words', async () => {
  const { state } = await withTurns();
  for (const id of ['regenerate', 'delete', 'next-fork', 'hide', 'undo'] as const) {
    expect(disabledReason(named(id), state())).toMatch(/^There is no/);
  }
  expect(disabledReason(named('delete-conversation'), state())).toBe('This conversation is empty.');
  for (const command of offPage) expect(disabledReason(command, state()) ?? '.').toMatch(/[.]$/);
  expect(disabledReason(named('regenerate'), { ...state(), phase: 'opening' })).toBe(
    'The conversation is still being opened.',
  );
});

test('in the past nothing that changes the conversation can be done', async () => {
  const { actions, state } = await withTurns('#a one', '#a two');
  actions.travel(3);
  for (const id of ['undo', 'delete', 'compose', 'make-active', 'confirm', 'edit-message'] as const) {
    expect(disabledReason(named(id), state())).toContain('past');
  }
  expect(disabledReason(named('now'), state())).toBeNull();
});

test('steps through time go on from the moment that is on its way', async () => {
  const { actions, state } = await withTurns('#a one', '#a two', '#a three');
  const asked: (number | null)[] = [];
  const step = (id: 'earlier' | 'change-earlier' | 'now', reaching: number | null) => {
    const travel = (count: number | null) => void asked.push(count);
    runCommand(id, features, { actions: { ...actions, travel }, state: () => ({ ...state(), reaching }) });
    return asked.at(-1) as number;
  };
  for (const id of ['earlier', 'change-earlier'] as const) {
    const first = step(id, null);
    expect(step(id, first)).toBeLessThan(first);
  }
  expect(step('now', 3)).toBeNull();
});

test('a command is about the selected turns, else about the active one, and says which', async () => {
  const { actions, state } = await withTurns('#a one', '#a two', '#a three');
  expect(named('delete').wordsNow?.(state())).toBe('Delete · turn 3');
  const [first, second] = recordsOf(state().forest.nodes);
  actions.selectMany([first?.id ?? '', second?.id ?? ''], first?.id ?? null);
  expect(named('hide').wordsNow?.(state())).toBe('Hide · 2 turns');
  expect(disabledReason(named('note'), state())).toBe('Select one turn only.');
});

test('the draft is sent like by its button: also if it is files alone, and while a summary is being made', async () => {
  const { actions, state } = await withTurns('#a one');
  const refusal = (session: Partial<AppState['session']>, phase?: TurnProgress['phase']) =>
    disabledReason(named('send'), {
      ...state(),
      session: { ...state().session, ...session },
      turn: phase === undefined ? null : { nodeId: 'n', phase, replyId: null, unsaved: '' },
    });
  const attached = [{ id: 'f', name: 'notes.txt', mediaType: 'text/plain', size: 1, text: 'x' }];
  expect(refusal({})).toBe('Write a message first.');
  expect(refusal({ attached })).toBeNull();
  expect(refusal({ attaching: [new File(['x'], 'notes.txt')] })).toBeNull();
  expect(refusal({ draft: 'two' }, 'summarising')).toBeNull();
  expect(refusal({ draft: 'two' }, 'replying')).toContain('Stop it');
  actions.travel(1);
  expect(refusal({})).toContain('past');
});

test('a command that cannot be done says why instead of doing it', async () => {
  const { actions, state } = await withTurns('#a one');
  runCommand('redo', features, { actions, state });
  expect(state().notice?.text).toBe('There is nothing to redo.');
});

test('where the next message goes is told as what is so', async () => {
  const { actions, state } = await withTurns('#a one');
  runCommand('next-new-topic', features, { actions, state });
  expect(state().notice?.text).toBe('The next message begins a new topic.');
  runCommand('next-anywhere', features, { actions, state });
  expect(state().notice?.text).toBe('Coppice places the next message.');
});

test('only what is folded in this conversation is unfolded, and only if something is', async () => {
  const { actions, state } = await withTurns('#a one', '#a two');
  const [first] = recordsOf(state().forest.nodes);
  actions.session({ collapsed: ['elsewhere'] });
  expect(disabledReason(named('expand-all'), state())).toBe('Nothing is folded.');
  actions.session({ collapsed: ['elsewhere', first?.id ?? ''] });
  expect(disabledReason(named('expand-all'), state())).toBeNull();
  runCommand('expand-all', features, { actions, state });
  expect(state().session.collapsed).toEqual(['elsewhere']);
});

test('where the next message goes is chosen with the chat in view, to write it', async () => {
  const { actions, state } = await withTurns('#a one', '#a two');
  const [first] = recordsOf(state().forest.nodes);
  for (const choose of [
    () => runCommand('next-new-topic', features, { actions, state }),
    () => actions.forkFrom(first?.id ?? ''),
  ]) {
    actions.session({ folded: ['chat', 'inspector'], pane: 'forest' });
    choose();
    expect(state().session).toMatchObject({ folded: ['inspector'], pane: 'chat' });
  }
});

test('the reply settings are a dialog of the session, open whatever becomes of the chat', async () => {
  const { actions, state } = await withTurns('#a one');
  actions.session({ folded: ['chat'] });
  runCommand('reply-settings', features, { actions, state });
  expect(state().session.dialog).toBe('reply-settings');
});

test('what is below a turn is unfolded also where only the neighbours of the active path are shown', async () => {
  const { actions, state } = await withTurns('#a one', '#a two', '#a three');
  const [first, second, third] = recordsOf(state().forest.nodes);
  await actions.activate(first?.id ?? '');
  actions.select(second?.id ?? null);
  const folding = () => {
    runCommand('collapse', features, { actions, state });
    const { nearPath, collapsed } = state().session;
    return { nearPath, collapsed };
  };
  actions.session({ nearPath: true });
  expect(folding()).toEqual({ nearPath: false, collapsed: [] });
  expect(folding()).toEqual({ nearPath: false, collapsed: [second?.id] });
  // A tip among several has nothing that could be folded.
  actions.selectMany([second?.id ?? '', third?.id ?? ''], second?.id ?? null);
  expect(folding()).toEqual({ nearPath: false, collapsed: [] });
});

test('done by its id, a command does what it says', async () => {
  const { actions, state } = await withTurns('#a one', '#a two');
  runCommand('delete', features, { actions, state });
  await expect.poll(() => sizeOf(state().forest.nodes)).toBe(1);
  runCommand('undo', features, { actions, state });
  await expect.poll(() => sizeOf(state().forest.nodes)).toBe(2);
});

test('the palette finds commands by some of their letters, turns by number and words, conversations by title', async () => {
  const { actions, state } = await withTurns('#trip a flat in Lisbon', '#trip a quiet street');
  await actions.newConversation();
  await actions.send('#code a broken parser');
  await actions.send('#code on line 12');
  const listed = commands
    .filter(({ id }) => !onPage.has(id))
    .map((command) => ({ command, words: command.words, refusal: disabledReason(command, state()) }));
  const found = (query: string) =>
    paletteGroups(query, listed, [], state(), resultOf(turnsFound(query, state().forest))).flatMap(({ rows }) =>
      rows.map(({ kind, key }) => `${kind} ${key}`),
    );
  const idOf = (number: number) => recordsOf(state().forest.nodes).find((node) => node.number === number)?.id;

  expect(found('thdark')[0]).toBe('command theme-dark');
  expect(found('undo')[0]).toBe('command undo');
  expect(found('gguf')[0]).toBe('command models-add');
  expect(found('turn 2')).toContain(`turn ${idOf(2)}`);
  expect(found('parser')).toContain(`turn ${idOf(1)}`);
  expect(found('trip a flat').some((row) => row.startsWith('conversation '))).toBe(true);
  expect(found('zzqqxx')).toEqual(['search search-all']);
});

test('without a query the palette has everything once, what was used lately first', async () => {
  const { state } = await withTurns('#a one');
  const listed = offPage.map((command) => ({ command, words: command.words, refusal: null }));
  const groups = paletteGroups('', listed, ['theme-dark', 'export'], state(), []);
  expect(groups[0]).toMatchObject({ heading: 'Recently used', rows: [{ key: 'theme-dark' }, { key: 'export' }] });
  const keys = groups.flatMap(({ rows }) => rows.map(({ key }) => key));
  expect(keys.length).toBe(listed.length);
  expect(new Set(keys).size).toBe(keys.length);
});

test('of two that match as well, the one used lately is first, and one that cannot be done is last', async () => {
  const { state } = await withTurns('#a one');
  const listed = commands
    .filter(({ id }) => id.startsWith('theme-'))
    .map((command) => ({ command, words: 'Theme', refusal: command.id === 'theme-system' ? 'So already.' : null }));
  const [group] = paletteGroups('theme', listed, ['theme-dark'], state(), []);
  expect(group?.rows.map(({ key }) => key)).toEqual(['theme-dark', 'theme-light', 'theme-system']);
});

test('no two features have a dialog of the same name', () => {
  const names = features.flatMap(({ dialogs }) => Object.keys(dialogs));
  expect(new Set(names).size).toBe(names.length);
});
