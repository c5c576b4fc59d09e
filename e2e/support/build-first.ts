import { build, isBuilt } from '../../scripts/build.mjs';

/** The tests run on what the sources say now. */
const buildFirst = async (): Promise<void> => {
  if (!isBuilt() && (await build()) !== 0) throw new Error('The build failed.');
};

export default buildFirst;
