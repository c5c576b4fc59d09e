import { expect, test } from 'vitest';
import { untilStop } from './sampling.ts';

const told = (pieces: readonly string[], stops = ['\nUser:']) => {
  let text = '';
  let times = 0;
  const { push, end } = untilStop(
    stops,
    (piece) => {
      text += piece;
    },
    () => {
      times += 1;
    },
  );
  for (const piece of pieces) push(piece);
  end();
  return { text, times };
};

test('text goes through as it is, to the end', () => {
  expect(told(['One\n', 'two\nUs', 'ing it\nUse'])).toEqual({ text: 'One\ntwo\nUsing it\nUse', times: 0 });
});

test('a stop ends it, in whatever pieces it comes', () => {
  expect(told(['Yes.\nUs', 'er', ': And', ' more'])).toEqual({ text: 'Yes.', times: 1 });
  expect(told(['Yes.\nUser: And\nUser: more'])).toEqual({ text: 'Yes.', times: 1 });
});

test('without stops nothing is held back', () => {
  expect(told(['a', 'b'], [])).toEqual({ text: 'ab', times: 0 });
});
