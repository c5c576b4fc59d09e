import { expect, test } from 'vitest';
import { plainApp, until } from '../../app/testing/plain-app.ts';
import { applyEntries, fold, frozen } from '../../domain/apply.ts';
import { nodeOf, pendingTurn } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { countingChat, heldDecider, plainModels } from '../../engine/testing/plain-models.ts';
import { press } from '../../ui/commands/testing/press.ts';
import { staticCardsOf, staticForestOf, staticWords } from '../../ui/static-forest/static-forest-of.tsx';
import { presentKey } from './present-dialog.tsx';
import {
  createStory,
  existingScenes,
  isSameCards,
  missingScenes,
  moveScene,
  sceneTurns,
  storyOf,
  storyScenes,
  storyText,
  updateScene,
  withScenes,
} from './scenes.ts';

const life = new Life();
const oak = life.say(null, 'oak');
const leaf = life.say(oak, 'leaf');

test('each turn is told in steps, and a story is kept, undone, and loses what is purged', () => {
  const scenes = storyScenes(life.forest);
  expect(scenes.map(({ nodeId, panel }) => [nodeId, panel])).toEqual([
    [oak, 'message'],
    [oak, 'why'],
    [leaf, 'message'],
    [leaf, 'why'],
  ]);
  const [first] = scenes;
  const story = moveScene(
    life.forest,
    updateScene(scenes, first?.id ?? '', { caption: 'It begins', notes: 'slowly' }),
    first?.id ?? '',
    1,
  );
  expect(story[1]).toMatchObject({ caption: 'It begins' });
  expect(moveScene(life.forest, story, story[0]?.id ?? '', -1)).toEqual(story);
  life.do({ type: 'record', step: life.id(), event: { type: 'story-told', scenes: story } });
  expect(existingScenes(fold(life.entries))).toEqual(story);
  expect(storyText('Trees', life.forest, story)).toContain('**It begins**\n\nslowly');

  const still = staticCardsOf(life.forest);
  expect(sceneTurns(still, { ...story[3], view: 'path' } as (typeof story)[number])).toEqual([leaf, oak]);
  life.do({ type: 'undo' });
  expect(life.forest.story).toEqual([]);
  life.do({ type: 'redo' });
  life.purge([oak]);
  expect(existingScenes(life.forest).every(({ nodeId }) => nodeId === leaf)).toBe(true);
});

test('the cards alone are those of the whole forest, and changing the story leaves them as they are', async () => {
  const other = new Life();
  const root = other.say(null, 'elm');
  other.say(root, 'twig');
  const forest = frozen(fold(other.entries));
  const whole = await staticForestOf('Trees', forest, other.entries, async () => undefined);
  expect(whole).toMatchObject(staticCardsOf(forest));
  for (const turn of whole.turns) expect(turn).toMatchObject(staticWords(forest, nodeOf(forest, turn.id)));

  const before = other.entries.length;
  other.do({ type: 'record', step: other.id(), event: { type: 'story-told', scenes: storyScenes(forest) } });
  const told = applyEntries(forest, other.entries.slice(before));
  expect(told.story).not.toEqual(forest.story);
  const { nodes, children, trees } = told;
  expect([nodes === forest.nodes, children === forest.children, trees === forest.trees]).toEqual([true, true, true]);
});

test('only what is on the cards draws them again, not replies and summaries that come meanwhile', () => {
  const drawnAgain = new Set<string>();
  const came = new Set<string>();
  let forest = frozen(fold([]));
  for (const entry of syntheticLog(12, 3)) {
    const next = applyEntries(forest, [entry]);
    came.add(entry.event.type);
    if (!isSameCards(staticCardsOf(forest), staticCardsOf(next))) drawnAgain.add(entry.event.type);
    forest = next;
  }
  for (const type of ['reply-started', 'reply-received', 'reply-ended', 'summarised']) {
    expect([type, came.has(type), drawnAgain.has(type)]).toEqual([type, true, false]);
  }
  expect(drawnAgain).toContain('turn-placed');
});

test('why a turn went somewhere names the topic that was decided on, not the one it was moved to', () => {
  const other = new Life();
  const elm = other.say(null, 'elm');
  const twig = other.say(elm, 'twig');
  const ash = other.say(null, 'ash');
  const [decided, movedTo] = [elm, ash].map((id) => other.forest.trees[nodeOf(other.forest, id).treeId]?.title);
  const head = () => staticWords(other.forest, nodeOf(other.forest, twig)).decision[0]?.head;
  expect(head()).toContain(`“${decided}”`);
  other.move(twig, ash);
  expect(head()).toContain(`“${decided}”`);
  expect(movedTo).not.toBe(decided);
});

