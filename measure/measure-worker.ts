/*
 * A thread of measureOnThreads. It receives the names of the sets to skip and answers with the measurement of the others; null
 * ends it.
 */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { atMost, readDataFiles } from '../src/features/evaluate/datasets/data-files.ts';
import { subjectsNamed } from '../src/features/evaluate/measurement/subjects.ts';
import { filesUnder } from './dialogues-on-disk.ts';
import { type MeasuringOrder, measureSets } from './measure-sets.ts';

const { folder, most, deciders, policies, needsOnly } = workerData as MeasuringOrder;
const port = parentPort as MessagePort;
// Queues messages sent before the files are read.
const orders = on(port, 'message') as AsyncIterable<[readonly string[] | null]>;
const files = await filesUnder(folder);
const data = most === null ? readDataFiles(files) : atMost(readDataFiles(files), most);
for await (const [skipped] of orders) {
  if (skipped === null) break;
  port.postMessage(await measureSets(data, subjectsNamed(deciders, policies), needsOnly, new Set(skipped)));
}
port.close();
