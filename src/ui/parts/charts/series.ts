/** Values over the turns, in their order; null where there is none. */
export interface Series {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A CSS colour. */
  readonly colour: string;
  /** As `stroke-dasharray`: colours are not all that tells lines apart. */
  readonly dash?: string;
  readonly strong?: boolean;
}

type Look = Pick<Series, 'colour' | 'dash'>;

/** Colours and dashes of the policies that there are; of others the last. */
const LOOKS: Readonly<Record<string, Look>> = {
  focused: { colour: 'var(--topic-0)' },
  'context-agent': { colour: 'var(--topic-5)', dash: '12 4' },
  'full-history': { colour: 'var(--topic-2)', dash: '6 3' },
  truncation: { colour: 'var(--topic-1)', dash: '2 3' },
  'flat-rag': { colour: 'var(--topic-7)', dash: '8 3 2 3' },
  'vector-rag': { colour: 'var(--topic-7)', dash: '1 3' },
  'context-agent-without-rag': { colour: 'var(--topic-6)', dash: '4 2' },
  'context-agent-code': { colour: 'var(--topic-0)', dash: '4 4' },
  'summarised-history': { colour: 'var(--topic-2)', dash: '1 4' },
  memtree: { colour: 'var(--topic-3)' },
  'thread-memory': { colour: 'var(--topic-4)', dash: '10 2' },
  tacitree: { colour: 'var(--topic-5)', dash: '6 2 2 2 2 2' },
  raptor: { colour: 'var(--topic-1)', dash: '8 4' },
  'memory-stream': { colour: 'var(--topic-7)', dash: '2 2' },
  'memory-bank': { colour: 'var(--topic-3)', dash: '6 2 1 2' },
  'dh-rag': { colour: 'var(--topic-4)', dash: '3 5' },
  memgpt: { colour: 'var(--topic-6)', dash: '12 3 2 3' },
};

/** The same wherever a policy is drawn. */
export const policyLook = (name: string): Look => LOOKS[name] ?? { colour: 'var(--ink-3)' };
