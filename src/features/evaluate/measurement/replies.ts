import { RECALL } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import type { Decider, Models, TokenCounter } from '../../../engine/ports.ts';
import { USE_LITE_THETA } from '../../../models/embedded/embedded-names.ts';
import { createExtractive } from '../../../models/embedded/extractive/summary.ts';
import { createRecall } from '../../../models/embedded/recall/recall.ts';
import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { learnedFor } from '../held-out/held-out.ts';
import type { Embed } from './contexts.ts';
import type { VectorOf } from './embedded-texts.ts';
import { replayDialogue } from './replay-dialogue.ts';

/** The chat role that replies where a set has user turns only. */
export const REPLIES_BY = RECALL;

/**
 * Gives a dialogue of user turns only the replies that the app would have given with nothing downloaded, from
 * a run of the whole engine. The same replies serve every policy, so that only their contexts differ.
 */
export const createReplies = (vectorOf: VectorOf, tokens: TokenCounter, embed: Embed) => {
  const known = new WeakMap<LabelledDialogue, LabelledDialogue>();
  return async (dialogue: LabelledDialogue): Promise<LabelledDialogue> => {
    const { turns } = dialogue;
    // The engine takes no blank message.
    if (turns.some(({ message, reply }) => reply !== null || message.trim() === '')) return dialogue;
    const replied =
      known.get(dialogue) ?? (await reply(dialogue, modelsFor(learnedFor(dialogue), vectorOf, tokens, embed)));
    known.set(dialogue, replied);
    return replied;
  };
};

const reply = async (dialogue: LabelledDialogue, models: Models): Promise<LabelledDialogue> => {
  const { forest } = await replayDialogue({ title: dialogue.id, turns: dialogue.turns }, models);
  const replies = new Map(Object.values(forest.nodes).map((node) => [node.number - 1, replyOf(node)?.text ?? null]));
  return {
    ...dialogue,
    turns: dialogue.turns.map((turn, at) => ({ ...turn, reply: replies.get(at) ?? null, replyBy: REPLIES_BY })),
  };
};

const modelsFor = (decide: Decider, vectorOf: VectorOf, tokens: TokenCounter, embed: Embed): Models => ({
  chat: createRecall({ tokens, pieceDelay: 0 }),
  decide,
  summarise: createExtractive(),
  embed: {
    name: 'use-lite-en int8',
    dimensions: vectorOf('').length,
    theta: USE_LITE_THETA,
    embed,
  },
});
