import { type ReactNode, useEffect, useState } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from './button.tsx';
import { Note } from './text.tsx';

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
