import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../app-context.ts';
import { ReplyText } from './reply.tsx';

let root: Root;
let page: HTMLElement;
beforeEach(() => {
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

/** Shows a partial reply. */
const shower = async () => {
  const app = await plainApp(countingChat());
  return (text: string, streaming = true) =>
    flushSync(() =>
      root.render(
        <AppContext value={app}>
          <ReplyText text={text} streaming={streaming} />
        </AppContext>,
      ),
    );
};

const lines = Array.from({ length: 30 }, (_, i) => `const line${i} = ${i}; // a comment\n`);

test('code that streams is painted as it comes, says what came, and what stands before it is left alone', async () => {
  const show = await shower();
  const start = 'First **words**.\n\n```ts\n';
  show(start);
  await expect.poll(() => page.querySelector('strong')).not.toBeNull();
  const first = page.querySelector('strong');
  let came = '';
  for (const line of lines) {
    came += line;
    show(start + came);
    expect(page.querySelector('pre')?.textContent).toBe(came.trimEnd());
  }
  await expect.poll(() => page.querySelectorAll('[data-kind=keyword]').length).toBe(24);
  show(`${start}${came}\`\`\`\n\nThe end.`);
  expect(page.querySelectorAll('[data-kind=keyword]')).toHaveLength(30);
  expect(page.querySelector('strong')).toBe(first);
  show(`${start}${came}\`\`\`\n\nThe end.`, false);
  expect(page.querySelector('pre')?.textContent).toBe(came.trimEnd());
});

test('reasoning that was opened while it came stays open when the answer comes', async () => {
  const show = await shower();
  show('<think>\nLet me');
  const fold = () => page.querySelector<HTMLElement>('button[aria-expanded]');
  expect(fold()?.textContent).toBe('Thinking…');
  flushSync(() => fold()?.click());
  show('<think>\nLet me see: one two three four five six seven eight nine');
  expect(fold()?.textContent).toBe('Thinking… 10 words so far');
  expect(page.textContent).toContain('seven eight nine');
  show('<think>\nLet me see.\n</think>\n\nYes.');
  expect(fold()?.textContent).toBe('Thought for 3 words');
  expect(fold()?.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => page.textContent).toContain('Yes.');
});

test('reasoning in Arabic runs from right to left', async () => {
  const show = await shower();
  show('<think>\nعشر دقائق تكفي.\n</think>\n\nTen minutes.', false);
  flushSync(() => page.querySelector<HTMLElement>('button[aria-expanded]')?.click());
  const thoughts = page.querySelector('button[aria-expanded]')?.nextElementSibling;
  expect(thoughts?.matches(':dir(rtl)')).toBe(true);
});

test('a formula that streams in is never shown by half', async () => {
  const show = await shower();
  const whole = 'Euler found that $e^{i \\pi} + 1 = 0$ holds.';
  for (let length = 1; length <= whole.length; length++) {
    show(whole.slice(0, length));
    if (!whole.slice(0, length).includes('0$')) expect(page.textContent).not.toContain('$e');
  }
  await expect.poll(() => page.querySelector('math')).not.toBeNull();
  expect(page.textContent).toContain('holds.');
});
