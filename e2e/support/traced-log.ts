import type { Trace } from '../../src/domain/decision.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { syntheticLog } from '../../src/domain/testing/synthetic-forest.ts';
import { printLog } from '../../src/features/exchange/testing/files.ts';

/** A number between 0 and 1, deterministic per turn. */
const told = (number: number, salt: number): number => {
  const mixed = Math.imul(number ^ (salt << 16), 0x45d9f3b);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x45d9f3b) >>> 8) / 2 ** 24;
};

const traceOf = (number: number): Trace => {
  const confidence = 0.3 + 0.7 * told(number, 1);
  return {
    policy: 'context-agent',
    embedder: 'made up',
    decider: 'made up',
    topic: {
      rule: 'asked',
      answer: {
        action: 'continue-topic',
        confidence,
        reasons: [],
        raw: '',
        decider: 'made up',
        alternatives: [{ action: 'create-topic', target: null, confidence: (1 - confidence) / 2 }],
      },
      target: null,
      candidates: [],
    },
    fork: { theta: 0.45, candidates: [{ nodeId: 'n1', similarity: told(number, 2) }], point: 'n1' },
    branch: { rule: 'below-threshold', answer: null, settled: null },
    settings: { version: 0, parameters: {}, prompts: [] },
    fallbacks:
      number % 50 === 0 ? [{ role: 'decide', from: 'made up', to: 'embedded decider', why: 'it took too long' }] : [],
    timings: [
      { step: 'embed', start: 0, ms: 3 + 4 * told(number, 3) },
      { step: 'topic', start: 8, ms: 1 + told(number, 4) },
    ],
  };
};

/** A synthetic conversation with synthetic traces, as a Coppice export. */
export const tracedLog = (turns: number, seed = 3): string => {
  let number = 0;
  const entries = syntheticLog(turns, seed).map((entry): Entry => {
    const { event } = entry;
    if (event.type !== 'turn-placed') return entry;
    number++;
    return { ...entry, event: { ...event, decision: { ...event.decision, trace: traceOf(number) } } };
  });
  return printLog('Made up', entries);
};
