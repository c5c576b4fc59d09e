import { logLines } from '../read/coppice-log.ts';
import type { Writer } from './writer.ts';
import { ALL_PARTS } from './writer.ts';

/** The whole log, which Coppice opens again with nothing lost. */
export const coppiceLog: Writer = {
  id: 'coppice',
  name: 'Coppice log',
  about:
    'The whole conversation as Coppice opens it again with nothing lost: every decision, reply, correction and attached file.',
  group: 'Coppice',
  ending: '.coppice.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: false,
  path: false,
  holds: ALL_PARTS,
  write: ({ title, entries, files }, { now }) => logLines(title, entries, now, files),
};
