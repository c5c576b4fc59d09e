import { shallow } from 'zustand/vanilla/shallow';
import { refusalInWords } from '../../app/edits.ts';
import { type Kernel, notify, stillOpen } from '../../app/kernel.ts';
import { byNumber, type Forest, type NodeId } from '../../domain/forest.ts';
import { nodeOf, pendingTurn } from '../../domain/queries.ts';
import type { StoryScene } from '../../domain/story.ts';
import { recordsOf } from '../../domain/table.ts';
import { Queue } from '../../engine/tasks.ts';
import type { StaticCard, StaticCards } from '../../ui/static-forest/draw-static-forest.ts';

const PANELS = ['message', 'why', 'reply'] as const;

/** Tells a conversation turn by turn, as it happened: what was asked, where it went and why, what was replied. */
export const storyScenes = (forest: Forest): StoryScene[] =>
  recordsOf(forest.nodes)
    .filter(({ hidden }) => !hidden)
    .sort(byNumber)
    .flatMap(({ id, replyId }) =>
      PANELS.filter((panel) => panel !== 'reply' || replyId !== null).map(
        (panel): StoryScene => ({
          id: `${id}:${panel}`,
          nodeId: id,
          panel,
          view: panel === 'why' ? 'path' : 'turn',
          caption: '',
          notes: '',
        }),
      ),
    );

const isShownIn =
  ({ nodes }: Forest) =>
  ({ nodeId }: StoryScene): boolean =>
    nodes[nodeId]?.hidden === false;

/** The scenes of a story whose turns still exist and are not hidden. */
export const existingScenes = (forest: Forest): StoryScene[] => forest.story.filter(isShownIn(forest));

/** The scenes of turns that a story leaves out: those sent after it was told, and those removed from it. */
export const missingScenes = (forest: Forest, story: readonly StoryScene[]): StoryScene[] => {
  const told = new Set(story.map(({ nodeId }) => nodeId));
  return storyScenes(forest).filter(({ nodeId }) => !told.has(nodeId));
};

/** A story with more scenes, each after the last one of an earlier turn. */
export const withScenes = (forest: Forest, story: readonly StoryScene[], more: readonly StoryScene[]): StoryScene[] => {
  const numberOf = ({ nodeId }: StoryScene): number => nodeOf(forest, nodeId).number;
  const left = more.toSorted((a, b) => numberOf(a) - numberOf(b));
  const reversed: StoryScene[] = [];
  for (const scene of story.toReversed()) {
    for (let last = left.at(-1); last !== undefined && numberOf(last) > numberOf(scene); last = left.at(-1)) {
      reversed.push(last);
      left.pop();
    }
    reversed.push(scene);
  }
  return [...left, ...reversed.reverse()];
};

export type StoryChange = (scenes: readonly StoryScene[], forest: Forest) => readonly StoryScene[];

/** Applies a change to one of the scenes. */
export const updateScene = (scenes: readonly StoryScene[], id: string, change: Partial<StoryScene>): StoryScene[] =>
  scenes.map((scene) => (scene.id === id ? { ...scene, ...change } : scene));

/** Swaps a scene with the next one that is shown; does nothing at either end. */
export const moveScene = (forest: Forest, scenes: readonly StoryScene[], id: string, by: -1 | 1): StoryScene[] => {
  const shown = scenes.filter(isShownIn(forest));
  const at = shown.findIndex((scene) => scene.id === id);
  const [own, other] = [shown[at], shown[at + by]];
  if (own === undefined || other === undefined) return [...scenes];
  return scenes.map((scene) => (scene === own ? other : scene === other ? own : scene));
};

/** The story of a conversation, or every step of it if there is none yet. */
export const storyOf = (forest: Forest): StoryScene[] => {
  const own = existingScenes(forest);
  return own.length > 0 ? own : storyScenes(forest);
};

/** The turns that a scene brings into view. */
export const sceneTurns = ({ turns }: StaticCards, { nodeId, view }: StoryScene): NodeId[] => {
  if (view === 'forest') return [];
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const path: StaticCard[] = [];
  for (let turn = byId.get(nodeId); turn !== undefined; turn = byId.get(turn.parentId ?? '')) path.push(turn);
  return path.slice(0, view === 'turn' ? 1 : 4).map(({ id }) => id);
};

/** Whether two forests are drawn the same. */
export const isSameCards = (a: StaticCards, b: StaticCards): boolean =>
  a.width === b.width &&
  a.height === b.height &&
  a.topics.length === b.topics.length &&
  a.turns.length === b.turns.length &&
  a.topics.every((topic, at) => shallow(topic, b.topics[at])) &&
  a.turns.every((turn, at) => shallow(turn, b.turns[at]));

/** A story as text, to prepare what to say. */
export const storyText = (title: string, forest: Forest, scenes: readonly StoryScene[]): string =>
  [
    `# ${title}`,
    ...scenes.flatMap(({ nodeId, panel, caption, notes }, at) => [
      `\n## ${at + 1}. Turn ${nodeOf(forest, nodeId).number}, ${panel}`,
      ...(caption === '' ? [] : [`\n**${caption}**`]),
      ...(notes === '' ? [] : [`\n${notes}`]),
    ]),
  ].join('\n');

/** Resolves once no message is being placed, or another conversation is open. */
const nothingPending = ({ store }: Kernel, isOpen: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (isOpen() && pendingTurn(store.getState().forest) !== null) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });

/** Stores the story of the open conversation; an empty one resets it to every step. */
export const createStory = (kernel: Kernel) => {
  // A change based on an outdated story would revert the previous change.
  const queue = new Queue();

  const tell = async (change: StoryChange, isOpen: () => boolean): Promise<void> => {
    await nothingPending(kernel, isOpen);
    if (!isOpen()) return notify(kernel, 'The story was not changed, since another conversation was opened.');
    const { forest, past } = kernel.store.getState();
    if (past !== null) return notify(kernel, 'Go back to now first: a story is saved with the conversation.');
    // With those of hidden turns, which are shown again with their turns.
    const told = forest.story.filter(({ nodeId }) => forest.nodes[nodeId] !== undefined);
    const before = existingScenes(forest).length > 0 ? told : [...told, ...storyScenes(forest)];
    const scenes = change(before, forest);
    // Steps that are stored unchanged would leave out the turns to come.
    if (scenes.length === before.length && scenes.every((scene, at) => scene === before[at])) return;
    const result = await kernel.record({ type: 'story-told', scenes: [...scenes] });
    if (!result.ok) notify(kernel, refusalInWords(result.refusal));
  };

  return {
    /**
     * Changes the story of the conversation that is open now, after the changes before and once no message is being
     * placed: what was written may be gone from its field by then.
     */
    tell: (change: StoryChange): Promise<void> => {
      const isOpen = stillOpen(kernel);
      return queue.run(() => tell(change, isOpen));
    },
  };
};
