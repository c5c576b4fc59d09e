import type { Policy } from '../policy.ts';
import { treeContext } from './tree-context.ts';

/** θ for every embedder: the paper and its code use the same value. */
const THETA = 0.6;

/**
 * Context-Agent as in its authors' published code (Hu et al. 2026), as far as it is known. It differs from the paper in how
 * a turn is placed, not in what is sent:
 *
 * - Topic: instead of one three-way decision, a yes/no question for each leaf path, based on its summaries: first those of
 *   the active topic, starting with the active path; then those of the other topics in order of creation. The first yes
 *   wins and the message continues at the end of that path; without a yes it starts a new topic (`topic-by-paths.ts`).
 * - Fork point: the three nodes of that topic most similar to the message, excluding the active node's direct parent,
 *   whatever the message says, and strictly above 0.6 for every embedder (a θ set by the user takes precedence). The
 *   decider is asked where the paper asks it, but only about these; if it names any turn other than the most similar one,
 *   offered or not, the most similar one is used instead (`topCandidate` in engine/place/branch.ts).
 *
 * Choices made where the code is not known. Order of leaf paths within a topic: first the one where the topic
 * stands, as for the active topic, then in the order in which their branches began. A yes to a path that is not where its
 * topic stands: the message continues from its leaf, which is a switch of branch. An active node with turns after it ends
 * a path of its own. Wording of the question: this project's own, as for the others. At most 32 paths are asked about
 * (`worthAsking` in topic-by-paths.ts selects them); the trace counts the rest.
 *
 * A decider that is not a language model reads no paths: it is asked the topic question once, and says yes to a path if it
 * gives the path's topic more than even odds. All paths of a topic thus get the same answer, the first one speaks for all,
 * and only the branch question determines the branch. If no topic has even odds, the message starts a new topic, likely
 * or not, which is the result of asking one by one.
 *
 * Bugs of that code are not reproduced: sorting summaries and dropping those with the same words. The context is the same
 * as in `context-agent`, including its overview budget.
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
