import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { plainApp } from '../../app/testing/plain-app.ts';
import { type App, AppContext } from '../app-context.ts';
import { TurnMenuAt } from './turn-actions.tsx';

test('a menu at a point is there while any of its turns is', async () => {
  const app = await plainApp();
  await app.actions.send('#trip one');
  const now = app.store.getState();
  const shown: App = { ...app, store: createStore(() => now) };
  const id = now.forest.active?.nodeId as string;
  const menuOf = (nodeIds: readonly string[]) => {
    const menu = createElement(TurnMenuAt, { nodeIds, label: 'Turn', at: { x: 1, y: 2 }, onClose: () => undefined });
    return renderToStaticMarkup(createElement(AppContext, { value: shown }, menu));
  };
  vi.stubGlobal('document', { activeElement: null });
  try {
    expect(menuOf([id])).toContain('aria-expanded="true"');
    expect(menuOf([id, 'gone'])).toContain('aria-expanded="true"');
    expect(menuOf(['gone'])).toBe('');
  } finally {
    vi.unstubAllGlobals();
  }
});
