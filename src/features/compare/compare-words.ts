import { counted, percent } from '../../ui/parts/format.ts';
import { type CompareRow, sumsOf } from './compare-run-rows.ts';
import { BASELINE } from './compare-turns.ts';

/** What came out, in one sentence: who sent how much of the whole history, the least first. Null where nothing is known. */
export const resultWords = (rows: readonly CompareRow[], names: readonly string[]): string | null => {
  const others = names.filter((name) => name !== BASELINE);
  const complete = rows.filter(({ by }) => [...others, BASELINE].every((name) => by[name] !== undefined));
  const told = complete.length > 0 ? complete : rows;
  const found = others
    .flatMap((name) => {
      const { turns, share } = sumsOf(told, name);
      return share === null || turns === 0 ? [] : [{ name, share }];
    })
    .sort((a, b) => a.share - b.share);
  const [first, ...rest] = found;
  if (first === undefined) return null;
  if (told.length === 1) {
    return 'One turn so far, with nothing before it: every policy sends about the same. They part as the conversation grows.';
  }
  const over = `Over ${counted(told.length, 'turn')}`;
  const next = rest.map(({ name, share }) => `; ${name} ${percent(share)}`).join('');
  return `${over}, ${first.name} sent ${percent(first.share)} of what ${BASELINE} sends${next}.`;
};

/** What the bookkeeping came to, of the policies that have some; null where none has. */
export const workWords = (rows: readonly CompareRow[], names: readonly string[]): string | null => {
  const sums = names.map((name) => ({ name, ...sumsOf(rows, name) })).filter(({ turns }) => turns > 0);
  const busy = sums.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
  const [most] = busy;
  if (most === undefined || rows.length < 2) return null;
  const idle = sums.filter(({ calls }) => calls === 0).map(({ name }) => name);
  const none = idle.length === 0 ? '' : `, ${idle.join(' and ')} never`;
  return `To find what to send, ${most.name} asked a model ${counted(most.calls, 'time')}${none}.`;
};
