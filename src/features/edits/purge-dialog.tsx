import { AlertDialog } from 'radix-ui';
import { useState } from 'react';
import type { Node } from '../../domain/forest.ts';
import { outermost, subtree } from '../../domain/queries.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import { turnsNamed } from '../../ui/parts/turn-words.ts';
import styles from './purge-dialog.module.css';

/** Turns shown by their first words before the rest is counted. */
const SHOWN = 4;

/** Asks before words are gone for good, and says which. */
export const PurgeDialog = ({ nodes, onClose }: { nodes: readonly Node[]; onClose: () => void }) => {
  const { purgeTurns } = useActions();
  const forest = useApp((state) => state.forest);
  const [alone, setAlone] = useState(true);
  const ids = nodes.map(({ id }) => id);
  const family = outermost(forest, ids).flatMap((id) => subtree(forest, id));
  const going = alone ? nodes : family;
  const steps = forest.history.past.length + forest.history.future.length;
  const under = family.length - nodes.length;
  const what = going.length === 1 ? `turn ${going[0]?.number}` : `${going.length} turns`;

  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content className={styles.dialog}>
          <AlertDialog.Title className={styles.title}>{`Purge ${turnsNamed(forest, ids)} for good?`}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description}>
            Nothing brings {going.length === 1 ? 'it' : 'them'} back: not undo, not the timeline, not a reload. To be
            able to change your mind, delete or hide instead.
          </AlertDialog.Description>
          <ul className={styles.turns} aria-label="What goes">
            {going.slice(0, SHOWN).map((node) => (
              <li key={node.id}>
                <span>{node.number}</span> {node.message.slice(0, 160)}
              </li>
            ))}
            {going.length > SHOWN && <li>and {counted(going.length - SHOWN, 'more turn')}</li>}
          </ul>
          <ul className={styles.losses}>
            <li>The words of {what}, replies, summaries and notes included, are removed from this browser’s disk.</li>
            <li>
              The undo history of this conversation goes with them: {counted(steps, 'step')}, whatever they were about.
            </li>
            <li>Other turns that quote them word for word are mended as far as that is found. Read them again.</li>
            <li>Files that you exported, and what a server of yours was sent, are not reached.</li>
          </ul>
          {under > 0 && (
            <label className={styles.choice}>
              <input type="checkbox" checked={!alone} onChange={(event) => setAlone(!event.target.checked)} />
              Also the {counted(under, 'turn')} under {nodes.length === 1 ? 'it' : 'them'}. Otherwise they close the
              gap.
            </label>
          )}
          <footer className={styles.actions}>
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={() => void purgeTurns(going.map(({ id }) => id))}>
                Purge {what}
              </Button>
            </AlertDialog.Action>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
