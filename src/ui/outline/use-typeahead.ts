import { useCallback, useRef } from 'react';

/** Letters typed within this time of each other belong to one word; milliseconds. */
const PAUSE = 600;

/** Collects what is typed, letter by letter; returns the word so far. */
export const useTypeahead = (): ((letter: string) => string) => {
  const typed = useRef({ word: '', at: 0 });
  return useCallback((letter: string) => {
    const now = performance.now();
    const word = now - typed.current.at < PAUSE ? typed.current.word + letter : letter;
    typed.current = { word, at: now };
    return word;
  }, []);
};
