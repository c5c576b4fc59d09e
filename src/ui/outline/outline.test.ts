import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { plainApp } from '../../app/testing/plain-app.ts';
import { idsOf } from '../../domain/table.ts';
import { type App, AppContext, ShownMoment } from '../app-context.ts';
import { Outline, placesOf } from './outline.tsx';

test('rows that are kept stay mounted wherever the view is, each once and in order', () => {
  const view = { first: 100, last: 110 };
  const inView = placesOf(view, 1000, []);
  expect(inView[0]).toBeLessThanOrEqual(view.first);
  expect(inView.at(-1)).toBeGreaterThanOrEqual(view.last);
  // The focus and a title being typed, on different rows, on the same, in view, or nowhere.
  expect(placesOf(view, 1000, [900, 3])).toEqual([3, ...inView, 900]);
  expect(placesOf(view, 1000, [900, 900])).toEqual([...inView, 900]);
  expect(placesOf(view, 1000, [105, -1])).toEqual(inView);
  expect(placesOf(view, 1000, [1000, -1])).toEqual(inView);
});

test('an outline that is mounted again shows folded what was folded before', async () => {
  const app = await plainApp();
  for (const message of ['#trip one', '#code two']) await app.actions.send(message);
  const rows = () => {
    const now = app.store.getState();
    const shown: App = { ...app, store: createStore(() => now) };
    const outline = createElement(ShownMoment, null, createElement(Outline));
    return renderToStaticMarkup(createElement(AppContext, { value: shown }, outline)).match(/role="treeitem"/g)?.length;
  };
  expect(rows()).toBe(4);
  const [first] = idsOf(app.store.getState().forest.trees);
  app.actions.session({ outlineCollapsed: [first as string] });
  expect(rows()).toBe(3);
});
