import type { Forest, NodeId } from '../../../domain/forest.ts';
import type { BuiltContext, Policy } from '../../../engine/context/policy.ts';
import { USE_LITE_THETA } from '../../../models/embedded/embedded-names.ts';
import type { Question, QuestionedDialogue } from '../datasets/questioned-dialogue.ts';
import { countSize, historyTokensOf } from '../needs/need-counts.ts';
import { isSent, sentTexts } from '../needs/sent-texts.ts';
import { budgetOf, type Size, suffixOf } from '../needs/sizes.ts';
import { type ContextParts, contextBuilder, historyTokens, inFull, type Tried } from './contexts.ts';
import { add } from './metric.ts';
import type { Placements, Placing } from './placements.ts';
import { nodeIdOf, Replay } from './replay.ts';
import type { ContextSubject } from './subjects.ts';

/** Tokens. Wider than any conversation of these sets: what a policy wants to send is compared. */
const WINDOW = 4_000_000;

/** A question with the context that one policy builds for it. */
export interface AskedQuestion {
  readonly question: Question;
  readonly subject: string;
  readonly size: Size;
  /** The conversation with the question in its place. */
  readonly forest: Forest;
  readonly nodeId: NodeId;
  readonly built: BuiltContext;
}

/**
 * Asks questions of a conversation, each as its next message, after all of its turns, as if no other had been
 * asked. The turns stand where the engine itself placed them, and it places the question, too.
 */
export async function* askedQuestions(
  dialogue: QuestionedDialogue,
  questions: readonly Question[],
  { parents, decisions }: Pick<Placements, 'parents' | 'decisions'>,
  placing: Placing,
  subjects: readonly ContextSubject[],
  sizes: readonly Size[],
  parts: ContextParts & { readonly window?: number },
): AsyncGenerator<AskedQuestion> {
  const { vectorOf, window = WINDOW } = parts;
  const { subject: placedBy, policy: routing, theta = USE_LITE_THETA } = placing;
  const decider = placing.deciderFor(dialogue);
  const replay = new Replay(vectorOf, routing);
  const buildWith = contextBuilder(parts, window);
  const buildIn = (message: string, place: Tried) => {
    const near = replay.nearness(message);
    return (policy: Policy, contextBudget: number | null) => buildWith(policy, place, near, contextBudget);
  };

  for (const [turn, labelled] of dialogue.turns.entries()) {
    const parent = parents[turn] ?? null;
    const parentId = parent === null ? null : nodeIdOf(parent);
    const place = replay.tried(labelled.message, parentId, decisions[turn] ?? undefined);
    replay.place(labelled, parentId, await buildIn(labelled.message, place)(routing, null));
  }
  for (const question of questions) {
    const { parentId, decision } = await replay.route(question.text, decider, theta);
    const [failed] = decision.trace?.fallbacks ?? [];
    if (failed !== undefined) throw new Error(`${placedBy} failed at a question of ${dialogue.id}: ${failed.why}`);
    const place = replay.tried(question.text, parentId, decision);
    takeBack(replay.forest);
    const build = buildIn(question.text, place);
    const own = await build(routing, null);
    for (const { subject, policy, equalTokens } of subjects) {
      for (const size of equalTokens ? [null] : sizes) {
        const budget = equalTokens ? historyTokens(own.context) : budgetOf(size, historyTokensOf(own.context));
        const built = policy === routing && size === null ? own : await build(policy, budget);
        yield { question, subject, size, ...place, built };
      }
    }
  }
}

/** The message that waits for its place is as if it had never been sent. */
const takeBack = (forest: Forest): void => {
  forest.turnCount -= Object.keys(forest.pending).length;
  forest.pending = {};
};

/** Adds what the context of a question has of its evidence: of its utterances word for word, or of its turns in full. */
export const countEvidence = (
  counts: Record<string, number>,
  { question, size, forest, built: { context, overview } }: AskedQuestion,
): void => {
  const known = overview === null ? forest : { ...forest, overviews: { ...forest.overviews, [overview.id]: overview } };
  const sent = sentTexts(known, context);
  countSize(counts, sent, context, size);
  const { evidence, evidenceTexts } = question;
  if (evidence.length === 0) return;
  const full = inFull(context);
  const found =
    evidenceTexts === undefined
      ? evidence.filter((turn) => full.has(turn)).length / evidence.length
      : evidenceTexts.filter((text) => isSent(text, sent)).length / evidenceTexts.length;
  add(counts, `questions${suffixOf(size)}`);
  add(counts, `evidence recall${suffixOf(size)}`, found);
};
