import { useEffect, useReducer, useRef } from 'react';

/** A value as it is, or, while a `wait` is given, as it was when it last stayed the same for so many milliseconds. */
export const useSettled = <T>(value: T, wait: number | null): T => {
  const settled = useRef(value);
  const [, again] = useReducer((times: number) => times + 1, 0);
  if (wait === null) settled.current = value;

  useEffect(() => {
    if (wait === null || settled.current === value) return;
    const timer = setTimeout(() => {
      settled.current = value;
      again();
    }, wait);
    return () => clearTimeout(timer);
  }, [value, wait]);

  return settled.current;
};
