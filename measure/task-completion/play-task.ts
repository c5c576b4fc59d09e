import type { Node } from '../../src/domain/forest.ts';
import { fallbacksOf, replyOf } from '../../src/domain/queries.ts';
import { answerOf } from '../../src/domain/reply.ts';
import type { Policy } from '../../src/engine/context/policy.ts';
import { kindNamed, ModelFailure, type ModelFailureKind } from '../../src/engine/model-failure.ts';
import type { Models } from '../../src/engine/ports.ts';
import type { ContextRecord } from '../../src/features/evaluate/measurement/contexts.ts';
import { replayDialogue } from '../../src/features/evaluate/measurement/replay-dialogue.ts';
import { isUnusable } from '../server-model.ts';
import type { Task } from './tasks.ts';

/** A task that a chat model was given turn by turn, each from the context that a policy built of what it had said before. */
export interface PlayedTask {
  /** Its last answer, without what it thought before; null where it gave none. */
  readonly answer: string | null;
  /** Why replies failed, one a turn that has none. The conversation went on without them, as in the app. */
  readonly failed: readonly ModelFailureKind[];
  /** Replies that ended at the limit of their tokens. */
  readonly cut: number;
  /** What was sent; the first turn, which has no history, is left out. */
  readonly contexts: readonly ContextRecord[];
}

/**
 * Plays a task through the engine itself. Rejects with a ModelFailure where the server fails, and where a model stood in for
 * another: that would be measured as if it were the other.
 */
export const playTask = async (
  { id, messages }: Task,
  models: Models,
  policy: Policy,
  turnDone: () => void,
): Promise<PlayedTask> => {
  const failed: ModelFailureKind[] = [];
  const contexts: ContextRecord[] = [];
  let last: Node | null = null;
  let cut = 0;
  const after = (node: Node): void => {
    const where = `${policy.name}, turn ${node.number} of ${id}`;
    const [fallback] = fallbacksOf(node);
    if (fallback !== undefined) throw new ModelFailure('unknown', `${where}: ${fallback.from} failed. ${fallback.why}`);
    const reply = replyOf(node);
    if (reply === null || reply.state !== 'done') {
      const kind = kindNamed(reply?.failureKind);
      if (!isUnusable(kind)) throw new ModelFailure(kind ?? 'unknown', `${where}: ${reply?.failure ?? 'no reply'}`);
      failed.push(kind);
    }
    if (reply?.usage?.cut === true) cut++;
    if (reply?.context && node.number > 1) {
      const { tokens, fullHistoryTokens } = reply.context;
      const none = { needed: 0, found: 0, goldTokens: 0, disputed: false };
      contexts.push({ subject: policy.name, turn: node.number - 1, tokens, fullHistoryTokens, ...none });
    }
    last = node;
    turnDone();
  };
  const turns = messages.map((message) => ({ message, reply: null }));
  await replayDialogue({ title: id, turns }, models, policy, after);
  return { answer: answerIn(last), failed, cut, contexts };
};

/** What a turn was answered in whole; null where the reply failed or only thought. */
const answerIn = (node: Node | null): string | null => {
  const reply = node === null ? null : replyOf(node);
  const answer = reply?.state === 'done' ? answerOf(reply.text).trim() : '';
  return answer === '' ? null : answer;
};
