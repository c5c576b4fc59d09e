/*
 * A thread of embedMany. It receives lists of texts and answers each with the list of their vectors; null ends it.
 */
import { parentPort } from 'node:worker_threads';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';

const encoder = encoderFromDisk();

parentPort?.on('message', (texts: readonly string[] | null) => {
  if (texts === null) parentPort?.close();
  else void encoder.then(({ embed }) => embed(texts)).then((vectors) => parentPort?.postMessage(vectors));
});
