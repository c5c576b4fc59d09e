import type { Node } from '../domain/forest.ts';
import { branchPlaces } from './branch-places.ts';
import { shownPath } from './node-views.ts';
import type { BranchQuestion, NodeView } from './ports.ts';
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
    // Without retrieval there is the one candidate.
    places: retrieval === 'none' ? places.filter(({ from }) => from.nodeId === forkPoint.nodeId) : places,
    topicSwitched,
    ...told(prompts?.branch),
  };
};

/** The person's own instructions for a question, where there are any. */
export const told = (instructions: string | undefined): { instructions?: string } =>
  instructions === undefined ? {} : { instructions };
