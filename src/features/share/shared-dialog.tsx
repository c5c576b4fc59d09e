import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Note } from '../../ui/parts/text.tsx';
import { staticForestOf } from '../../ui/static-forest/static-forest-of.tsx';
import styles from './share.module.css';
import { readSharedLink, type SharedConversation, type SharedRead } from './shared-link.ts';
import { mountViewer } from './viewer/mount.ts';

/** Shows a conversation from the page's address; it is kept only on request. */
export const SharedDialog = ({ onClose }: { onClose: () => void }) => {
  const { adopt } = useActions();
  const [read, setRead] = useState<SharedRead | null>(null);
  useEffect(() => {
    let open = true;
    void readSharedLink(location.hash).then((found) => open && setRead(found));
    return () => {
      open = false;
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
  return (
    <Dialog
      title="Shared conversation"
      description={read?.ok ? read.conversation.title : 'It came in the page’s address, and nobody else has seen it.'}
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
  useEffect(() => {
    if (host.current === null) return;
    const { title, forest, entries } = conversation;
    return mountViewer(host.current, staticForestOf(title, forest, entries), { embed: false });
  }, [conversation]);
  return <div ref={host} className={styles.viewer} />;
};
