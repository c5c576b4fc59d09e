import { expect, test } from 'vitest';
import type { AppState } from '../../app/state.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { idsOf } from '../../domain/table.ts';
import { disabledReason } from '../../ui/commands/command.ts';
import { whatIf } from './feature.ts';

const refusalIn = (state: AppState) => disabledReason(whatIf.commands['what-if-from'], state);

test('starts with a turn that the conversation has now and that is not being answered', async () => {
  const { store, actions } = await plainApp();
  expect(refusalIn(store.getState())).toBe('There is no turn yet.');
  await actions.send('#boat one');
  await actions.send('#boat two');
  const state = store.getState();
  const [first = '', second = ''] = idsOf(state.forest.nodes);
  expect(refusalIn(state)).toBeNull();

  const turn = { nodeId: second, phase: 'replying' as const, replyId: null, unsaved: '' };
  expect(refusalIn({ ...state, turn })).toContain('still being answered');
  // There is no reply to stop.
  expect(refusalIn({ ...state, turn: { ...turn, phase: 'summarising' } })).toContain('still being summarised');
  const session = { ...state.session, selection: [first] };
  expect(refusalIn({ ...state, turn, session })).toBeNull();

  // On the timeline, from before it was deleted.
  await actions.deleteTurns([second], false);
  const past = { count: state.entries.length, forest: state.forest };
  const now = store.getState();
  expect(refusalIn({ ...now, past, session: { ...now.session, selection: [second] } })).toContain(
    'no longer has this turn',
  );
  expect(refusalIn({ ...now, past, session: { ...now.session, selection: [first] } })).toBeNull();
});
