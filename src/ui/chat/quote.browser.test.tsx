import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { AppContext, ShownMoment } from '../app-context.ts';
import styles from './conversation.module.css';
import { QuoteBar } from './quote.tsx';

test('the bar stays with its words while the page scrolls, and once closed it does not come back', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <AppContext value={await plainApp()}>
      <ShownMoment>
        <div className={styles.scroller} style={{ height: 200, overflow: 'auto' }}>
          <div role="log">
            <p style={{ height: 100 }} />
            <p data-turn="n1">Some words</p>
            <p style={{ height: 1000 }} />
          </div>
        </div>
        <QuoteBar />
      </ShownMoment>
    </AppContext>,
  );
  const bar = () => document.querySelector('[role=toolbar]');
  const scroller = () => place.querySelector<HTMLElement>(`.${styles.scroller}`) as HTMLElement;
  await expect.poll(() => place.querySelector('[data-turn]')).not.toBeNull();
  getSelection()?.selectAllChildren(place.querySelector('[data-turn]') as HTMLElement);
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
