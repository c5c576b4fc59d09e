import type { Engine } from '../engine/engine.ts';
import { createAttachments } from './attachments.ts';
import { createConversations } from './conversations.ts';
import { createDraftPreview } from './draft-preview.ts';
import { createEdits, createHandEdits } from './edits.ts';
import { createHousekeeping } from './housekeeping.ts';
import { type Kernel, sessionActions } from './kernel.ts';
import { createLearning } from './learning.ts';
import { createPersonas } from './personas.ts';
import { createPlayer, replayActions } from './replay.ts';
import { createKeys, createSettings } from './settings.ts';
import { createTime } from './time-travel.ts';
import { Turns, turnActions } from './turns.ts';

/**
 * Creates the parts of the app and collects every action the UI can call. Each part creates and documents its own
 * actions; a new one is added there and nowhere else. Failures surface as a problem or a notice; no action rejects
 * unless documented.
 */
export const createParts = (kernel: Kernel, engineFor: (conversationId: string) => Engine) => {
  const learning = createLearning(kernel);
  const turns = new Turns(kernel, learning);
  const player = createPlayer(kernel, turns);
  const personas = createPersonas(kernel);
  const conversations = createConversations(kernel, { turns, player, learning, personas, engineFor });
  const { keepAttached: keep, dropFile, draftHere } = conversations;
  const attachments = createAttachments(kernel, { keep, dropFile, draftHere });
  const edits = createEdits(kernel, turns, learning);
  const draftPreview = createDraftPreview(kernel);
  const settings = createSettings(kernel);
  const keys = createKeys(kernel);
  const housekeeping = createHousekeeping(kernel);

  const actions = {
    ...turnActions(kernel, turns, { filesOfDraft: attachments.filesOfDraft, pauseReplay: player.pause }),
    ...attachments.actions,
    ...edits,
    ...createHandEdits(kernel, { turns, learning, undo: edits.undo }),
    ...createTime(kernel, { turns, adopt: conversations.adopt }),
    ...conversations.actions,
    ...personas.actions,
    ...replayActions(kernel, player, conversations.empty),
    ...learning.actions,
    ...draftPreview.actions,
    ...settings.actions,
    ...keys.actions,
    ...housekeeping.actions,
    ...sessionActions(kernel),
  };

  return { actions, learning, turns, conversations, draftPreview, settings, keys, personas, housekeeping };
};

/** An interface, not an alias, so that it is resolved only when used: it names dialogs, and the features that define them name it. */
export interface Actions extends Readonly<ReturnType<typeof createParts>['actions']> {}
