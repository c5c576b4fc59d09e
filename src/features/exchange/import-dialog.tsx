import { useState } from 'react';
import type { Imported, ImportFailure } from '../../engine/ports.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { ChooseDialogue } from './choose-dialogue.tsx';
import { GiveFile } from './give-file.tsx';
import { OpenConversation } from './open-conversation.tsx';

interface Parsed {
  readonly name: string;
  readonly imported: Imported;
}

/** From a file or pasted text to a dialogue to replay, or a conversation to open. Changes nothing before that. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  const [parsed, setParsed] = useState<Parsed | null>(null);
  const [failure, setFailure] = useState<{ name: string; failure: ImportFailure } | null>(null);

  const give = (name: string, text: string) => {
    const result = actions.parse(name, text);
    setParsed(result.ok ? { name, imported: result.imported } : null);
    setFailure(result.ok ? null : { name, failure: result.failure });
  };
  const back = () => setParsed(null);

  return (
    <Dialog
      title="Import"
      description="A dialogue to replay through the engine, or a conversation that Coppice exported."
      onClose={onClose}
    >
      {parsed === null && <GiveFile failure={failure} onText={give} onRefused={setFailure} />}
      {parsed?.imported.kind === 'dialogues' && (
        <ChooseDialogue
          name={parsed.name}
          dialogues={parsed.imported.dialogues}
          onBack={back}
          onReplay={(dialogue) => {
            const { backTo } = state().session;
            onClose();
            void actions.replay(dialogue, { running: true, dialog: backTo });
          }}
        />
      )}
      {parsed?.imported.kind === 'conversation' && (
        <OpenConversation name={parsed.name} conversation={parsed.imported} onBack={back} onOpened={onClose} />
      )}
    </Dialog>
  );
};
