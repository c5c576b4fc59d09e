import { afterEach, expect, test, vi } from 'vitest';
import { readPalette, watchTheme } from './palette.ts';

afterEach(() => vi.unstubAllGlobals());

test('under forced colours the tokens keep colours of their own', () => {
  const style: Partial<CSSStyleDeclaration> = {};
  const pen = { fillRect: () => undefined, getImageData: () => ({ data: new Uint8ClampedArray(4) }) };
  const made = { style, getContext: () => pen, remove: () => undefined };
  vi.stubGlobal('document', { createElement: () => made });
  vi.stubGlobal('getComputedStyle', () => ({
    color: style.forcedColorAdjust === 'none' ? style.color : 'CanvasText',
    fontFamily: 'Inter',
  }));
  const { ground, ink } = readPalette({ append: () => undefined } as unknown as HTMLElement);
  expect([ground, ink]).toEqual(['var(--bg)', 'var(--ink)']);
});

test('the theme changes with forced colours, too', () => {
  const modes = new Map<string, EventTarget>();
  vi.stubGlobal('document', {});
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal('matchMedia', (query: string) => {
    const mode = new EventTarget();
    modes.set(query, mode);
    return mode;
  });
  const changed = vi.fn();
  const end = watchTheme(changed);
  modes.get('(forced-colors: active)')?.dispatchEvent(new Event('change'));
  expect(changed).toHaveBeenCalledTimes(1);
  end();
  modes.get('(forced-colors: active)')?.dispatchEvent(new Event('change'));
  expect(changed).toHaveBeenCalledTimes(1);
});
