import { expect, test } from 'vitest';
import { isSupported } from './node-version.mjs';

test('only versions of Node that Vite runs on are supported', () => {
  const versions = ['18.20.0', '20.18.3', '20.19.0', '21.7.3', '22.11.0', '22.12.0', '23.0.0', '24.1.0'];
  expect(versions.filter(isSupported)).toEqual(['20.19.0', '22.12.0', '23.0.0', '24.1.0']);
});
