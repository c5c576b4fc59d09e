import { expect, test } from 'vitest';
import type { RoleState } from '../../app/model-control.ts';
import { readyRoles } from '../../app/testing/plain-app.ts';
import { readersOf } from './prompt-page.tsx';

const model = (state: RoleState['state']): RoleState => ({
  ...readyRoles.decide,
  choice: { kind: 'model', key: 'a' },
  name: 'Small-1B',
  state,
});

test('what ships reads no prompt, and that is said', () => {
  expect(readersOf('topic', readyRoles, null)).toMatchObject({ read: false, page: 'decide' });
  expect(readersOf('summary', readyRoles, null).words).toContain('not a language model');
  const sameAsChat: RoleState = { ...readyRoles.summarise, choice: { kind: 'same-as-chat' } };
  expect(readersOf('title', { ...readyRoles, summarise: sameAsChat }, null).read).toBe(false);
});

test('a language model reads the prompts of its role, when it is here', () => {
  const models = { ...readyRoles, decide: model('ready') };
  expect(readersOf('branch', models, null)).toMatchObject({ words: 'Read by Small-1B.', read: true });
  expect(readersOf('summary', models, null).read).toBe(false);
  expect(readersOf('topic', { ...readyRoles, decide: model('loading') }, null).words).toContain('not loaded yet');
  expect(readersOf('topic', { ...readyRoles, decide: model('failed') }, null).words).toContain('failed');
});

test('a model that was chosen before reads them until the one chosen is here', () => {
  const previous = { name: 'Old-1B', leavesFor: null };
  for (const state of ['loading', 'failed'] as const) {
    const { words } = readersOf('topic', { ...readyRoles, decide: { ...model(state), previous } }, null);
    expect(words).toContain('Meanwhile, Old-1B decides and reads it.');
  }
  const { words } = readersOf('topic', { ...readyRoles, decide: model('loading') }, null);
  expect(words).toContain('the embedded model decides and reads no prompt');
});

test('the model that is asked in doubt reads the questions and no other prompt', () => {
  const consult = { kind: 'model', key: 'a' } as const;
  expect(readersOf('topic', readyRoles, consult)).toMatchObject({ read: true });
  expect(readersOf('title', readyRoles, consult)).toMatchObject({ read: false, page: 'summarise' });
});

test('the chat model that is asked in doubt reads them only if it is a language model', () => {
  const consult = { kind: 'same-as-chat' } as const;
  expect(readersOf('topic', readyRoles, consult)).toMatchObject({ read: false });
  expect(readersOf('topic', { ...readyRoles, chat: model('ready') }, consult)).toMatchObject({ read: true });
});
