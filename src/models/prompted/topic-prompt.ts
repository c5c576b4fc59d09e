import type { ChatMessage } from '../../domain/context.ts';
import type { TopicAction } from '../../domain/decision.ts';
import type { TreeId } from '../../domain/forest.ts';
import { summaryText } from '../../engine/context/overview.ts';
import type { TopicQuestion, TopicView } from '../../engine/ports.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { type Choice, MOST_CHOICES, nonsense } from './choice.ts';
import { clip } from './clip.ts';
import { fitting } from './fitting.ts';
import { lastTurn } from './last-turn.ts';
import { instructionsFor, TOPIC_INSTRUCTIONS } from './prompts.ts';

/** Characters: of a topic's summaries, of its title, and of the message. */
const SUMMARIES = 400;
const TITLE = 240;
const MESSAGE = 1200;

export interface TopicPrompt {
  readonly messages: readonly ChatMessage[];
  /** By number, from 1. */
  readonly topics: readonly TopicView[];
}

/** The question which topic a message belongs to, about the active topic and the nearest others. */
export const topicPrompt = async (generator: TextGenerator, question: TopicQuestion): Promise<TopicPrompt> => {
  const foremost = question.topics
    .toSorted((a, b) => Number(b.active) - Number(a.active) || b.similarity - a.similarity)
    .slice(0, MOST_CHOICES);
  const fit = await fitting(generator, foremost.map(lineOf));
  const listed = new Set(foremost.slice(0, fit));
  // In order of creation: what stands first is the same from message to message.
  const topics = question.topics.filter((topic) => listed.has(topic));
  const current = topics.findIndex(({ active }) => active);
  const last = question.path.at(-1)?.node;
  const text = [
    ...topics.map((topic, i) => `${i + 1}. ${lineOf(topic)}`),
    current < 0 ? 'Current topic: none' : `Current topic: ${current + 1}`,
    ...(last === undefined ? [] : [`Last turn: ${lastTurn(last)}`]),
    `New message: ${JSON.stringify(clip(question.message, MESSAGE))}`,
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: instructionsFor(generator.name, question.instructions ?? TOPIC_INSTRUCTIONS) },
      { role: 'user', content: text },
    ],
    topics,
  };
};

/** A topic by its title and its summaries in order of time; of many the first, which says what it is about, and the newest. */
const lineOf = ({ title, turns }: TopicView): string => {
  const [first, ...rest] = turns;
  if (first === undefined) return title;
  const opening = clip(summaryText(first), SUMMARIES / 2);
  const newest: string[] = [];
  let room = SUMMARIES - opening.length;
  for (let i = rest.length - 1; i >= 0; i--) {
    const summary = clip(summaryText(rest[i] as (typeof rest)[number]), SUMMARIES / 2);
    room -= summary.length + 1;
    if (room < 0) break;
    newest.unshift(summary);
  }
  const gap = newest.length < rest.length ? ['…'] : [];
  return `${clip(title, TITLE)}: ${[opening, ...gap, ...newest].join(' ')}`;
};

/** What a choice means for the topics as they were numbered. Rejects one that contradicts itself. */
export const topicChosen = (
  { action, target }: Choice,
  topics: readonly TopicView[],
  raw: string,
): { action: TopicAction; target: TreeId | null } => {
  if (action === 'create') return { action: 'create-topic', target: null };
  const current = topics.find(({ active }) => active);
  const named = target === 0 && action === 'continue' ? current : topics[target - 1];
  if (named === undefined) throw nonsense(raw, 'names a topic that was not listed');
  if (named === current) return { action: 'continue-topic', target: named.treeId };
  if (action === 'continue') throw nonsense(raw, 'goes on with the current topic and names another');
  return { action: 'switch-topic', target: named.treeId };
};
