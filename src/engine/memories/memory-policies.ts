import type { Policy } from '../context/policy.ts';
import { memoryPolicy } from './memory-policy.ts';

/** The memories of other papers, as policies. */
export const MEMORY_POLICIES: readonly Policy[] = [
  memoryPolicy('summarised-history', async () => (await import('./summarised-history.ts')).summarisedHistory),
  memoryPolicy('memtree', async () => (await import('./memtree.ts')).memtree),
  memoryPolicy('thread-memory', async () => (await import('./thread-memory.ts')).threadMemory),
  memoryPolicy('tacitree', async () => (await import('./tacitree.ts')).tacitree),
  memoryPolicy('raptor', async () => (await import('./raptor.ts')).raptor),
  memoryPolicy('memory-stream', async () => (await import('./memory-stream.ts')).memoryStream),
  memoryPolicy('memory-bank', async () => (await import('./memory-bank.ts')).memoryBank),
  memoryPolicy('dh-rag', async () => (await import('./dh-rag.ts')).dhRag),
  memoryPolicy('memgpt', async () => (await import('./memgpt.ts')).memgpt),
];
