import type { Measured } from './measure.ts';

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats the measurements, one line each. */
export const tableOf = (gpu: string, m: Measured): string[] => {
  const rows: readonly (readonly [string, string])[] = [
    ['GPU', gpu],
    ['Model', `${m.name}, window ${number(m.window)} tokens, ${m.exactTokens ? 'counted' : 'estimated'}`],
    ['Downloaded', `${number(m.downloaded / 1e6)} MB`],
    ['First load, download included', `${number(m.firstLoad / 1000, 1)} s`],
    ['Load again, all files here', `${number(m.secondLoad / 1000, 1)} s`],
    ['Prefill', `${number(m.prefill.perSecond)} tokens/s (${number(m.prefill.tokens)} tokens, cold)`],
    ['Decode', `${number(m.decode.perSecond, 1)} tokens/s (${number(m.decode.tokens)} tokens)`],
    [
      'Second turn',
      `${number(m.secondTurn.reused)} tokens reused, ${number(m.secondTurn.prefilled)} prefilled (${number(m.secondTurn.cold)} without the cache)`,
    ],
    ['A reply that broke off goes on', m.wentOn ? 'yes' : 'no'],
    ['Stop', `${number(m.stop)} ms`],
    [
      'Schema-valid decisions',
      `${m.decisions.valid} of ${m.decisions.asked}, median ${number(m.decisions.medianMs)} ms`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
};

/** Lists violations of what must hold on every machine, however fast. */
export const faultsOf = (m: Measured): string[] => [
  ...(m.decisions.valid < m.decisions.asked ? ['Decisions broke out of their schema.'] : []),
  ...(m.secondTurn.reused === 0 ? ['The second turn reused nothing.'] : []),
  ...(m.secondTurn.prefilled >= m.secondTurn.cold ? ['The second turn worked through everything again.'] : []),
  ...(m.exactTokens ? [] : ['The tokenizer of the library is out of reach: tokens are estimates.']),
  ...(m.wentOn ? [] : ['A reply that broke off did not go on.']),
];
