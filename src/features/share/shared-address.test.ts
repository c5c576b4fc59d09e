import { afterEach, expect, test, vi } from 'vitest';
import { countOpen } from '../../ui/parts/dialog.tsx';
import { followSharedLinks, isOfThisMachine } from './shared-address.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['http://127.0.0.1:4173/', true],
  ['http://localhost:5173/', true],
  ['http://coppice.localhost/', true],
  ['http://[::1]:4173/', true],
  ['http://192.168.1.7:8080/', false],
  ['https://localhost.example/', false],
  ['https://coppice.example/', false],
])('whether %s leads everybody to their own machine: %s', (address, isLocal) => {
  expect(isOfThisMachine(new URL(address).hostname)).toBe(isLocal);
});

test('a link that is followed while something typed in a dialog is not saved waits, and can be followed again', () => {
  const address = { search: '', pathname: '/page', hash: '' };
  let follow = (): void => undefined;
  const addEventListener = (_: string, hear: () => void) => {
    follow = hear;
  };
  const replaceState = vi.fn<(...to: unknown[]) => void>();
  for (const [name, value] of Object.entries({
    window: { addEventListener },
    location: address,
    history: { state: null, replaceState },
  }))
    vi.stubGlobal(name, value);
  const session = vi.fn<(change: object) => void>();
  followSharedLinks({ session });
  const refuse = vi.fn<() => void>();
  const close = countOpen({ current: { stays: true, refuse, dismiss: () => undefined } });
  address.hash = '#shared=abc';
  follow();
  expect(refuse).toHaveBeenCalledOnce();
  expect(session).not.toHaveBeenCalled();
  expect(replaceState).toHaveBeenCalledWith(null, '', '/page');
  close();
  follow();
  expect(session).toHaveBeenCalledWith({ dialog: 'shared' });
});
