import { useEffect, useState } from 'react';
import type { ClearedKind, StorageUse } from '../../engine/storage.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { setSingleKeys, useSingleKeys } from '../../ui/commands/keymap.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import styles from '../../ui/parts/dialogs.module.css';
import { Checkbox, Segmented } from '../../ui/parts/fields.tsx';
import { bytes, counted } from '../../ui/parts/format.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Muted } from '../../ui/parts/text.tsx';
import { THEMES } from '../../ui/shell/theme.tsx';
import { VoiceSection } from '../../ui/voice/voice-section.tsx';

export const SettingsDialog = ({ onClose }: { onClose: () => void }) => {
  const { session } = useActions();
  const theme = useApp((state) => state.session.theme);
  const single = useSingleKeys();
  return (
    <Dialog title="Settings" onClose={onClose}>
      <section className={styles.section}>
        <h3>Theme</h3>
        <Segmented label="Theme" options={THEMES} value={theme} onChange={(next) => session({ theme: next })} />
      </section>
      <section className={styles.section}>
        <h3>Keyboard</h3>
        <Checkbox on={single} onChange={setSingleKeys}>
          Single keys such as / and ? work
        </Checkbox>
      </section>
      <section className={styles.section}>
        <h3>Engine</h3>
        <p>How turns are placed and what is sent: the policy, its parameters, and the prompts of language models.</p>
        <div className={styles.row}>
          <Button onClick={() => session({ dialog: 'engine-settings' })}>Engine…</Button>
        </div>
      </section>
      <VoiceSection />
      <Storage />
      <Offline />
      <section className={styles.section}>
        <h3>About</h3>
        <p>
          Coppice keeps a conversation as a forest of topics and branches, after Context-Agent (Hu et al., ACL 2026).
          Nothing you write leaves this browser, unless you choose a model on a server.
        </p>
        <p className={styles.note}>
          Coppice: MIT. Universal Sentence Encoder Lite: Apache-2.0, by Google. Inter: SIL Open Font License 1.1.
        </p>
      </section>
    </Dialog>
  );
};

const Offline = () => {
  const offline = useApp((state) => state.offline);
  return (
    <section className={styles.section}>
      <h3>Without a network</h3>
      <p>
        {offline === 'kept'
          ? 'This browser has saved the page and the embedded models, so Coppice opens and works offline. Downloaded models also work offline once you have used them here.'
          : offline === 'not-yet'
            ? 'Not available yet. Either the page and the embedded models are still being saved, or this address does not allow it. Over HTTPS or on this machine, it takes one visit.'
            : `The browser refuses to save the page: ${offline.failure} Coppice works while you are online.`}
      </p>
    </section>
  );
};

const Storage = () => {
  const { session } = useActions();
  const { kind, persisted, estimate } = useApp((state) => state.storage);
  return (
    <section className={styles.section}>
      <h3>Storage</h3>
      {kind === 'memory' ? (
        <p>
          This browser stores nothing for this page, so conversations last only until you close the tab. Export what you
          want to keep, or allow this site to store data and reload.
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
                {bytes(estimate.usage)} of {bytes(estimate.quota)}
              </span>
            </div>
          )}
          <Use />
        </>
      )}
      <div className={styles.row}>
        <Button onClick={() => session({ dialog: 'backup' })}>Back up everything…</Button>
        <Button onClick={() => session({ dialog: 'export' })}>Export this conversation</Button>
        <Button onClick={() => session({ dialog: 'conversations' })}>Delete old ones</Button>
      </div>
    </section>
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
    what: 'Copies that open long conversations faster',
    note: 'Rebuilt when one is opened',
    clears: 'opening',
  },
  search: { what: 'Text that Search looks through', note: 'Rebuilt when it is used', clears: 'search' },
  vectors: { what: 'Vectors of turns', note: 'Recomputed when needed', clears: 'vectors' },
  files: { what: 'Attached files', note: 'Each stored once and deleted with the last conversation that uses it' },
  studies: { what: 'Studies', note: 'Removed under Studies' },
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
      <table className={styles.kept} aria-label="What takes how much" aria-busy={counting}>
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
                <td>{bytes(use[kind])}</td>
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
      <p className={styles.note}>
        Sizes before the browser’s own compression. Downloaded models and their sizes are listed in Models.
      </p>
    </>
  );
};
