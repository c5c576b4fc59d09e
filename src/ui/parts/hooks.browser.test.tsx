import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { useFocusKept } from './hooks.ts';

const Watched = ({ children }: { children: ReactNode }) => {
  useFocusKept();
  return children;
};

const show = (children: ReactNode): void => {
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  flushSync(() => root.render(<Watched>{children}</Watched>));
};

const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};

const press = (name: string): void => {
  button(name).focus();
  button(name).click();
};

const focused = () => document.activeElement?.textContent;

/** Rows that go when their button is pressed, after a moment if `slow`. */
const Rows = ({ slow = false }: { slow?: boolean }) => {
  const [rows, setRows] = useState(['one', 'two', 'three']);
  const remove = (row: string) => setRows((now) => now.filter((other) => other !== row));
  return (
    <section>
      <button type="button">Add</button>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <button type="button" onClick={() => (slow ? setTimeout(() => remove(row), 50) : remove(row))}>
              {row}
            </button>
          </li>
        ))}
      </ul>
      <button type="button">Below</button>
    </section>
  );
};

test('after a row the focus goes to the next one, after the last to the one before, and then to what is around', async () => {
  show(<Rows />);
  press('two');
  await expect.poll(focused).toBe('three');
  press('three');
  await expect.poll(focused).toBe('one');
  press('one');
  await expect.poll(focused).toBe('Below');
});

test('also where the row goes only after a while, unless the person went elsewhere meanwhile', async () => {
  show(<Rows slow />);
  press('one');
  await expect.poll(focused).toBe('two');
  press('two');
  button('Add').focus();
  await expect.poll(() => document.querySelectorAll('li').length).toBe(1);
  expect(focused()).toBe('Add');
});

const Popup = () => {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button">Before</button>
      <button type="button" aria-controls="popup">
        More
      </button>
      {open && (
        <div data-radix-popper-content-wrapper="">
          <div id="popup">
            <button type="button" onClick={() => setOpen(false)}>
              Commands
            </button>
          </div>
        </div>
      )}
      <button type="button">After</button>
    </>
  );
};

test('after a popup that is gone with what was pressed in it, the focus is on what opened it', async () => {
  show(<Popup />);
  press('Commands');
  await expect.poll(focused).toBe('More');
});

const Question = () => {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button">First</button>
      {open && <div role="dialog" tabIndex={-1} onKeyDown={() => setOpen(false)} />}
      <button type="button">Last</button>
    </>
  );
};

test('a dialog that has the focus and goes at a key gives it back itself, however late', async () => {
  show(<Question />);
  const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
  dialog?.focus();
  dialog?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(document.querySelector('[role="dialog"]')).toBeNull();
  expect(document.activeElement).toBe(document.body);
});

const Toggled = () => {
  const [on, setOn] = useState(false);
  return (
    <p>
      {on ? (
        <button key="stop" type="button">
          Stop
        </button>
      ) : (
        <button key="retry" type="button" onClick={() => setOn(true)}>
          Retry
        </button>
      )}
      <button type="button">Help</button>
    </p>
  );
};

test('what replaces a control has the focus after it', async () => {
  show(<Toggled />);
  press('Retry');
  await expect.poll(focused).toBe('Stop');
});

const Notice = () => {
  const [on, setOn] = useState(true);
  return (
    <>
      <button type="button">First</button>
      <button type="button">Card</button>
      <div data-toast>
        {on && (
          <button type="button" onClick={() => setOn(false)}>
            Undo
          </button>
        )}
      </div>
    </>
  );
};

test('from a notice the focus goes back to where it was', async () => {
  show(<Notice />);
  button('First').focus();
  press('Undo');
  await expect.poll(focused).toBe('First');
});

test('what a menu has given the focus back to keeps it near when it goes, unless it was scrolled out of the way', async () => {
  show(<Rows slow />);
  const givenBack = (name: string) => {
    (document.activeElement as HTMLElement).blur();
    button(name).focus();
  };
  button('two').click();
  givenBack('two');
  await expect.poll(focused).toBe('three');

  button('one').click();
  givenBack('one');
  document.querySelector('ul')?.dispatchEvent(new Event('scroll'));
  await expect.poll(() => document.querySelectorAll('li').length).toBe(1);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(document.activeElement).toBe(document.body);
});

const Folded = () => {
  const [on, setOn] = useState(true);
  return (
    <main>
      {on && (
        <section>
          <button type="button" onKeyDown={({ key }) => key === '[' && setOn(false)}>
            Inside
          </button>
        </section>
      )}
      <button type="button">Beside</button>
    </main>
  );
};

test('what a key took away leaves the focus to what is beside it', async () => {
  show(<Folded />);
  button('Beside').focus();
  button('Inside').focus();
  button('Inside').dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }));
  await expect.poll(focused).toBe('Beside');
});
