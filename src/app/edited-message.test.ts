import { describe, expect, test } from 'vitest';
import { violations } from '../domain/invariants.ts';
import { activePath, nodeOf, treesOf } from '../domain/queries.ts';
import { defaultReplySettings } from '../domain/reply.ts';
import { recordsOf } from '../domain/table.ts';
import { countingChat, firstWords, gate, plainModels } from '../engine/testing/plain-models.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { memoryDrafts, plainApp, until } from './testing/plain-app.ts';

const conversation = async (messages: readonly string[], ports?: Parameters<typeof plainApp>[1]) => {
  const app = await plainApp(countingChat(), ports);
  for (const message of messages) await app.actions.send(message);
  const forest = () => app.store.getState().forest;
  const path = () => activePath(forest()).map(({ message }) => message);
  const idOf = (message: string) => recordsOf(forest().nodes).find((node) => node.message === message)?.id ?? '';
  const edit = async (message: string, text: string) => {
    app.actions.session({ editing: { nodeId: idOf(message), text } });
    await app.actions.sendEdited();
  };
  return { ...app, forest, path, idOf, edit };
};

describe('an edited message', () => {
  test('stands beside the one it comes from, as a branch; that one and all below it stay', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    app.actions.session({ draft: 'half a thought' });
    await app.edit('two', 'two, but cheaper');
    expect(app.path()).toEqual(['#trip one', 'two, but cheaper']);
    expect(nodeOf(app.forest(), app.idOf('three')).parentId).toBe(app.idOf('two'));
    expect(nodeOf(app.forest(), app.idOf('two, but cheaper')).decision).toMatchObject({
      by: 'person',
      branch: 'create-branch',
    });
    expect(violations(app.forest())).toEqual([]);
    expect(app.store.getState().session).toMatchObject({ editing: null, draft: 'half a thought' });
  });

  test('that began a topic begins another beside it', async () => {
    const app = await conversation(['#trip one', 'two']);
    await app.edit('#trip one', '#trip one, in May');
    expect(treesOf(app.forest())).toHaveLength(2);
    expect(app.path()).toEqual(['#trip one, in May']);
  });

  test('can be left for the end of what it was edited from', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    await app.edit('two', 'two, but cheaper');
    app.store.getState().notice?.action?.run();
    await expect.poll(app.path).toEqual(['#trip one', 'two', 'three']);
  });

  test('is left for where the branch of what it was edited from was ended', async () => {
    const app = await conversation(['#trip one', 'two', 'three', 'four']);
    await app.actions.endBranch(app.idOf('three'));
    await app.edit('two', 'two, but cheaper');
    app.store.getState().notice?.action?.run();
    await expect.poll(app.path).toEqual(['#trip one', 'two', 'three']);
  });

  test('says so if what it was edited from is gone by then', async () => {
    const app = await conversation(['#trip one', 'two', 'three']);
    await app.edit('two', 'two, but cheaper');
    const { notice } = app.store.getState();
    await app.actions.deleteTurns([app.idOf('three')], false);
    notice?.action?.run();
    await until(app.store, (state) => state.notice?.text === 'That turn no longer exists.');
  });

  test('is taken back in one step', async () => {
    const app = await conversation(['#trip one', 'two']);
    await app.edit('two', 'two, but cheaper');
    await app.actions.undo();
    expect(app.path()).toEqual(['#trip one', 'two']);
  });

  test('that says nothing is not sent, and stays open', async () => {
    const app = await conversation(['#trip one']);
    await app.edit('#trip one', '  ');
    expect(app.forest().turnCount).toBe(1);
    expect(app.store.getState().session.editing).not.toBeNull();
  });

  test('keeps what was written when it is asked for again, or another one is', async () => {
    const app = await conversation(['#trip one', 'two']);
    const [one, two] = [app.idOf('#trip one'), app.idOf('two')];
    const { session } = app.actions;
    const editing = () => app.store.getState().session.editing;
    app.actions.editMessage(one);
    expect(editing()).toEqual({ nodeId: one, text: '#trip one', takesFocus: true });
    session({ editing: { nodeId: one, text: 'one, in May' } });
    app.actions.editMessage(one);
    expect(editing()).toEqual({ nodeId: one, text: 'one, in May', takesFocus: true });
    app.actions.editMessage(two);
    expect(editing()).toMatchObject({ nodeId: one, text: 'one, in May' });
    expect(app.store.getState().notice?.text).toContain('Turn 1 has an unsent edit');
    session({ editing: { nodeId: one, text: '#trip one ' } });
    app.actions.editMessage(two);
    expect(editing()).toMatchObject({ nodeId: two, text: 'two' });
  });

  test('is edited in the chat, which is shown for it', async () => {
    const app = await conversation(['#trip one']);
    app.actions.session({ pane: 'forest', folded: ['chat', 'inspector'] });
    app.actions.editMessage(app.idOf('#trip one'));
    expect(app.store.getState().session).toMatchObject({ pane: 'chat', folded: ['inspector'] });
  });

  test('stays with the conversation it belongs to, as do notes and the place chosen for the next message', async () => {
    const app = await conversation(['#trip one', 'two']);
    const [one, two] = [app.idOf('#trip one'), app.idOf('two')];
    const { conversationId } = app.store.getState();
    const note = { nodeId: one, what: 'note', text: 'half a thought' } as const;
    const gone = { nodeId: two, what: 'note', text: 'another' } as const;
    const target = { kind: 'under', nodeId: one, chosen: true } as const;
    app.actions.session({ editing: { nodeId: one, text: 'else' }, writing: [note, gone], target });
    await app.actions.newConversation();
    expect(app.store.getState().session).toMatchObject({ editing: null, writing: [], target: null });
    await app.actions.openConversation(conversationId);
    expect(app.store.getState().session).toMatchObject({
      editing: { nodeId: one, text: 'else' },
      writing: [note, gone],
      target,
    });
    await app.actions.purgeTurns([one]);
    await app.actions.newConversation();
    await app.actions.openConversation(conversationId);
    expect(app.store.getState().session).toMatchObject({ editing: null, writing: [gone], target: null });
  });

  test.each([
    ['undone', 'seen all the time'],
    ['undone', 'left meanwhile'],
    ['deleted', 'seen all the time'],
    ['deleted', 'left meanwhile'],
  ])('is there again, as is a note, once its turn has come back: %s, %s', async (how, where) => {
    const app = await conversation(['#trip one', 'two']);
    const { conversationId } = app.store.getState();
    const nodeId = app.idOf('two');
    const begun = {
      editing: { nodeId, text: 'two, at length' },
      writing: [{ nodeId, what: 'note', text: 'half a thought' }] as const,
    };
    app.actions.session(begun);
    if (how === 'deleted') await app.actions.deleteTurns([nodeId], false);
    else await app.actions.undo();
    expect(app.path()).toEqual(['#trip one']);
    if (where === 'left meanwhile') {
      await app.actions.newConversation();
      await app.actions.openConversation(conversationId);
    }
    if (how === 'deleted') await app.actions.undo();
    else await app.actions.redo();
    expect(app.path()).toEqual(['#trip one', 'two']);
    expect(app.store.getState().session).toMatchObject(begun);
  });

  test('outlasts the page, as do notes and the place chosen for the next message, until they are done with', async () => {
    const ports = { storage: memoryStorage(), drafts: memoryDrafts() };
    const before = await conversation(['#trip one', 'two'], ports);
    const { conversationId } = before.store.getState();
    const nodeId = before.idOf('#trip one');
    const begun = {
      editing: { nodeId, text: 'one, in May' },
      writing: [{ nodeId, what: 'note', text: 'half a thought' }] as const,
      target: { kind: 'new-topic', chosen: true } as const,
    };
    before.actions.session(begun);
    const later = await plainApp(countingChat(), ports);
    expect(later.store.getState().session).toMatchObject(begun);
    later.actions.session({ editing: null, writing: [], target: null });
    const last = await plainApp(countingChat(), ports);
    expect(last.store.getState().session).toMatchObject({ editing: null, writing: [], target: null });

    ports.drafts.save(`unfinished ${conversationId}`, '{"editing":{"nodeId":7}}');
    const damaged = await plainApp(countingChat(), ports);
    expect(damaged.store.getState().session).toMatchObject({ editing: null, writing: [], target: null });
  });
});

