import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { apply } from '../../domain/apply.ts';
import type { Attachment } from '../../domain/attachment.ts';
import type { Context, Segment } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import { byNumber, emptyForest, type Forest, type Node, type ReplyId } from '../../domain/forest.ts';
import { answerTo, branchTaken, isUnsent, nodeOf, replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import { segmentText } from '../../engine/context/context-text.ts';
import { TITLE_HEIGHT } from '../canvas/geometry.ts';
import { boxOf, cardOf, layoutForest } from '../canvas/layout.ts';
import { formulasAsCode } from '../chat/formulas.ts';
import { whyOf, whyWords } from '../chat/placement-words.ts';
import {
  branchReasons,
  branchRuleWords,
  branchSource,
  branchWords,
  decidedTopic,
  FORMER_TOPIC,
  topicReasons,
  topicRuleWords,
  topicSource,
  topicTitle,
  topicWords,
  untracedWords,
} from '../inspector/decision-words.ts';
import { escapedMarkup, isTooNested, linkTarget, similarity } from '../parts/format.ts';
import { TextLink } from '../parts/text.tsx';
import { authorOf } from '../parts/turn-words.ts';
import type { StaticCard, StaticCards, StaticForest, StaticTurn } from './draw-static-forest.ts';

type Sent = ReadonlyMap<ReplyId, StaticTurn['context']>;

/** Converts a forest to plain data. `entries`: its log, for what was sent at the time. */
export const staticForestOf = async (
  title: string,
  forest: Forest,
  entries: readonly Entry[],
  breathe: () => Promise<void>,
): Promise<StaticForest> => {
  const sent = await contextsIn(entries, breathe);
  const { turns, ...cards } = staticCardsOf(forest);
  const whole: StaticTurn[] = [];
  for (const card of turns) {
    await breathe();
    const node = nodeOf(forest, card.id);
    whole.push({ ...card, ...detailsOf(node, sent), ...staticWords(forest, node) });
  }
  return { title, ...cards, turns: whole, activeId: forest.active?.nodeId ?? null };
};

/** Only the cards, which takes far less time. */
export const staticCardsOf = (forest: Forest): StaticCards => {
  const layout = layoutForest(forest, null);
  const nodes = recordsOf(forest.nodes).toSorted(byNumber);
  return {
    width: layout.width,
    height: layout.height,
    topics: layout.trees.map(({ treeId, order, x, y, tree }) => ({
      title: forest.trees[treeId]?.title ?? '',
      order,
      x: x + (tree.xs[0] ?? 0),
      y: y - TITLE_HEIGHT / 2,
    })),
    turns: nodes.flatMap((node): StaticCard[] => {
      const card = cardOf(layout, node);
      if (card === null) return [];
      const { id, number, parentId, hidden, message } = node;
      const { x, y } = boxOf(card);
      return [{ id, number, parentId, order: card.placed.order, x, y, hidden, message }];
    }),
  };
};

/** What is said of a turn: its reply, where it went and why. */
export const staticWords = (forest: Forest, node: Node): Pick<StaticTurn, 'reply' | 'why' | 'decision'> => {
  const text = answerTo(node);
  return {
    reply: text === '' ? '' : replyMarkup(text),
    why: whyWords(whyOf(forest, node)),
    decision: decisionOf(forest, node),
  };
};

type Details = Pick<StaticTurn, 'files' | 'made' | 'note' | 'model' | 'context' | 'tokens' | 'sent'>;

const detailsOf = (node: Node, sent: Sent): Details => {
  const { attachments = [], note } = node;
  const reply = replyOf(node);
  const isMade = ({ made }: Attachment): boolean => made === true && answerTo(node) !== '';
  return {
    files: attachments.filter((one) => !isMade(one)).map(({ name }) => name),
    made: attachments.filter(isMade).map(({ name }) => name),
    note,
    model: reply === null ? null : authorOf(reply),
    context: reply === null ? [] : (sent.get(reply.id) ?? []),
    tokens: reply?.context?.tokens ?? null,
    sent: reply !== null && !isUnsent(reply),
  };
};

const decisionOf = (forest: Forest, node: Node): StaticTurn['decision'] => {
  const { decision } = node;
  const { trace } = decision;
  const decided = decidedTopic(node);
  const title = trace === null ? (forest.trees[decided]?.title ?? FORMER_TOPIC) : topicTitle(forest, trace, decided);
  const [topic, branch] = [
    `${topicWords(decision)} ${decision.topic === 'create-topic' ? '' : `“${title}”`}`.trim(),
    branchWords(node, branchTaken(forest, node)),
  ];
  const at = branch.at === null ? '' : ` turn ${forest.nodes[branch.at]?.number ?? '?'}`;
  const branched = `${branch.action} ${branch.link}${at}`;
  if (trace === null)
    return [
      { head: topic, lines: [] },
      { head: branched, lines: [untracedWords(decision)] },
    ];
  const near = trace.topic.candidates.map(
    (one) => `${one.title}: ${similarity(one.similarity)}${one.active ? ', where the conversation stood' : ''}`,
  );
  const points = trace.fork.candidates.map(
    ({ nodeId, similarity: value }) => `turn ${forest.nodes[nodeId]?.number ?? '?'}: ${similarity(value)}`,
  );
  return [
    {
      head: `${topic} (${topicSource(trace)})`,
      lines: [topicRuleWords(trace) ?? '', ...near, ...reasonsIn(topicReasons(forest, trace))].filter(Boolean),
    },
    ...(points.length === 0 ? [] : [{ head: 'Nearest turns', lines: points }]),
    {
      head: `${branched} (${branchSource(trace)})`,
      lines: [branchRuleWords(forest, trace), ...reasonsIn(branchReasons(forest, trace))],
    },
  ];
};

const reasonsIn = (reasons: ReturnType<typeof topicReasons>): string[] =>
  (reasons?.rows ?? []).map(({ text, weight }) => `${weight < 0 ? 'against' : 'for'}: ${text}`);

/** What was sent for each reply, with the forest as it was then. */
const contextsIn = async (entries: readonly Entry[], breathe: () => Promise<void>): Promise<Sent> => {
  const sent = new Map<ReplyId, StaticTurn['context']>();
  const forest = emptyForest();
  for (const entry of entries) {
    await breathe();
    const { event } = entry;
    if (event.type === 'reply-started' && event.context !== null) {
      sent.set(event.replyId, segmentsOf(forest, event.context));
    }
    apply(forest, entry);
  }
  return sent;
};

const segmentsOf = (forest: Forest, { segments, pictures }: Context): StaticTurn['context'] => {
  const shown = new Set(pictures?.ids);
  return segments.flatMap((segment) => {
    // In a log made elsewhere, a turn may already be gone.
    const gone = 'nodeId' in segment && forest.nodes[segment.nodeId] === undefined;
    const text = gone ? '' : segmentText(forest, segment, shown);
    return text === '' ? [] : [{ head: segmentHead(forest, segment), text }];
  });
};

const segmentHead = (forest: Forest, segment: Segment): string => {
  const number = 'nodeId' in segment ? forest.nodes[segment.nodeId]?.number : undefined;
  const turn = number === undefined ? 'a turn' : `turn ${number}`;
  switch (segment.kind) {
    case 'instructions':
      return 'Instructions';
    case 'message':
      return 'The message';
    case 'turn':
      return `All of ${turn}`;
    case 'shortened':
      return `Part of ${turn}`;
    case 'fetched':
      return `Fetched: ${turn}`;
    case 'turn-summary':
    case 'reference-summary':
    case 'turn-line':
      return `Summary of ${turn}`;
    case 'overview':
      return 'Other branches and topics';
    case 'memory':
      return 'Memory';
    default:
      return 'Left out';
  }
};

const PLUGINS = [remarkGfm];

/** Pictures stay links, so that nothing is fetched unasked; links into the app lead nowhere here. */
const COMPONENTS: Components = {
  a: ({ href = '', children }) =>
    href === '' || href.startsWith('#') ? (
      <span>{children}</span>
    ) : (
      <TextLink to={href} target="_blank">
        {children}
      </TextLink>
    ),
  img: ({ src, alt }) => (
    <TextLink to={src} target="_blank">
      {alt || 'picture'}
    </TextLink>
  ),
};

/** Deeply nested lists overflow the stack: such a reply is shown as it was written. */
const replyMarkup = (text: string): string => {
  const asWritten = `<p style="white-space:pre-wrap">${escapedMarkup(text)}</p>`;
  if (isTooNested(text)) return asWritten;
  const { text: markdown, rehypePlugins } = formulasAsCode(text);
  try {
    return renderToStaticMarkup(
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        rehypePlugins={rehypePlugins}
        components={COMPONENTS}
        urlTransform={linkTarget}
      >
        {markdown}
      </ReactMarkdown>,
    );
  } catch {
    return asWritten;
  }
};
