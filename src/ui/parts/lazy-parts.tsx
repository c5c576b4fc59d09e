import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { type AppState, holdsUnsaved } from '../../app/state.ts';
import { asSentence, errorMessage } from '../../engine/model-failure.ts';
import { once } from '../../engine/tasks.ts';
import { useApp } from '../app-context.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './failure.module.css';
import { Note, Row } from './text.tsx';

/** Loads a part of the page when it is first shown; a failed load can be retried. */
export const Loaded = <T,>({ load, children }: { load: () => Promise<T>; children: (loaded: T) => ReactNode }) => {
  const [loaded, setLoaded] = useState<{ readonly part: T } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew, and nothing else does
  useEffect(() => {
    load().then(
      (part) => setLoaded({ part }),
      (error: unknown) => setFailure(errorMessage(error)),
    );
  }, [tries]);

  if (loaded !== null) return children(loaded.part);
  if (failure === null) return <Note>Loading…</Note>;
  return (
    <Note alert>
      <b>This part of the page could not be loaded.</b>
      <p>{asSentence(failure)} Check your connection to the server that hosts this page.</p>
      <Button
        onClick={() => {
          setFailure(null);
          setTries(tries + 1);
        }}
      >
        Try again
      </Button>
    </Note>
  );
};

/** For each part that failed to load, what makes it load anew when it is next shown. */
const failedParts = new Set<() => void>();

const renewFailedParts = (): void => {
  for (const renew of failedParts) renew();
  failedParts.clear();
};

/**
 * Like React's `lazy`, except that a failed load is not final: it stays the same while an error boundary shows it, and
 * is tried again when one is reset.
 */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: (await load()) as ComponentType<object> };
      } catch (error) {
        failedParts.add(() => {
          Part = begin();
        });
        throw error;
      }
    });
  let Part = begin();
  return (props) => <Part {...props} />;
};

/**
 * Like `lazyPart`, but loading begins at once, or as `begin` says. If the part is there when first shown, it renders
 * with everything else: React shows suspended content last, even if its promise resolved long ago.
 */
export const preloadedPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  begin: (load: () => void) => void = (now) => now(),
): ComponentType<P> => {
  let here: ComponentType<P> | null = null;
  const loadOnce = once(async () => {
    here = await load();
    return here;
  });
  // The component that shows it gets the error.
  begin(() => void loadOnce().catch(() => undefined));
  const Later = lazyPart(loadOnce);
  return (props) => {
    // Stable for as long as it is mounted.
    const [Part] = useState(() => here ?? Later);
    return <Part {...props} />;
  };
};

/** Shows a failure in place of a part of the page, so that the rest stays usable. */
export const PartErrorBoundary = ({ part, children }: { part: string; children: ReactNode }) => (
  <ErrorBoundary
    onReset={renewFailedParts}
    fallbackRender={(props) => <Failure title={couldNotBeShown(part)} {...props} />}
  >
    {children}
  </ErrorBoundary>
);

interface DialogErrorBoundaryProps {
  /** The open dialog's name: another one is tried anew. */
  readonly open: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a failure in a dialog in place of the one that failed, so that it can be closed like that one. */
export const DialogErrorBoundary = ({ open, onClose, children }: DialogErrorBoundaryProps) => (
  <ErrorBoundary
    resetKeys={[open]}
    onReset={renewFailedParts}
    fallbackRender={(props) => (
      <Dialog title={couldNotBeShown('The dialog')} size="small" onClose={onClose}>
        <Failure {...props} />
      </Dialog>
    )}
  >
    {children}
  </ErrorBoundary>
);

const couldNotBeShown = (part: string): string => `${part} could not be shown`;

/** What reloading the page would lose or end, and what to do first; null for nothing. */
export const reloadLoss = (state: AppState): string | null => {
  const { turn, replay, longTasks } = state;
  if (holdsUnsaved(state))
    return 'New data is not being saved, and a reload would lose it: export it before you reload the page.';
  if (turn !== null || replay !== null || longTasks > 0)
    return 'Something is still running that a reload would end: wait for it before you reload the page.';
  return null;
};

const Failure = ({ title, error, resetErrorBoundary }: FallbackProps & { title?: string }) => {
  const loss = useApp(reloadLoss);
  const isOutdated = useApp((state) => state.isOutdated);
  return (
    <div role="alert" className={styles.failure}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      <p>{errorMessage(error)}</p>
      {isOutdated && (
        <p>This tab is still running an earlier version of Coppice. What it has not loaded yet may be gone.</p>
      )}
      <p>
        {loss === null
          ? 'Your text is safe. Try again, or reload the page if that does not help.'
          : `Try again. ${loss}`}
      </p>
      <Row className={styles.actions}>
        <Button onClick={resetErrorBoundary}>Try again</Button>
        <Button onClick={() => location.reload()}>{loss === null ? 'Reload' : 'Reload anyway'}</Button>
      </Row>
    </div>
  );
};
