import { expect, test } from 'vitest';
import { candidatesOf } from './repo-files.ts';

const gpu = { real: true, shaderF16: true };
const spec = { task: 'embed', dtype: 'auto', device: 'auto' } as const;
const told = (...args: Parameters<typeof candidatesOf>) =>
  candidatesOf(...args).map(({ device, dtype }) => `${device} ${dtype}`);

test('without a GPU everything runs in WASM', () => {
  expect(told(spec, null)).toEqual(['wasm q8', 'wasm int8', 'wasm uint8', 'wasm fp32', 'wasm q4']);
  expect(told({ ...spec, device: 'webgpu' }, null)[0]).toBe('wasm q8');
});

test('a GPU comes first, with halves only where it can; WASM is what is left', () => {
  expect(told(spec, gpu)[0]).toBe('webgpu fp16');
  expect(told(spec, { ...gpu, shaderF16: false })).not.toContain('webgpu fp16');
  expect(told(spec, gpu)).toContain('wasm q8');
});

test('a GPU in software is used only where it is asked for', () => {
  const software = { real: false, shaderF16: false };
  expect(told(spec, software).some((one) => one.startsWith('webgpu'))).toBe(false);
  expect(told({ ...spec, device: 'webgpu' }, software)[0]).toBe('webgpu fp32');
});

test('what was asked for comes first on every device, and other formats after it', () => {
  const all = told({ ...spec, dtype: 'fp32' }, gpu);
  expect(all.slice(0, 3)).toEqual(['webgpu fp32', 'wasm fp32', 'webgpu fp16']);
});

test('formats that are known to be wrong are left out', () => {
  expect(told(spec, gpu, ['fp16'])).not.toContain('webgpu fp16');
});
