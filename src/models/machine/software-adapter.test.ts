import { describe, expect, it } from 'vitest';
import { adapterName, isSoftware } from './probe-webgpu.ts';

const info = (told: Partial<Parameters<typeof isSoftware>[0]>) => ({
  vendor: '',
  architecture: '',
  device: '',
  description: '',
  ...told,
});

describe('an adapter that is no GPU', () => {
  it.each([
    ['of Chromium', { vendor: 'google', architecture: 'swiftshader' }],
    ['of Mesa', { vendor: 'mesa', description: 'llvmpipe (LLVM 15.0.6, 256 bits)' }],
    ['of Windows', { vendor: 'microsoft', description: 'Microsoft Basic Render Driver' }],
    ['that says so itself', { vendor: 'someone', isFallbackAdapter: true }],
  ])('is known: %s', (_name, told) => {
    expect(isSoftware(info(told))).toBe(true);
  });

  it.each([
    ['nvidia', { vendor: 'nvidia', architecture: 'ada-lovelace', isFallbackAdapter: false }],
    ['apple', { vendor: 'apple', architecture: 'metal-3' }],
    ['intel', { vendor: 'intel', architecture: 'xe', description: 'Intel(R) Iris(R) Xe Graphics' }],
    ['one that tells nothing', {}],
  ])('is none of these: %s', (_name, told) => {
    expect(isSoftware(info(told))).toBe(false);
  });

  it('is called by what there is', () => {
    expect(adapterName(info({ vendor: 'apple', architecture: 'metal-3' }))).toBe('apple metal-3');
    expect(adapterName(info({ vendor: 'intel', description: 'Iris Xe' }))).toBe('Iris Xe');
    expect(adapterName(info({}))).toBe('a GPU without a name');
  });
});
