import type { Imported } from '../../engine/ports.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import { ChosenFile } from './chosen-file.tsx';
import styles from './import.module.css';

/** A conversation as Coppice exported it, to open as a new one. */
export const OpenConversation = ({
  name,
  conversation,
  onBack,
  onOpened,
}: {
  name: string;
  conversation: Imported & { kind: 'conversation' };
  onBack: () => void;
  onOpened: () => void;
}) => {
  const { adopt } = useActions();
  const { title, entries } = conversation;
  const turns = entries.filter((entry) => entry.event.type === 'message-sent').length;
  return (
    <>
      <ChosenFile name={name} holds="a Coppice conversation" onBack={onBack} />
      <div className={styles.dialogue}>
        <div>
          <b>{title || 'Untitled'}</b>
          <small>
            {counted(turns, 'turn')} · {counted(entries.length, 'entry', 'entries')} of history
          </small>
        </div>
        <Button
          look="primary"
          onClick={() => {
            onOpened();
            void adopt(conversation);
          }}
        >
          Open
        </Button>
      </div>
    </>
  );
};
