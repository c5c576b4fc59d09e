import type { Node } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import { answerOf } from '../../../domain/reply.ts';

/** Turns as plain text, in order of time: what was asked, and what was answered under it. */
export const textOf = (nodes: readonly Node[]): string =>
  [...nodes]
    .sort((a, b) => a.number - b.number)
    .map((node) => [node.message, answerOf(replyOf(node)?.text ?? '')].filter((part) => part !== '').join('\n\n'))
    .join('\n\n---\n\n');

/** Puts turns on the clipboard, or says why not. */
export const copyTurns = async (nodes: readonly Node[], announce: (text: string) => void): Promise<void> => {
  try {
    await navigator.clipboard.writeText(textOf(nodes));
    announce(nodes.length === 1 ? `Turn ${nodes[0]?.number} copied.` : `${nodes.length} turns copied.`);
  } catch {
    announce('The browser did not allow copying. Select the text and copy it by hand.');
  }
};
