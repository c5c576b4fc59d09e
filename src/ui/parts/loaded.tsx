import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from './button.tsx';
import styles from './failure.module.css';
import { Note, Row } from './text.tsx';

/** A part of the page that is loaded when it is first shown; where that fails, it can be tried again. */
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
      <p>{failure}. Check the connection to where the page comes from.</p>
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
 * As React's `lazy`, of what has been asked for already. Where it is there by the time that it is shown, it is shown with all else:
 * what had to wait, if only for a promise that was kept long ago, React shows last.
 */
export const lazyAhead = <P extends object>(loading: Promise<ComponentType<P>>): ComponentType<P> => {
  let here: ComponentType<P> | null = null;
  loading.then(
    (part) => {
      here = part;
    },
    // Who shows it is told.
    () => undefined,
  );
  const Later = lazy(async () => ({ default: (await loading) as ComponentType<object> }));
  return (props) => {
    // The same one for as long as it is shown.
    const [Part] = useState(() => (here ?? Later) as ComponentType<P>);
    return <Part {...props} />;
  };
};

/** Shows a failure where a part of the page would have been, so that the rest of it stays. */
export const Guarded = ({ part, children }: { part: string; children: ReactNode }) => (
  <ErrorBoundary fallbackRender={(props) => <Failure part={part} {...props} />}>{children}</ErrorBoundary>
);

const Failure = ({ part, error, resetErrorBoundary }: FallbackProps & { part: string }) => (
  <div role="alert" className={styles.failure}>
    <p className={styles.title}>{part} could not be shown</p>
    <p>{errorMessage(error)}</p>
    <p>What you wrote is kept. Try again; if that does not help, reload the page.</p>
    <Row className={styles.actions}>
      <Button onClick={resetErrorBoundary}>Try again</Button>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Row>
  </div>
);
