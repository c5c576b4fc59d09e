import type { Forest, NodeId } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { replyText } from '../context-text.ts';
import { earlierTurns } from '../full-history.ts';
import { languageSpoken, latestMessages } from '../text/spoken-language.ts';
import { matchAt, TermReader } from '../text/term-matches.ts';
import { visibleForest } from '../visible-forest.ts';
import type { Retrieve, Retrieved } from './retrieved.ts';

/** A turn and what is known of how near others are to its message. */
export interface RetrievalFor {
  readonly forest: Forest;
  readonly nodeId: NodeId;
  readonly nearness: (nodeId: NodeId) => number | null;
}

const MOST = 50;

/** Retrieval for the turns of one conversation. */
export class Retriever {
  readonly #terms = new TermReader();

  for({ forest: whole, nodeId, nearness }: RetrievalFor): Retrieve {
    return async (query, { limit = MOST } = {}) => {
      const forest = visibleForest(whole, nodeId);
      const turn = nodeOf(forest, nodeId);
      const spoken = languageSpoken([...latestMessages(forest), query]);
      const turns = earlierTurns(forest, turn);
      const matches = this.#terms.matches(
        query,
        spoken,
        turns.map((one) => [one]),
      );
      const found = turns.map((node, at): Retrieved => {
        const { either, pieces } = matchAt(matches, at);
        const lexical = Math.min(1, (either + pieces) / 2);
        const vector = query === turn.message ? nearness(node.id) : null;
        const score = vector === null ? lexical : (2 * lexical + Math.max(0, vector)) / 3;
        return {
          nodeId: node.id,
          score,
          lexical,
          vector,
          rareShared: [],
          passages: [
            { part: 'message', from: 0, to: node.message.length, score },
            { part: 'reply', from: 0, to: replyText(node).length, score },
          ],
        };
      });
      const numbers = new Map(turns.map((node) => [node.id, node.number]));
      const newer = (a: Retrieved, b: Retrieved) => (numbers.get(b.nodeId) ?? 0) - (numbers.get(a.nodeId) ?? 0);
      return found.sort((a, b) => b.score - a.score || newer(a, b)).slice(0, limit);
    };
  }
}
