import { useCallback } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { plainApp } from '../../app/testing/plain-app.ts';
import { countingChat } from '../../engine/testing/plain-models.ts';
import { AppContext } from '../app-context.ts';
import { useInSteps } from '../parts/hooks.ts';
import { Finder, FinderOption } from './finder.tsx';

let root: Root;
let page: HTMLDivElement;
beforeEach(() => {
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(() => {
  root.unmount();
  page.remove();
});

/** A finder whose only option is found in steps: it goes on finding until `found` says what it is. Before, `count` are listed. */
const show = async (found: { option: string | null }, chosen: string[], count = 1) => {
  const app = await plainApp(countingChat());
  const Finding = () => {
    const begin = useCallback(function* () {
      while (found.option === null) yield;
      return found.option;
    }, []);
    const { result: option, isDone } = useInSteps(begin);
    return (
      <Finder
        command="palette"
        title="Options"
        placeholder=""
        query="a"
        onQuery={() => undefined}
        listId="options"
        activeId={undefined}
        count={isDone ? 1 : count}
        active={0}
        onActive={() => undefined}
        isReady={isDone}
        choose={() => (option === null ? 'later' : () => chosen.push(option))}
        onClose={() => root.render(null)}
        status=""
      >
        {(pick) => (
          <div id="options" role="listbox" aria-label="Options">
            <FinderOption id="option" selected onPoint={() => undefined} onPick={() => pick(0)}>
              {option ?? 'Searching'}
            </FinderOption>
          </div>
        )}
      </Finder>
    );
  };
  flushSync(() =>
    root.render(
      <AppContext value={app}>
        <Finding />
      </AppContext>,
    ),
  );
};

const listed = () => document.querySelector('[role="option"]')?.textContent ?? null;

test.each([0, 1])('Enter before the options are there chooses as soon as they are, %i being listed', async (count) => {
  const found: { option: string | null } = { option: null };
  const chosen: string[] = [];
  await show(found, chosen, count);
  await userEvent.keyboard('{Enter}');
  expect([listed(), chosen]).toEqual(['Searching', []]);
  found.option = 'found';
  await expect.poll(() => chosen).toEqual(['found']);
  expect(listed()).toBeNull();
});

test('whoever moves on after Enter no longer means it', async () => {
  const found: { option: string | null } = { option: null };
  const chosen: string[] = [];
  await show(found, chosen);
  await userEvent.keyboard('{Enter}{ArrowDown}');
  found.option = 'found';
  await expect.poll(listed).toBe('found');
  expect(chosen).toEqual([]);
});
