import type { TestProject } from 'vitest/node';
import { startHub } from './hub.ts';
import { modelsMissing } from './hub-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a model hub on this machine. */
    hub: string;
    /** Why tests with the real models of ../shared/models do not run; null where they do. */
    modelsMissing: string | null;
  }
}

/** A model hub for the tests that run in a browser: `inject('hub')`. */
const hubForVitest = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const hub = await startHub();
  provide('hub', hub.address);
  provide('modelsMissing', modelsMissing);
  return () => hub.stop();
};

export default hubForVitest;
