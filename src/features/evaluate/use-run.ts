import { useStore } from 'zustand';
import type { EvaluationRun, EvaluationState } from './evaluation-run.ts';

/** A part of the evaluation's state; the component renders again when it changes (by `Object.is`). */
export const useRun = <T>({ store }: EvaluationRun, select: (state: EvaluationState) => T): T =>
  useStore(store, select);
