import type { TestProject } from 'vitest/node';
import { startHub } from './hub.ts';
import { modelsMissing } from './hub-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a local model hub. */
    hub: string;
    /** Why tests with the real models of ../shared/models are skipped; null if they run. */
    modelsMissing: string | null;
  }
}

/** A model hub for the browser tests: `inject('hub')`. */
const hubForVitest = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const hub = await startHub();
  provide('hub', hub.address);
  provide('modelsMissing', modelsMissing);
  return () => hub.stop();
};

export default hubForVitest;
