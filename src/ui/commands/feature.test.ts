import { expect, expectTypeOf, test } from 'vitest';
import type { SessionChange } from '../../app/state.ts';
import { plainApp } from '../../app/testing/plain-app.ts';
import { models } from '../../features/models/feature.ts';
import { defineFeature, type FeatureDialogProps } from './feature.ts';

test('a command opens its dialog with its argument, which the next dialog does not get', async () => {
  const { store, actions } = await plainApp();
  const context = { actions, state: store.getState };
  const opened = () => [store.getState().session.dialog, store.getState().session.with];
  models.commands['models-chat'].run(context);
  expect(opened()).toEqual(['models', 'chat']);
  models.commands.models.run(context);
  expect(opened()).toEqual(['models', null]);
  actions.session({ dialog: 'search', with: 'willow' });
  actions.session({ pane: 'forest' });
  expect(opened()).toEqual(['search', 'willow']);
  actions.session({ dialog: null });
  expect(opened()).toEqual([null, null]);
});

const Album = (_: FeatureDialogProps<'cover' | 'index'>) => null;
const Letter = (_: { readonly onClose: () => void }) => null;
const Parcel = (_: FeatureDialogProps & { readonly weight: number }) => null;
const command = { group: 'Go', words: 'Open' } as const;

test('a command whose dialog or argument does not exist does not compile', () => {
  defineFeature({
    dialogs: { album: async () => Album, letter: async () => Letter },
    commands: {
      album: { ...command, opens: 'album' },
      cover: { ...command, opens: 'album', with: 'cover' },
      letter: { ...command, opens: 'letter' },
      // @ts-expect-error
      noSuchDialog: { ...command, opens: 'postcard' },
      // @ts-expect-error
      noSuchPage: { ...command, opens: 'album', with: 'end' },
      // @ts-expect-error
      takesNothing: { ...command, opens: 'letter', with: 'cover' },
    },
  });
  // @ts-expect-error It would open without its weight.
  defineFeature({ dialogs: { parcel: async () => Parcel }, commands: {} });
});

test('nor does opening one like that', () => {
  expectTypeOf<{ dialog: 'evaluate'; with: File[] }>().toExtend<SessionChange>();
  expectTypeOf<{ dialog: 'conversations' }>().toExtend<SessionChange>();
  expectTypeOf<{ dialog: 'postcard' }>().not.toExtend<SessionChange>();
  expectTypeOf<{ dialog: 'models'; with: 'end' }>().not.toExtend<SessionChange>();
  expectTypeOf<{ dialog: 'export'; with: 'chat' }>().not.toExtend<SessionChange>();
  expectTypeOf<{ dialog: 'conversations'; with: 'chat' }>().not.toExtend<SessionChange>();
  expectTypeOf<{ with: 'chat' }>().not.toExtend<SessionChange>();
});
