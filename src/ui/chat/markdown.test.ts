import { describe, expect, test } from 'vitest';
import { blocksOf, endsInCode } from './markdown.tsx';

describe('markdown in blocks', () => {
  test('blank lines part blocks', () => {
    expect(blocksOf('one\ntwo\n\n\nthree')).toEqual(['one\ntwo', 'three']);
  });

  test('fenced code is one block, complete or not', () => {
    expect(blocksOf('a\n\n```js\nlet b;\n\nlet c;\n```\n\nd')).toEqual(['a', '```js\nlet b;\n\nlet c;\n```', 'd']);
    expect(blocksOf('```\nx\n\ny')).toEqual(['```\nx\n\ny']);
  });

  test('a list is one block, with the paragraphs and the code in its items', () => {
    const list = '1.  **Install**\n\n    ```bash\n    npm i\n\n    npm test\n    ```\n\n    Then go on.\n\n2.  Run';
    expect(blocksOf(`Do this:\n\n${list}\n\nDone.\n\n    let a;`)).toEqual(['Do this:', list, 'Done.', '    let a;']);
    expect(blocksOf('So:\n- a\n\n  b\n\nc')).toEqual(['So:\n- a\n\n  b', 'c']);
  });

  test('a longer fence is not closed by a shorter one', () => {
    expect(blocksOf('````\n```\n\n```\n````')).toHaveLength(1);
  });

  test('a fence with a language closes none, and code within a line opens none', () => {
    expect(blocksOf('```\n```js\n\nstill code\n```')).toHaveLength(1);
    expect(blocksOf('```not a fence```\n\nwords')).toHaveLength(2);
  });

  test('a block whose code is still to end is told from one whose code has', () => {
    expect(endsInCode('```js\nlet a;')).toBe(true);
    expect(endsInCode('```js\nlet a;\n```\nso')).toBe(false);
  });
});
