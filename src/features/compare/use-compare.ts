import { useStore } from 'zustand';
import type { CompareRun, CompareState } from './compare-run.ts';

/** A part of the state of the comparison; the component renders again when it changes (by `Object.is`). */
export const useCompare = <T>({ store }: CompareRun, select: (state: CompareState) => T): T => useStore(store, select);
