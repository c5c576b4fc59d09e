import type { Node } from '../../domain/forest.ts';
import type { BranchPlace, BranchQuestion, NodeView } from '../ports.ts';
import { branchPlaces } from './branch-places.ts';
import { shownPath } from './node-views.ts';
import type { RouteInput } from './route.ts';

/** The branch question about a message that would go on from `current`. */
export const branchQuestion = (
  {
    forest,
    near,
    retrieval,
    parameters,
    prompts,
  }: Pick<RouteInput, 'forest' | 'near' | 'retrieval' | 'parameters' | 'prompts'>,
  current: Node,
  forkPoint: NodeView,
  candidates: readonly NodeView[],
  topicSwitched: boolean,
): BranchQuestion => {
  const places = branchPlaces(forest, current, near, candidates);
  return {
    message: near.message,
    path: shownPath(forest, current.id, near),
    pathLength: near.pathTo(forest, current.id).length,
    retrieved: candidates.slice(0, parameters.k),
    forkPoint,
    places: places.filter((place) => isOffered(place, { retrieval, forkPoint, candidates })),
    topicSwitched,
    embedding: near.embedding,
    spoken: near.spoken,
    seen: (nodeId) => {
      const message = near.meanOf([nodeId], 'messages');
      const reply = near.meanOf([nodeId], 'replies');
      return {
        replySimilarity: near.toReply(nodeId) ?? 0,
        vectors: { tipMessage: message, tipReply: reply, messages: message, replies: reply },
      };
    },
    ...told(prompts?.branch),
  };
};

interface Offered {
  readonly retrieval: RouteInput['retrieval'];
  readonly forkPoint: NodeView;
  readonly candidates: readonly NodeView[];
}

const isOffered = ({ from, nearest }: BranchPlace, { retrieval, forkPoint, candidates }: Offered): boolean => {
  switch (retrieval) {
    // Without retrieval there is the one candidate.
    case 'none':
      return from.nodeId === forkPoint.nodeId;
    // Of the candidates alone, each of which stands for its branch, too.
    case 'top-candidate':
      return candidates.some(({ nodeId }) => nodeId === from.nodeId || nodeId === nearest?.nodeId);
    default:
      return true;
  }
};

/** The person's own instructions for a question, where there are any. */
export const told = (instructions: string | undefined): { instructions?: string } =>
  instructions === undefined ? {} : { instructions };
