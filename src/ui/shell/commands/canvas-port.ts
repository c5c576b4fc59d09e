import { useEffect } from 'react';
import type { CanvasCommand } from '../../canvas/canvas-keys.ts';

type Run = (command: CanvasCommand) => void;

/** The canvas that is on the page, if one is: it alone knows its view. */
let canvas: Run | null = null;

/** For the canvas: carries out what commands ask of it, for as long as it is there. */
export const useOfferedCanvas = (run: Run): void =>
  useEffect(() => {
    canvas = run;
    return () => {
      if (canvas === run) canvas = null;
    };
  }, [run]);

export const canvasThere = (): boolean => canvas !== null;
export const askCanvas = (command: CanvasCommand): void => canvas?.(command);
