import { POLICIES } from '../../engine/context/policies/policies.ts';
import { MEMORY_POLICIES } from '../../engine/memories/memory-policies.ts';

/** Policies in the order in which they are offered. */
export const POLICY_GROUPS = [
  { title: 'Context-Agent and its baselines', names: POLICIES.map(({ name }) => name) },
  { title: 'Memories of other papers', names: MEMORY_POLICIES.map(({ name }) => name) },
] as const;

export const isMemory = (name: string): boolean => MEMORY_POLICIES.some((policy) => policy.name === name);

/** One line on each, by its name. */
export const ABOUT_POLICY: Readonly<Record<string, string>> = {
  focused:
    'The path cut back to what the message needs, newest first, and what it needs from elsewhere, marked; never more than the full history. The default.',
  'context-agent':
    'The active path in full, and every other branch and topic as a summary, within a budget. The policy of the paper.',
  'full-history':
    'Every earlier turn in full, as a plain chat sends it. Where the window is full the oldest are left out.',
  truncation: 'The last turns in full, whatever their topic.',
  'flat-rag':
    'The turns that the message’s words and similarity speak for in full, wherever they stand: the paper’s ablation without the tree.',
  'vector-rag': 'As flat-rag, by the similarity of vectors alone.',
  'context-agent-without-rag':
    'As context-agent, without looking for similar turns: only words that revise something may fork. The paper’s ablation without retrieval.',
  'context-agent-code':
    'As context-agent, with places found as in the authors’ published code: a yes or no to one path after the other, and forks only from the most similar turn, above 0.6.',
  'summarised-history': 'One running summary of all that was said, and the newest two turns in full. A baseline.',
  memtree:
    'A tree of summaries that each turn is sorted into, from the root down. The nodes nearest to the message are sent, whatever their depth. MemTree, Rezazadeh et al. 2024.',
  'thread-memory':
    'Notes, one slot a thread, that are revised as the thread goes on and fade while it rests. The memory rule of C-DIC, without its trained compressor.',
  tacitree:
    'Single facts under a tree of summaries, found from the top: what does not fit the message is skipped with all below it. TaciTree, 2025.',
  raptor:
    'Clusters of turns, summarised layer on layer. Turns and summaries nearest to the message are sent. RAPTOR, Sarthi et al. 2024.',
  'memory-stream':
    'Turns rated by how recent, important and relevant they are. The retrieval of generative agents, Park et al. 2023.',
  'memory-bank':
    'Turns and the events of days, forgotten in time unless they are recalled, and a portrait of the person. MemoryBank, Zhong et al. 2024.',
  'dh-rag': 'Clusters of like questions, and the chain of questions that leads to the best of them. DH-RAG, 2025.',
  memgpt:
    'A queue with a budget; what is evicted from it is summarised, and paged in again when the message needs it. MemGPT, Packer et al. 2023.',
};
