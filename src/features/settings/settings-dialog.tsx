import { useEffect, useState } from 'react';
import { bytesInWords } from '../../domain/numbers.ts';
import { asSentence } from '../../engine/model-failure.ts';
import type { ClearedKind, StorageUse } from '../../engine/storage.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { setSingleKeys, useSingleKeys } from '../../ui/commands/keymap.ts';
import { Button, Buttons } from '../../ui/parts/button.tsx';
import { Dialog, DialogSection } from '../../ui/parts/dialog.tsx';
import { Checkbox, Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Hint, Muted } from '../../ui/parts/text.tsx';
import { THEMES } from '../../ui/shell/theme.tsx';
import styles from './settings-dialog.module.css';
import { VoiceSection } from './voice-section.tsx';

export const SettingsDialog = ({ onClose }: { onClose: () => void }) => {
  const { session } = useActions();
  const theme = useApp((state) => state.session.theme);
  const single = useSingleKeys();
  return (
    <Dialog title="Settings" onClose={onClose}>
      <DialogSection title="Theme">
        <Segmented label="Theme" options={THEMES} value={theme} onChange={(next) => session({ theme: next })} />
      </DialogSection>
      <DialogSection title="Keyboard">
        <Checkbox on={single} onChange={setSingleKeys}>
          Single keys such as / and ? work
        </Checkbox>
      </DialogSection>
      <DialogSection title="Engine">
        <p>How turns are placed and what is sent: the policy, its parameters, and the prompts of language models.</p>
        <Buttons>
          <Button onClick={() => session({ dialog: 'engine-settings' })}>Engine…</Button>
        </Buttons>
      </DialogSection>
      <VoiceSection />
      <Storage />
      <Offline />
      <DialogSection title="About">
        <p>
          Coppice keeps a conversation as a forest of topics and branches, after Context-Agent (Hu et al., ACL 2026).
          Nothing you write leaves this browser, unless you choose a model on a server or allow an online voice.
        </p>
        <Hint>
          Coppice: MIT. Universal Sentence Encoder Lite: Apache-2.0, by Google. Inter: SIL Open Font License 1.1.
        </Hint>
      </DialogSection>
    </Dialog>
  );
};

const Offline = () => {
  const offline = useApp((state) => state.offline);
  return (
    <DialogSection title="Offline use">
      <p>
        {offline === 'kept'
          ? 'This browser has saved the page and the embedded models, so Coppice opens and works offline. Downloaded models also work offline once you have used them here.'
          : offline === 'not-yet'
            ? 'Not available yet. Either the page and the embedded models are still being saved, or this address does not allow it. Over HTTPS or on this machine, it takes one visit.'
            : `The page could not be saved: ${asSentence(offline.failure)} Coppice works while you are online, and tries again at your next visit.`}
      </p>
    </DialogSection>
  );
};

const Storage = () => {
  const { session } = useActions();
  const { kind, stopped, persisted, estimate } = useApp((state) => state.storage);
  return (
    <DialogSection title="Storage">
      {stopped === 'full' ? (
        <>
          <p>
            The browser’s storage is full. What was saved is still here, but anything new is lost when you close this
            tab. Export what is new, make room, then reload the page: clear something here, delete models in Models, or
            delete conversations and, in “Recently deleted”, choose “Delete now”. Until then they keep their room.
          </p>
          <Use />
        </>
      ) : stopped === 'failed' ? (
        <p>
          Saving has stopped. What was saved is still here, but anything new is lost when you close this tab. Export
          what is new, then reload the page.
        </p>
      ) : kind === 'memory' ? (
        <p>
          This browser does not store data for this page, so conversations are lost when you close the tab. Export what
          you want to keep, or allow this site to store data and reload.
        </p>
      ) : (
        <>
          <p>
            Conversations are kept in this browser
            {persisted
              ? ', which will not clear them when space runs low.'
              : '. It may clear them when space runs low, so export what you want to keep.'}
          </p>
          {estimate !== null && (
            <div className={styles.usage}>
              <ProgressBar label="Storage used" max={estimate.quota} value={estimate.usage} />
              <span>
                {bytesInWords(estimate.usage)} of {bytesInWords(estimate.quota)}
              </span>
            </div>
          )}
          <Use />
        </>
      )}
      <Buttons>
        <Button onClick={() => session({ dialog: 'backup' })}>Back up…</Button>
        <Button onClick={() => session({ dialog: 'export' })}>Export this conversation</Button>
        <Button onClick={() => session({ dialog: 'conversations' })}>Choose conversations to delete…</Button>
        {stopped === 'full' && <Button onClick={() => session({ dialog: 'deleted' })}>Recently deleted…</Button>}
      </Buttons>
    </DialogSection>
  );
};

interface StorageCategory {
  readonly what: string;
  readonly note: string;
  /** Set for data that can be cleared because it is rebuilt on demand. */
  readonly clears?: ClearedKind;
}

const KEPT: Readonly<Record<keyof StorageUse, StorageCategory>> = {
  logs: { what: 'Conversations', note: 'Compressed after a week without changes' },
  opening: {
    what: 'Snapshots for fast opening',
    note: 'Rebuilt when a long conversation is opened',
    clears: 'opening',
  },
  search: { what: 'Search index', note: 'Rebuilt when it is used', clears: 'search' },
  vectors: { what: 'Vectors of turns', note: 'Recomputed when needed', clears: 'vectors' },
  files: { what: 'Attached files', note: 'Each stored once and deleted with the last conversation that uses it' },
  studies: { what: 'Studies', note: 'Remove them in Studies' },
};

/** Storage use by kind, as it is counted, and what can be cleared. */
const Use = () => {
  const { storageUse, filesKept, clearCopies } = useActions();
  const [use, setUse] = useState<StorageUse | null>(null);
  const [files, setFiles] = useState(0);
  const [counting, setCounting] = useState(true);
  const [cleared, setCleared] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted anew once something was cleared
  useEffect(() => {
    const left = new AbortController();
    const read = async () => {
      setFiles((await filesKept()).files);
      await storageUse(setUse, left.signal);
    };
    setCounting(true);
    // If this fails, the storage problem itself is already reported.
    read().then(
      () => setCounting(false),
      () => undefined,
    );
    return () => left.abort();
  }, [storageUse, filesKept, cleared]);
  if (use === null) return null;
  const clear = async (kind: ClearedKind) => {
    await clearCopies(kind);
    setCleared((times) => times + 1);
  };
  const rows = (Object.keys(KEPT) as (keyof StorageUse)[]).filter((kind) => kind === 'logs' || use[kind] > 0);
  return (
    <>
      <table className={styles.kept} aria-label="Storage by type" aria-busy={counting}>
        <tbody>
          {rows.map((kind) => {
            const { what, note, clears } = KEPT[kind];
            return (
              <tr key={kind}>
                <th scope="row">
                  {kind === 'files' ? counted(files, 'attached file') : what}
                  <Muted as="span" faint>
                    {note}
                  </Muted>
                </th>
                <td>{bytesInWords(use[kind])}</td>
                <td>
                  {clears !== undefined && (
                    <Button size="small" aria-label={`Clear: ${what}`} onClick={() => void clear(clears)}>
                      Clear
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Hint>Sizes before the browser’s own compression. Downloaded models and their sizes are listed in Models.</Hint>
    </>
  );
};
