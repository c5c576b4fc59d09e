import { useCallback, useEffect, useRef, useState } from 'react';

/** An answer that takes a while. While it is asked for anew the last one stands. */
export interface Asked<T> {
  readonly value: T | null;
  readonly failure: string | null;
  readonly asking: boolean;
  again(): void;
}

/** Asks when it is first shown, and again when told to; an answer that another question has overtaken is dropped. */
export const useAsked = <T>(ask: (again: boolean) => Promise<T>): Asked<T> => {
  const [answer, setAnswer] = useState<Omit<Asked<T>, 'again'>>({ value: null, failure: null, asking: true });
  const asked = useRef(ask);
  const turn = useRef(0);
  const put = useCallback((again: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    setAnswer((before) => ({ ...before, asking: true }));
    asked.current(again).then(
      (value) => mine === turn.current && setAnswer({ value, failure: null, asking: false }),
      (error: unknown) =>
        mine === turn.current &&
        setAnswer(({ value }) => ({
          value,
          failure: error instanceof Error ? error.message : String(error),
          asking: false,
        })),
    );
  }, []);
  useEffect(() => {
    put(false);
    return () => {
      turn.current += 1;
    };
  }, [put]);
  const again = useCallback(() => put(true), [put]);
  return { ...answer, again };
};
