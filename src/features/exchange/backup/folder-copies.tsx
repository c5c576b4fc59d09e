import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../engine/model-failure.ts';
import { useActions } from '../../../ui/app-context.ts';
import { Button } from '../../../ui/parts/button.tsx';
import { timeAgo } from '../../../ui/parts/format.ts';
import styles from './backup.module.css';
import { beginCopies, type CopyFolder, copyFolder, stopCopies, writeCopy } from './write-copies.ts';

/** Copies that are written by themselves: where to, when last, and why not. */
export const FolderCopies = () => {
  const actions = useActions();
  const [state, setState] = useState<CopyFolder | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const read = useRef(() => copyFolder(actions));
  useEffect(() => {
    read.current().then(setState, (error: unknown) => setFailure(errorMessage(error)));
  }, []);

  const run = async (task: () => Promise<CopyFolder | null>) => {
    setFailure(null);
    setWriting(true);
    try {
      setState(await task());
    } catch (error) {
      // Who closes the choice of a folder has not failed.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(errorMessage(error));
    } finally {
      setWriting(false);
    }
  };
  const choose = () =>
    run(async () => {
      const folder = await window.showDirectoryPicker?.({ mode: 'readwrite', id: 'coppice' });
      return folder === undefined ? state : beginCopies(actions, folder, Date.now());
    });
  const writeNow = () =>
    run(async () => {
      await state?.folder.requestPermission?.({ mode: 'readwrite' });
      return writeCopy(actions, Date.now());
    });
  const stop = () =>
    run(async () => {
      await stopCopies(actions);
      return null;
    });

  const why = failure ?? state?.failure ?? null;
  return (
    <section className={styles.section} aria-label="Copies into a folder">
      <h3>Copies into a folder</h3>
      {state === null ? (
        <p>Off. Choose a folder, and a copy of everything is written there every ten minutes and when you leave.</p>
      ) : (
        <p role="status">
          A copy goes to <b>{state.folder.name || 'the folder'}</b> every ten minutes and when you leave, where
          something has changed.{' '}
          {state.writtenAt === null ? 'None is written yet.' : `Last written ${timeAgo(state.writtenAt, Date.now())}.`}
        </p>
      )}
      {why !== null && (
        <p role="alert" className={styles.failure}>
          The last copy was not written: {why}
        </p>
      )}
      <div className={styles.buttons}>
        <Button disabled={isWriting} onClick={() => void choose()}>
          {state === null ? 'Choose a folder…' : 'Another folder…'}
        </Button>
        {state !== null && (
          <>
            <Button disabled={isWriting} onClick={() => void writeNow()}>
              {state.failure === null ? 'Write now' : 'Allow and write now'}
            </Button>
            <Button disabled={isWriting} onClick={() => void stop()}>
              Stop
            </Button>
          </>
        )}
      </div>
    </section>
  );
};
