import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from './button.tsx';
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
      <p>{failure}. Check your connection to the server that hosts this page.</p>
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

/**
 * Like React's `lazy`, for a module that is already being loaded. If it is there when first shown, it renders with
 * everything else: React shows suspended content last, even if its promise resolved long ago.
 */
export const preloadedLazy = <P extends object>(loading: Promise<ComponentType<P>>): ComponentType<P> => {
  let here: ComponentType<P> | null = null;
  loading.then(
    (part) => {
      here = part;
    },
    // The component that shows it gets the error.
    () => undefined,
  );
  const Later = lazy(async () => ({ default: (await loading) as ComponentType<object> }));
  return (props) => {
    // Stable for as long as it is mounted.
    const [Part] = useState(() => (here ?? Later) as ComponentType<P>);
    return <Part {...props} />;
  };
};

/** Shows a failure in place of a part of the page, so that the rest stays usable. */
export const PartErrorBoundary = ({ part, children }: { part: string; children: ReactNode }) => (
  <ErrorBoundary fallbackRender={(props) => <Failure part={part} {...props} />}>{children}</ErrorBoundary>
);

const Failure = ({ part, error, resetErrorBoundary }: FallbackProps & { part: string }) => (
  <div role="alert" className={styles.failure}>
    <p className={styles.title}>{part} could not be shown</p>
    <p>{errorMessage(error)}</p>
    <p>Your text is safe. Try again, or reload the page if that does not help.</p>
    <Row className={styles.actions}>
      <Button onClick={resetErrorBoundary}>Try again</Button>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Row>
  </div>
);
