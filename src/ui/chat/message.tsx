import { Pencil } from 'lucide-react';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { CopyIconButton, IconButton } from '../parts/button.tsx';
import styles from './message.module.css';
import { MessageEditor } from './message-editor.tsx';
import { SiblingSwitch } from './sibling-switch.tsx';
import { TurnMenu } from './turn-menu.tsx';

/** What the user wrote, or, while they write it anew, the field for that. */
export const Message = ({ node, selected, readOnly }: { node: Node; selected: boolean; readOnly: boolean }) => {
  const { select } = useActions();
  const edited = useApp(({ session: { editing } }) => (editing?.nodeId === node.id ? editing.text : null));
  return (
    <div className={styles.message}>
      <button
        type="button"
        className={styles.number}
        aria-label={`Inspect turn ${node.number}`}
        aria-pressed={selected}
        onClick={() => select(selected ? null : node.id)}
      >
        {node.number}
      </button>
      {edited === null || readOnly ? (
        <>
          <p>{node.message}</p>
          <Tools node={node} readOnly={readOnly} />
        </>
      ) : (
        <MessageEditor node={node} text={edited} />
      )}
    </div>
  );
};

const Tools = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { session } = useActions();
  return (
    <span className={styles.tools}>
      <SiblingSwitch node={node} readOnly={readOnly} />
      <CopyIconButton label="Copy message" text={node.message} />
      {!readOnly && (
        <IconButton
          size="small"
          label="Edit"
          icon={Pencil}
          data-edit
          onClick={() => session({ editing: { nodeId: node.id, text: node.message } })}
        />
      )}
      <TurnMenu node={node} />
    </span>
  );
};
