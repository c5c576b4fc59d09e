import type { NodeCandidate } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import { type Nearness, nearestFirst } from './views.ts';

/** Words that point at something said before, wherever that was. */
const POINTS =
  /\b(?:(?:as|like|what|that|which|when|where) (?:we|you|i)(?:'ve| have| had)? (?:already )?(?:said|discussed|talked|mentioned|spoke|planned|agreed|decided|chose|picked|settled)|(?:we|you|i)(?:'ve| have| had)? (?:talked|spoke|spoken) (?:about|of)|(?:same|similar|just) (?:\w+ ){0,3}(?:as|like) (?:\w+ ){0,3}(?:in|for|with|on|before|earlier)|(?:from|mentioned|discussed) (?:before|earlier)|earlier\b|remember (?:the|that|what|when|how)|(?:compar\w+|combin\w+|together) (?:it |that |this |them )?(?:to|with)|based on (?:the|our|what))/i;

/** From this cosine a turn is near enough that words which point may mean it. Chosen by hand; it only suggests. */
const NEAR = 0.3;
/** How much nearer than the path it has to be, as a cosine: else the words may as well mean the path. */
const NEARER = 0.05;
const MOST = 2;

/**
 * Turns off the path that a message clearly points at ("as we said about Japan"), nearest first. The person may make
 * references of them; nothing is sent for a suggestion's sake.
 */
export const suggestReferences = (forest: Forest, near: Nearness, parentId: NodeId | null): NodeCandidate[] => {
  if (near.embedding === null || !POINTS.test(near.message)) return [];
  const path = pathTo(forest, parentId);
  const onPath = new Set(path.map(({ id }) => id));
  const nearestHere = Math.max(0, ...path.map(({ id }) => near.to(id) ?? 0));
  const elsewhere = Object.values(forest.nodes).filter(({ id }) => !onPath.has(id));
  return nearestFirst(elsewhere, near)
    .filter(({ similarity }) => similarity >= NEAR && similarity >= nearestHere + NEARER)
    .slice(0, MOST)
    .map(({ nodeId, similarity }) => ({ nodeId, similarity }));
};
