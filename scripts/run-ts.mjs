// Runs a TypeScript file in Node: node scripts/run-ts.mjs FILE [ARGUMENT …]
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node scripts/run-ts.mjs FILE [ARGUMENT …]');
process.argv = [process.execPath, resolve(file), ...rest];
await runnerImport(resolve(file), { configFile: false, logLevel: 'error' });
