import type { Node } from '../../domain/forest.ts';

/** Whether there is a decision that the person has said nothing of yet. */
export const canConfirm = ({ decision, label }: Node): boolean =>
  label === null && (decision.trace?.topic.rule === 'asked' || decision.trace?.topic.rule === 'asked-by-path');
