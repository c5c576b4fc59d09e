import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from './button.tsx';
import styles from './failure.module.css';
import { Row } from './text.tsx';

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
