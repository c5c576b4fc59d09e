import { expect, test } from 'vitest';
import { spoken } from './read-aloud-button.tsx';

test('what is read aloud has no markup, and all signs that are none', () => {
  expect(spoken('## In C#\n\n> If **x > 5**, call `run_all`; see [the docs](https://x.example).')).toBe(
    'In C#\n\nIf x > 5, call run_all; see the docs.',
  );
  expect(spoken('| Day | Where |\n|---|---|\n| 3 | Porto |').trim()).toBe('Day, Where;\n\n3, Porto;');
});

test('code is announced', () => {
  expect(spoken('Run:\n~~~sh\nnpm i\n~~~\nand\n1. ```sh\n   npm test\n   ```\nDone.')).toBe(
    'Run:\n(code)\nand\n(code)\nDone.',
  );
});
