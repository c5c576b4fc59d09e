import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { AppContext, ShownMoment } from '../app-context.ts';
import styles from './conversation.module.css';
import { formulaHtml } from './katex.ts';
import { QuoteBar } from './quote.tsx';

/** Shows a conversation; resolves to its turn once that is there. */
const shown = async (conversation: ReactNode): Promise<HTMLElement> => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={await plainApp()}>
      <ShownMoment>
        {conversation}
        <QuoteBar />
      </ShownMoment>
    </AppContext>,
  );
  await expect.poll(() => place.querySelector('[data-turn]')).not.toBeNull();
  return place.querySelector('[data-turn]') as HTMLElement;
};

test('a formula is copied once, as its source, and lines stay lines', async () => {
  const html = formulaHtml({ tex: 'x^2', display: false, source: '$x^2$' }) ?? '';
  const turn = await shown(
    <div role="log">
      <div data-turn="n1">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the formula of the test */}
        <p dangerouslySetInnerHTML={{ __html: `So ${html} grows.` }} />
        <p>
          And <b>this</b>.
        </p>
      </div>
    </div>,
  );
  getSelection()?.selectAllChildren(turn);
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
  turn.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(clipboardData.getData('text/plain')).toMatch(/^So \$x\^2\$ grows\.\n+And this\.\s*$/);
  expect(clipboardData.getData('text/html')).toContain('And <b>this</b>.');
  // Without formulas, the browser copies as it always does.
  getSelection()?.selectAllChildren(turn.lastElementChild as Element);
  const plain = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
  turn.dispatchEvent(plain);
  expect(plain.defaultPrevented).toBe(false);
});

test('the bar stays with its words while the page scrolls, and once closed it does not come back', async () => {
  const turn = await shown(
    <div className={styles.scroller} style={{ height: 200, overflow: 'auto' }}>
      <div role="log">
        <p style={{ height: 100 }} />
        <p data-turn="n1">Some words</p>
        <p style={{ height: 1000 }} />
      </div>
    </div>,
  );
  const bar = () => document.querySelector('[role=toolbar]');
  const scroller = () => turn.closest<HTMLElement>(`.${styles.scroller}`) as HTMLElement;
  getSelection()?.selectAllChildren(turn);
  await expect.poll(bar).not.toBeNull();

  const top = bar()?.getBoundingClientRect().top ?? 0;
  scroller().scrollTop = 40;
  await expect.poll(() => bar()?.getBoundingClientRect().top).toBe(top - 40);
  scroller().scrollTop = 600;
  await expect.poll(bar).toBeNull();
  scroller().scrollTop = 0;
  await expect.poll(() => bar()?.getBoundingClientRect().top).toBe(top);

  await userEvent.keyboard('{Escape}');
  await expect.poll(bar).toBeNull();
  const scrolled = new Promise((done) => scroller().addEventListener('scroll', done, { once: true }));
  scroller().scrollTop = 20;
  await scrolled;
  await new Promise((done) => requestAnimationFrame(done));
  expect(bar()).toBeNull();
});
