import { expect, test } from 'vitest';
import { isOfThisMachine } from './shared-address.ts';

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
