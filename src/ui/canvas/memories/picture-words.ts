import type { Forest, NodeId } from '../../../domain/forest.ts';
import { ranges } from '../../../engine/context/context-text.ts';
import type { MemoryThen } from '../../../engine/history/contexts-then.ts';
import { count, counted } from '../../parts/format.ts';
import type { Picture, PictureCard, PictureSource, Strength } from './picture.ts';

/** The forest that turns are looked up in. */
export const forestOf = ({ memory, context }: PictureSource): Forest | null =>
  memory?.forest ?? context?.forest ?? null;

/** `turns 3–5, 9`; empty where none is there any more. */
export const turnsWords = (forest: Forest, from: readonly NodeId[]): string => {
  const numbers = [...new Set(from.flatMap((id) => forest.nodes[id]?.number ?? []))].sort((a, b) => a - b);
  return numbers.length === 0 ? '' : `${numbers.length === 1 ? 'turn' : 'turns'} ${ranges(numbers)}`;
};

/** What the strengths that a picture has stand for. */
export const legendOf = (
  { cards }: Picture,
  memory: boolean,
): readonly { readonly strength: Strength; readonly words: string }[] => {
  const there = new Set([...cards.values()].map(({ strength }) => strength));
  const words: Readonly<Record<Strength, string>> = memory
    ? { forward: 'recalled', quiet: 'not recalled', back: 'passed over' }
    : { forward: 'sent in full', quiet: 'as a summary', back: 'not sent' };
  return (['forward', 'quiet', 'back'] as const)
    .filter((strength) => there.has(strength))
    .map((strength) => ({ strength, words: words[strength] }));
};

/** A card for those who do not see it. */
export const spokenCard = (card: PictureCard, shown: PictureSource): string => {
  const forest = forestOf(shown);
  const turns = forest === null ? '' : turnsWords(forest, card.from);
  const named = turns === '' || card.name.toLowerCase().endsWith(turns) ? card.name : `${card.name}, ${turns}`;
  return `${named}. ${card.why}. ${card.words.slice(0, 200)}`;
};

/** What is to be said of the whole, part by part. */
export const wholeWords = (shown: PictureSource, picture: Picture | null): string[] => {
  const { memory, context } = shown;
  const tokens = context === null ? [] : [`${count(context.context.tokens)} tokens sent`];
  if (memory !== null) return [...recallWords(memory), ...(memory.cells.length === 0 ? [] : tokens)];
  if (picture === null || picture.cards.size === 0) return ['Nothing was said before this turn.'];
  const of = (strength: Strength) => [...picture.cards.values()].filter((card) => card.strength === strength).length;
  const [full, summary, out] = [of('forward'), of('quiet'), of('back')];
  return [
    counted(picture.cards.size, 'turn'),
    `${full} in full`,
    ...(summary === 0 ? [] : [`${summary} as a summary`]),
    ...(out === 0 ? [] : [`${out} not sent`]),
    ...tokens,
  ];
};

/** What was found for the message, and what the memory went through for it, part by part. */
export const recallWords = ({ cells, recall, cost }: MemoryThen): string[] => {
  if (cells.length === 0) return ['It is empty: nothing was said before this turn.'];
  const { items, levels, skipped = [], read = [] } = recall;
  return [
    counted(cells.length, 'piece'),
    `${items.length} recalled for this message`,
    ...(levels === undefined ? [] : [`${counted(levels, 'level')} visited`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} passed over with all below`]),
    ...(read.length === 0 ? [] : [`${counted(read.length, 'text')} read on the way`]),
    ...(cost.calls === 0
      ? []
      : [`${counted(cost.calls, 'question')} to models, ${counted(cost.read, 'token')} read for it`]),
  ];
};
