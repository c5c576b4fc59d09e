import { expect, test } from 'vitest';
import { edited } from '../../features/edits/testing/edited.ts';
import { copiedText } from './turn-action-list.ts';

test('turns are copied in order of time, each with its answer and without the reasoning', () => {
  const { life, one, two, record } = edited();
  record({ type: 'reply-started', nodeId: one, replyId: 'r', model: 'm', context: null });
  record({ type: 'reply-received', nodeId: one, replyId: 'r', text: '<think>Hm.</think>\nIn Graça.' });
  const nodes = [two, one].flatMap((id) => life.forest.nodes[id] ?? []);
  expect(copiedText(nodes)).toBe('A flat in Lisbon\n\nIn Graça.\n\n---\n\nWith a balcony');
});
