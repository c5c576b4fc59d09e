import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createYielder } from '../../engine/tasks.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Note } from '../../ui/parts/text.tsx';
import { staticForestOf } from '../../ui/static-forest/static-forest-of.tsx';
import styles from './share.module.css';
import { SHARED } from './shared-address.ts';
import { readSharedLink, type SharedConversation, type SharedRead } from './shared-link.ts';
import { mountViewer } from './viewer/mount.ts';

/** Shows a conversation from the page's address; it is kept only on request. */
export const SharedDialog = ({ onClose }: { onClose: () => void }) => {
  const { adopt } = useActions();
  const [read, setRead] = useState<SharedRead | null>(null);
  useEffect(() => {
    let latest: string | null = null;
    const readAddress = () => {
      const { hash } = location;
      latest = hash;
      setRead(null);
      void readSharedLink(hash).then((found) => latest === hash && setRead(found));
    };
    // Another link may be opened while this one is shown.
    const follow = () => location.hash.startsWith(SHARED) && readAddress();
    readAddress();
    window.addEventListener('hashchange', follow);
    return () => {
      latest = null;
      window.removeEventListener('hashchange', follow);
    };
  }, []);
  const close = () => {
    // So that a reload opens the page as usual.
    history.replaceState(history.state, '', location.pathname + location.search);
    onClose();
  };
  const keep = ({ title, entries }: SharedConversation) => {
    close();
    void adopt({ title, entries });
  };
  const origin = read === null ? 'It came in the page’s address, in the part that no server gets to see.' : undefined;
  return (
    <Dialog
      title="Shared conversation"
      description={read?.ok ? read.conversation.title : origin}
      size="full"
      onClose={close}
      actions={
        read?.ok && (
          <>
            <p className={styles.foot}>Read-only, and not saved on this device yet.</p>
            <Button look="primary" onClick={() => keep(read.conversation)}>
              <Copy size={14} aria-hidden />
              Keep a copy
            </Button>
          </>
        )
      }
    >
      {read === null && <Note>Reading the link…</Note>}
      {read?.ok === false && (
        <div role="alert" className={styles.refused}>
          {read.why}
        </div>
      )}
      {read?.ok && <Viewer conversation={read.conversation} />}
    </Dialog>
  );
};

const Viewer = ({ conversation }: { conversation: SharedConversation }) => {
  const host = useRef<HTMLDivElement>(null);
  const [is, setIs] = useState<'mounted' | { readonly failure: unknown } | null>(null);
  useEffect(() => {
    const root = host.current;
    if (root === null) return;
    const { title, forest, entries } = conversation;
    const closing = new AbortController();
    let unmount: (() => void) | null = null;
    const breathe = createYielder(() => performance.now(), closing.signal);
    staticForestOf(title, forest, entries, breathe)
      .then((still) => {
        if (closing.signal.aborted) return;
        unmount = mountViewer(root, still, { embed: false });
        setIs('mounted');
      })
      .catch((failure: unknown) => !closing.signal.aborted && setIs({ failure }));
    return () => {
      closing.abort();
      unmount?.();
    };
  }, [conversation]);
  // For the error boundary, as if it had been drawn here.
  if (is !== null && is !== 'mounted') throw is.failure;
  return (
    <>
      {is === null && <Note>Drawing the conversation…</Note>}
      <div ref={host} className={styles.viewer} />
    </>
  );
};
