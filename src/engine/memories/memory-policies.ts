import type { Policy } from '../policy.ts';
import { dhRag } from './dh-rag.ts';
import { memgpt } from './memgpt.ts';
import { memoryPolicy } from './memory-policy.ts';
import { memoryStream } from './memory-stream.ts';
import { memtree } from './memtree.ts';
import { raptor } from './raptor.ts';
import { summarisedHistory } from './summarised-history.ts';
import { tacitree } from './tacitree.ts';
import { threadMemory } from './thread-memory.ts';

/** The memories of other papers, as policies. */
export const MEMORY_POLICIES: readonly Policy[] = [
  memoryPolicy(summarisedHistory),
  memoryPolicy(memtree),
  memoryPolicy(threadMemory),
  memoryPolicy(tacitree),
  memoryPolicy(raptor),
  memoryPolicy(memoryStream),
  memoryPolicy(dhRag),
  memoryPolicy(memgpt),
];