test('turns sent after a story was told can be added in their place, and hidden ones are not shown', () => {
  const other = new Life();
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((text) => other.say(null, text)) as [
    string,
    string,
    string,
    string,
  ];
  const tell = (scenes: ReturnType<typeof storyScenes>) =>
    other.do({ type: 'record', step: other.id(), event: { type: 'story-told', scenes } });
  expect(missingScenes(other.forest, storyOf(other.forest))).toEqual([]);
  tell(storyScenes(other.forest).filter(({ nodeId }) => nodeId === one || nodeId === three));
  const five = other.say(null, 'five');
  const missing = missingScenes(other.forest, storyOf(other.forest));
  expect(new Set(missing.map(({ nodeId }) => nodeId))).toEqual(new Set([two, four, five]));
  expect(withScenes(other.forest, storyOf(other.forest), missing)).toEqual(storyScenes(other.forest));
  // In an order of their own, too, each comes after what was before it.
  const own = storyOf(other.forest).filter(({ panel }) => panel === 'message');
  const turned = withScenes(
    other.forest,
    own.toReversed(),
    missing.filter(({ panel }) => panel === 'message'),
  );
  expect(turned.map(({ nodeId }) => nodeId)).toEqual([three, one, two, four, five]);

  other.do({ type: 'record', step: other.id(), event: { type: 'turns-hidden', nodeIds: [three], hidden: true } });
  expect(storyOf(other.forest).every(({ nodeId }) => nodeId === one)).toBe(true);
  // A scene of a hidden turn stays in its place and is stepped over.
  const scenes = [four, three, one].flatMap((nodeId) =>
    storyScenes(life.forest)
      .slice(0, 1)
      .map((scene) => ({ ...scene, id: nodeId, nodeId })),
  );
  expect(moveScene(other.forest, scenes, four, 1).map(({ id }) => id)).toEqual([one, three, four]);
});

test('a change that changes nothing stores no story, so that turns to come are told', async () => {
  const { actions, part, store } = await plainApp();
  await actions.send('oak');
  const { tell } = await part(createStory);
  const told = () => store.getState().forest.story;
  const steps = storyScenes(store.getState().forest);
  await tell((all, forest) => moveScene(forest, all, steps[0]?.id ?? '', -1));
  await tell((all, forest) => moveScene(forest, all, steps.at(-1)?.id ?? '', 1));
  expect(told()).toEqual([]);
  await tell((all, forest) => moveScene(forest, all, steps[0]?.id ?? '', 1));
  expect(told().slice(0, 2)).toEqual([steps[1], steps[0]]);
  await tell(() => []);
  expect(told()).toEqual([]);
});

test('what is written while a message is being placed is stored after that, and in no other conversation', async () => {
  const { decide, letGo } = heldDecider();
  const { actions, part, store } = await plainApp(countingChat(), { models: () => plainModels({ decide }) });
  await actions.send('oak');
  const { conversationId } = store.getState();
  const { tell } = await part(createStory);
  const captions = () => store.getState().forest.story.map(({ caption }) => caption);
  const [scene, next] = storyScenes(store.getState().forest);
  const write = (caption: string, id = scene?.id) => tell((all) => updateScene(all, id ?? '', { caption }));
  const sending = actions.send('leaf');
  await until(store, ({ forest }) => pendingTurn(forest) !== null);
  const left = [write('An oak'), tell((all, forest) => [...all, ...storyScenes(forest)])];
  await actions.newConversation();
  await actions.send('ash');
  await Promise.all(left);
  expect(store.getState().forest.story).toEqual([]);
  expect(store.getState().notice?.text).toMatch(/^The story was not changed/);
  await actions.openConversation(conversationId);
  await until(store, ({ forest }) => pendingTurn(forest) !== null);
  const written = [write('It begins'), write('For a reason', next?.id)];
  letGo();
  await Promise.all([sending, ...written]);
  expect(captions().slice(0, 2)).toEqual(['It begins', 'For a reason']);
  expect(captions()).not.toContain('An oak');
});

test('while presenting, letters work under Caps Lock, and Enter opens a link that has the focus', () => {
  const on = (...parts: string[]) => ({
    closest: (selectors: string) => (parts.some((part) => selectors.includes(part)) ? ({} as never) : null),
  });
  expect(presentKey(press('f'), on(), true)).toBe('F');
  expect(presentKey(press('F'), on(), true)).toBe('F');
  expect(presentKey(press(' '), on(), true)).toBe('Space');
  expect(presentKey(press('Enter'), on(), true)).toBe('Enter');
  expect(presentKey(press('Enter'), on('a[href]'), true)).toBeNull();
  expect(presentKey(press(' '), on('a[href]'), true)).toBe('Space');
  expect(presentKey(press(' '), on('button'), true)).toBeNull();
  expect(['f', '+', ' '].map((key) => presentKey(press(key), on(), false))).toEqual([null, null, null]);
  expect(presentKey(press('ArrowRight'), on(), false)).toBe('ArrowRight');
});
