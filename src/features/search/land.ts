import type { Reach } from '../../ui/shell/commands/command.ts';
import { goToTurn } from '../../ui/shell/commands/go-to-turn.ts';
import type { Hit } from './search.ts';

/** Opens the conversation of a turn that was found, and lands on the turn. */
export const land = async (reach: Reach, { conversationId, nodeId }: Hit): Promise<void> => {
  const { actions, state } = reach;
  if (state().conversationId !== conversationId) await actions.openConversation(conversationId);
  // It was not opened: why is shown already.
  if (state().conversationId !== conversationId) return;
  await goToTurn(reach, nodeId);
};
