import { logHeader } from '../read/coppice-log.ts';
import { ALL_PARTS } from './parts.ts';
import type { Writer } from './writer.ts';

/** The whole log, which Coppice opens again with nothing lost. */
export const coppiceLog: Writer = {
  id: 'coppice',
  name: 'Coppice log',
  about: 'The whole conversation as Coppice opens it again with nothing lost: every decision, reply and correction.',
  group: 'Coppice',
  ending: '.coppice.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: false,
  path: false,
  // The bytes of files lie beside the log.
  holds: ALL_PARTS.filter((part) => part !== 'files'),
  *write({ title, entries }, { now }) {
    yield JSON.stringify(logHeader(title, entries.length, now));
    for (const entry of entries) yield JSON.stringify(entry);
  },
};
