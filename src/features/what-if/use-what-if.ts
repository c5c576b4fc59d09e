import { useStore } from 'zustand';
import type { WhatIfRun, WhatIfState } from './what-if-run.ts';

/** A part of the state of the re-runs; the component renders again when it changes (by `Object.is`). */
export const useWhatIf = <T>({ store }: WhatIfRun, select: (state: WhatIfState) => T): T => useStore(store, select);
