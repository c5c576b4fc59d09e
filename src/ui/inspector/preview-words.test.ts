import { expect, test } from 'vitest';
import { previewWords } from './inspector.tsx';

test('a preview that asks nobody follows the draft', () => {
  expect(previewWords({ phase: 'waiting', asks: null })).toMatch(/has not been sent\. Catching up…$/);
  expect(previewWords({ phase: 'shown', asks: null })).toContain('It updates as you type.');
});

test('a preview that was asked for says who may have read it, and what renews it', () => {
  for (const phase of ['waiting', 'asking', 'shown', 'on-request'] as const) {
    expect(previewWords({ phase, asks: 'Qwen' })).toContain('has not been sent, but Qwen may have read it.');
  }
  expect(previewWords({ phase: 'waiting', asks: 'Qwen' })).toContain('Qwen will be asked when you pause.');
  const renew = previewWords({ phase: 'on-request', asks: 'Qwen' });
  expect(renew).toContain('press “Ask Qwen where it would go”.');
  expect(renew).not.toContain('when you pause');
});
