import type { TopicAnswer } from '../../domain/decision.ts';
import type { TreeId } from '../../domain/forest.ts';
import type { NodeView, OnAsked, TopicQuestion } from '../ports.ts';

/** Whether a message goes on in a path of turns: asked of one path after the other where no topic is asked for. */
export interface PathQuestion {
  readonly message: string;
  readonly treeId: TreeId;
  /** Title of its topic. */
  readonly title: string;
  /** Root first; of a very long one the root and its last turns. */
  readonly path: readonly NodeView[];
  /** It is the active path. */
  readonly active: boolean;
  /** The topic question about the message, the same one for all its paths. */
  readonly among: TopicQuestion;
  readonly onAsked?: OnAsked;
}

export interface PathAnswer extends Omit<TopicAnswer, 'action' | 'alternatives'> {
  readonly yes: boolean;
  /** The answer to the topic question that it was read from; left out where the path itself was asked about. */
  readonly among?: TopicAnswer & { readonly target: TreeId | null };
}
