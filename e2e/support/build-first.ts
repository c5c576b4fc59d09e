import { build, isBuilt } from '../../scripts/build.mjs';

/** Builds first if necessary, so that the tests run on the current sources. */
const buildFirst = async (): Promise<void> => {
  if (!isBuilt() && (await build()) !== 0) throw new Error('The build failed.');
};

export default buildFirst;
