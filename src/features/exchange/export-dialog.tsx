import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import type { AppState } from '../../app/state.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import styles from '../../ui/parts/dialogs.module.css';
import { download } from '../../ui/parts/download.ts';
import { bytes, counted } from '../../ui/parts/format.ts';
import { createFormats } from './formats/formats.ts';

/** What is exported is the conversation that is open. */
export const ExportDialog = ({ onClose }: { onClose: () => void }) => (
  <ExportOpen key={useApp((state) => state.conversationId)} onClose={onClose} />
);

const ExportOpen = ({ onClose }: { onClose: () => void }) => {
  const { announce } = useActions();
  const state = useAppState();
  const forest = useApp((state) => state.forest);
  const entries = useApp((state) => state.entries.length);
  const [{ name, text }] = useState(() => exportFile(state()));
  const topics = Object.keys(forest.trees).length;
  const [note, setNote] = useState<string | null>(null);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setNote('Copied.');
    } catch {
      setNote('The browser did not allow copying. Download the file instead.');
    }
  };
  return (
    <Dialog
      title="Export"
      description="The whole conversation as a file that Coppice opens again with nothing lost."
      onClose={onClose}
      size="small"
      actions={
        <>
          <Button onClick={() => void copy()} disabled={entries === 0}>
            <Copy size={14} aria-hidden />
            Copy
          </Button>
          <Button
            look="primary"
            disabled={entries === 0}
            onClick={() => {
              download(name, text);
              announce(`Saved as ${name}.`);
              onClose();
            }}
          >
            <Download size={14} aria-hidden />
            Download JSONL
          </Button>
        </>
      }
    >
      <div className={styles.file}>
        <b>{name}</b>
        <span>{bytes(new Blob([text]).size)}</span>
      </div>
      {entries === 0 ? (
        <p className={styles.note}>There is nothing in this conversation yet.</p>
      ) : (
        <ul className={styles.facts}>
          <li>
            {counted(forest.turnCount, 'turn')} in {counted(topics, 'topic')}, with every reply
          </li>
          <li>Each decision with its trace, and your corrections</li>
          <li>
            The history, so that undo and the timeline work after opening it ({counted(entries, 'entry', 'entries')})
          </li>
        </ul>
      )}
      <p role="status" className={styles.note}>
        {note}
      </p>
    </Dialog>
  );
};

/** The open conversation as a file. */
const exportFile = ({ forest, entries }: AppState): { readonly name: string; readonly text: string } => {
  const title = conversationTitle(forest) || 'conversation';
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
  return { name: `${name || 'conversation'}.coppice.jsonl`, text: createFormats().print(title, entries) };
};
