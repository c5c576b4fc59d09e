import type { Trace } from '../../domain/decision.ts';

/** The gate before the branch question (Context-Agent §3.3, step 3), in as few words as a picture has room for. */
export interface Gate {
  /** `none`: it was not come to. */
  readonly state: 'open' | 'shut' | 'none';
  readonly words: string;
}

export const gateOf = ({ branch: { rule } }: Trace): Gate => {
  switch (rule) {
    case 'new-topic':
      return { state: 'none', words: 'a new topic has no branches' };
    case 'person':
      return { state: 'none', words: 'you chose the place' };
    case 'no-retrieval':
      return { state: 'shut', words: 'nothing to compare with yet' };
    case 'below-threshold':
      return { state: 'shut', words: 'the nearest turn is below θ' };
    case 'on-tip':
      return { state: 'shut', words: 'the nearest turn is the active one' };
    case 'direct-parent':
      return { state: 'shut', words: 'the nearest turn is its parent, and nothing is revised' };
    case 'not-above-threshold':
      return { state: 'shut', words: 'the nearest turn is not above θ' };
    case 'parent-excluded':
      return { state: 'shut', words: 'the nearest turn is its parent, which this policy leaves out' };
    case 'nothing-revised':
      return { state: 'shut', words: 'nothing is revised' };
    case 'asked':
      return { state: 'open', words: 'the nearest turn reaches θ' };
    case 'asked-ungated':
      return { state: 'open', words: 'this decider is always asked' };
    case 'asked-top-candidate':
      return { state: 'open', words: 'the nearest turn is above θ' };
    case 'asked-on-revision':
      return { state: 'open', words: 'the message revises something' };
  }
};