describe('an edited message that waits until the last turn is summarised', () => {
  const waiting = async () => {
    const summarised = gate();
    let isHeld = false;
    const summarise: typeof firstWords.summarise = async (...turn) => {
      if (isHeld) await summarised.opened;
      return firstWords.summarise(...turn);
    };
    const models = plainModels({ summarise: { ...firstWords, summarise } });
    const app = await conversation(['#trip one', 'two'], { models: () => models });
    isHeld = true;
    const last = app.actions.send('three');
    await until(app.store, ({ turn }) => turn?.phase === 'summarising');
    const sent = app.edit('two', 'two, but cheap');
    const goOn = async () => {
      summarised.open();
      await Promise.all([last, sent]);
    };
    const messages = () => recordsOf(app.forest().nodes).map(({ message }) => message);
    return { ...app, goOn, messages, session: () => app.store.getState().session };
  };

  test('goes with its words when the turn is purged, also as another tab stored it', async () => {
    const drafts = memoryDrafts();
    const app = await conversation(['#trip one', 'two'], { drafts });
    const key = `unfinished ${app.store.getState().conversationId}`;
    const [one, two] = [app.idOf('#trip one'), app.idOf('two')];
    const note = { nodeId: one, what: 'note', text: 'a note' };
    drafts.save(key, JSON.stringify({ editing: { nodeId: two, text: 'two' }, writing: [note], target: null }));
    await app.actions.purgeTurns([two]);
    expect(JSON.parse(drafts.read(key))).toEqual({ editing: null, writing: [note], target: null });
    await app.actions.purgeTurns([one]);
    expect(drafts.read(key)).toBe('');
  });

  test('is sent as it was corrected meanwhile', async () => {
    const app = await waiting();
    app.actions.session({ editing: { nodeId: app.idOf('two'), text: 'two, but cheaper' } });
    await app.goOn();
    expect(app.messages()).toEqual(['#trip one', 'two', 'three', 'two, but cheaper']);
    expect(app.session().editing).toBeNull();
  });

  test('is not sent if its original is deleted meanwhile', async () => {
    const app = await waiting();
    await app.actions.deleteTurns([app.idOf('two')], true);
    await app.goOn();
    expect(app.messages()).toEqual(['#trip one', 'three']);
    expect(app.store.getState()).toMatchObject({
      notice: { text: 'The edit was not sent: its turn no longer exists.' },
      problems: [],
    });
  });

  test('is not sent if it is cancelled meanwhile', async () => {
    const app = await waiting();
    app.actions.session({ editing: null });
    await app.goOn();
    expect(app.messages()).toEqual(['#trip one', 'two', 'three']);
  });

  test('leaves alone the edit of another message and the place chosen for the next one', async () => {
    const app = await waiting();
    const another = { nodeId: app.idOf('#trip one'), text: 'one, in May' };
    app.actions.session({ editing: another, target: { kind: 'new-topic' } });
    await app.goOn();
    expect(app.messages()).toEqual(['#trip one', 'two', 'three']);
    expect(app.session()).toMatchObject({ editing: another, target: { kind: 'new-topic' } });
  });
});

describe('reply settings', () => {
  test('reach the model, are kept in the log, and are taken back in one step', async () => {
    const chat = countingChat();
    const app = await plainApp(chat);
    const settings = { ...defaultReplySettings, systemPrompt: 'Answer in rhyme.', temperature: 0.2 };
    await app.actions.setReplySettings(settings);
    await app.actions.send('hello');
    expect(chat.requests.at(-1)?.settings).toEqual(settings);
    expect(chat.requests.at(-1)?.messages[0]?.content).toContain('Answer in rhyme.');
    const next = () => app.store.getState().nextTokens ?? 0;
    await expect.poll(next).toBeGreaterThan(0);
    const before = next();
    await app.actions.setReplySettings({ ...settings, systemPrompt: 'Answer in rhyme, at great length, with care.' });
    await expect.poll(next).toBe(before + 5);
    for (let i = 0; i < 3; i++) await app.actions.undo();
    expect(app.store.getState().forest.replySettings).toEqual(defaultReplySettings);
  });
});
