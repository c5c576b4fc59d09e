import { PROVENANCE, provenanceWords } from '../../app/provenance.ts';
import { baselineOf } from '../../domain/context.ts';
import { LOG_VERSION } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { conversationTitle, nodeOf, replyOf } from '../../domain/queries.ts';
import { type ExportedFile, fileName, spreadsheet } from '../../ui/parts/download.ts';
import type { DecisionRow } from './analysis.ts';

/** Version of the line format. */
const FORM_VERSION = 2;

interface From {
  readonly conversationId: string;
  readonly forest: Forest;
}

/** The decisions with everything that led to them, as one JSON object per line, in the given order. */
export const tracesFile = (rows: readonly DecisionRow[], { conversationId, forest }: From): ExportedFile => {
  const title = conversationTitle(forest);
  const lines = rows.map((row) => {
    const node = nodeOf(forest, row.nodeId);
    const { treeId, branchId, parentId, decision, label } = node;
    const context = replyOf(node)?.context ?? null;
    const parent = parentId === null ? undefined : forest.nodes[parentId];
    return JSON.stringify({
      coppice: 'decision',
      conversation: { id: conversationId, title },
      turn: row.number,
      nodeId: row.nodeId,
      at: node.at,
      message: row.message,
      placement: {
        treeId,
        branchId,
        parentId,
        topic: forest.trees[treeId]?.title ?? null,
        parentTurn: parent?.number ?? null,
      },
      decision: { topic: decision.topic, branch: decision.branch, by: decision.by },
      confidence: row.confidence,
      margin: row.margin,
      learning: row.learning,
      trace: decision.trace,
      label,
      context:
        context === null
          ? null
          : {
              policy: context.policy,
              tokens: context.tokens,
              plainChatTokens: baselineOf(context),
              fullHistoryTokens: context.fullHistoryTokens,
              unit: context.unit,
            },
      versions: { form: FORM_VERSION, log: LOG_VERSION, settings: row.version },
      madeBy: PROVENANCE,
    });
  });
  return { name: `${fileName(title)}.decisions.jsonl`, text: lines.map((line) => `${line}\n`).join('') };
};

const COLUMNS = [
  'number',
  'message',
  'topic',
  'branch',
  'by',
  'rule',
  'confidence',
  'margin',
  'word',
  'fallbacks',
  'learning',
  'version',
  'policy',
  'tokens',
  'plainTokens',
  'fullTokens',
  'similarity',
  'theta',
  'ms',
] as const satisfies readonly (keyof DecisionRow)[];

/** The table unchanged, for spreadsheets; `unit`: the tokenizer that counted the tokens of a turn. */
export const tableFile = (rows: readonly DecisionRow[], { forest }: From): ExportedFile => {
  const madeBy = provenanceWords();
  const lines = rows.map((row) => {
    const node = nodeOf(forest, row.nodeId);
    const [embedder, unit] = [node.decision.trace?.embedder ?? null, replyOf(node)?.context?.unit ?? null];
    return [...COLUMNS.map((column) => row[column]), row.nodeId, embedder, unit, madeBy];
  });
  return {
    name: `${fileName(conversationTitle(forest))}.decisions.csv`,
    text: spreadsheet([[...COLUMNS, 'nodeId', 'embedder', 'unit', 'app'], ...lines]),
  };
};

/** Context tokens per turn, one column per policy: first the replies’ own contexts, then what others sent or would have sent. */
export const tokensFile = (
  rows: readonly Pick<DecisionRow, 'number' | 'message' | 'policy'>[],
  series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
  forest: Forest,
): ExportedFile => {
  const head = ['turn', 'message', 'policy', ...series.map(({ name }) => name), 'app'];
  const lines = rows.map(({ number, message, policy }, at) => [
    number,
    message,
    policy,
    ...series.map(({ values }) => values[at] ?? null),
    provenanceWords(),
  ]);
  return {
    name: `${fileName(conversationTitle(forest))}.tokens.csv`,
    text: spreadsheet([head, ...lines]),
  };
};
