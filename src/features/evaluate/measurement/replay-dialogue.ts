import { apply } from '../../../domain/apply.ts';
import { type Entry, LOG_VERSION } from '../../../domain/entry.ts';
import { emptyForest, type Forest, type Node, RECALL } from '../../../domain/forest.ts';
import { type Handled, handle, type Intent } from '../../../domain/handle.ts';
import { pendingTurn, replyOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import type { Policy } from '../../../engine/context/policy.ts';
import { Engine } from '../../../engine/engine.ts';
import type { Decider, Dialogue, Models, TokenCounter } from '../../../engine/ports.ts';
import { SHIPPED_SETTINGS } from '../../../engine/settings.ts';
import { USE_LITE_THETA } from '../../../models/embedded/embedded-names.ts';
import { createExtractive } from '../../../models/embedded/extractive/summary.ts';
import { createRecall } from '../../../models/embedded/recall/recall.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { learnedFor } from '../held-out/held-out.ts';
import type { Embed, VectorOf } from './embedded-texts.ts';

/** Milliseconds: nobody waits for it, and on a busy machine no model fails for want of time. */
const UNHURRIED = 3_600_000;

/** A dialogue that was played, and its log. */
interface PlayedDialogue {
  readonly forest: Forest;
  readonly entries: readonly Entry[];
}

/**
 * Plays a dialogue through the engine itself, as the app does, with nothing stored; under the policy that ships where none
 * is given. Rejects where a turn finds no place, and with what `after` throws, which looks at every turn when it is done.
 */
export const replayDialogue = async (
  dialogue: Dialogue,
  models: Models,
  policy: Policy = SHIPPED_SETTINGS.policy,
  after: (node: Node) => void = () => undefined,
): Promise<PlayedDialogue> => {
  const forest = emptyForest();
  const entries: Entry[] = [];
  let ids = 0;
  const newId = () => `id${++ids}`;
  const commit = async (intent: Intent): Promise<Handled> => {
    const handled = handle(forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      const seq = entries.length + 1;
      const entry: Entry = { v: LOG_VERSION, seq, at: seq, step: handled.step, event };
      entries.push(entry);
      apply(forest, entry);
    }
    return handled;
  };
  const engine = new Engine(
    {
      models: () => models,
      embedded: models,
      vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
      settings: () => ({ ...SHIPPED_SETTINGS, policy, parameters: { patience: UNHURRIED } }),
      now: () => performance.now(),
      newId,
    },
    // It changes in place, and a host's forest does not.
    {
      forest: () => ({ ...forest, nodes: { ...forest.nodes }, trees: { ...forest.trees } }),
      commit,
      received: () => undefined,
      phase: () => undefined,
    },
  );
  for (const { message, reply } of dialogue.turns) {
    const event = { type: 'message-sent' as const, nodeId: newId(), message, given: reply, target: null };
    const sent = await commit({ type: 'record', event, step: newId() });
    const pending = pendingTurn(forest);
    if (!sent.ok || pending === null) throw new Error(`a message was refused: ${sent.ok ? 'lost' : sent.refusal}`);
    await engine.turn(pending, new AbortController().signal);
    const node = forest.nodes[pending.id];
    if (node === undefined) throw new Error('a turn found no place');
    after(node);
  }
  return { forest, entries };
};

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
  const replies = new Map(recordsOf(forest.nodes).map((node) => [node.number - 1, replyOf(node)?.text ?? null]));
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
