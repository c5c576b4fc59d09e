import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/** θ, whatever the embedder: the paper's and its code's alike. */
const THETA = 0.6;

/**
 * Context-Agent as its authors' published code has it (Hu et al. 2026), as far as that is known. It strays from the paper
 * in how a turn finds its place, and not in what is sent:
 *
 * - Topic: in place of one three-way decision a yes or no to each leaf path, by its summaries: those of the active topic
 *   first, the active path before the others; then those of the other topics in order of creation. The first yes wins,
 *   and the message goes on at the end of that path; where there is none, it begins a new topic (`topic-by-paths.ts`).
 * - Fork point: the three nodes of that topic most similar to the message, without the active node's direct parent,
 *   whatever the message says, and strictly above 0.6, whatever the embedder (a θ that the person sets stands before
 *   it). The decider is asked where the paper asks it, about these alone; a turn that it names in place of the most
 *   similar one, offered or not, is replaced by that (`topCandidate` in fork-point.ts).
 *
 * What is not known was settled so. In which order the leaf paths of one topic come: first the one at which the topic
 * stands, as for the active topic, then in the order in which their branches began. What a yes means for a path that is
 * not where its topic stands: the message goes on from its leaf, and that is a switch of branch. An active node that has
 * turns after it ends a path of its own. How the question reads: our own words, as for the others. Not more than 32 paths
 * are asked about (`worthAsking` in leaf-paths.ts says which); the trace counts the rest.
 *
 * A decider that is no language model reads no path: it is asked the topic question once, and says yes to a path where
 * it gives its topic more than even odds. So all paths of a topic have the same answer, the first speaks for all, and
 * which branch it is, only the branch question tells. Where no topic has even odds, it is a new one, likely or not: that
 * is what asking one by one comes to.
 *
 * Left out are the slips of that code: summaries sorted and with those of the same words dropped. The context is as in
 * `context-agent`, the budget of its overview included.
 */
export const contextAgentCode: Policy = {
  name: 'context-agent-code',
  about:
    'Like context-agent, with places found as in the authors’ published code: a yes or no for one path after another, and forks only from the most similar turn, above 0.6.',
  retrieval: 'top-candidate',
  topicBy: 'leaf-paths',
  theta: THETA,
  sendsPath: true,
  onlyGrows: true,
  build: (input) => treeContext(contextAgentCode.name, input),
};
