import type { Entry } from '../../domain/events.ts';
import type { Lesson } from '../../engine/place/lessons.ts';
import type { ConversationMeta } from '../../engine/ports.ts';

/** Entries `from` to `to` of a log, each telling its place by what it says. */
export const sampleEntries = (from: number, to: number, says = 'title'): Entry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    v: 1,
    seq: from + index,
    at: 1_700_000_000_000 + from + index,
    step: `s${from + index}`,
    event: { type: 'conversation-titled', title: `${says} ${from + index}` },
  }));

export const sampleMeta = (id: string, change: Partial<ConversationMeta> = {}): ConversationMeta => ({
  id,
  title: `Conversation ${id}`,
  turns: 1,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...change,
});

export const sampleLesson = (conversationId: string, nodeId: string, change: Partial<Lesson> = {}): Lesson => ({
  conversationId,
  nodeId,
  question: 'topic',
  by: 'correction',
  at: 1,
  message: { usual: 1, 'opens “fresh page”': 1 },
  choices: [
    { action: 'continue-topic', base: -0.2, facts: {} },
    { action: 'create-topic', base: -1.7, facts: {} },
  ],
  right: 1,
  ...change,
});
