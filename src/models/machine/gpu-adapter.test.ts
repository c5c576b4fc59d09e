import { describe, expect, it } from 'vitest';
import { adapterName, gpuAdapter, isSoftware } from './probe-webgpu.ts';

const info = (told: Partial<Parameters<typeof adapterName>[0]>) => ({
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

  it('is none that an older browser tells nothing of', () => {
    expect(isSoftware(undefined)).toBe(false);
  });

  it('is called by what there is', () => {
    expect(adapterName(info({ vendor: 'apple', architecture: 'metal-3' }))).toBe('apple metal-3');
    expect(adapterName(info({ vendor: 'intel', description: 'Iris Xe' }))).toBe('Iris Xe');
    expect(adapterName(info({}))).toBe('a GPU without a name');
  });
});

describe('asking for the GPU', () => {
  /** A browser that gives these answers to the first requests, then none. */
  const answering = (...answers: (GPUAdapter | Error | null)[]) => {
    let asked = 0;
    const gpu = {
      requestAdapter: async () => {
        const answer = answers[asked++] ?? null;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    } as unknown as GPU;
    return { gpu, times: () => asked };
  };
  const adapter = { info: info({ vendor: 'nvidia' }) } as unknown as GPUAdapter;

  it('takes what there is at once', async () => {
    const browser = answering(adapter);
    expect(await gpuAdapter(browser.gpu)).toBe(adapter);
    expect(browser.times()).toBe(1);
  });

  it.each([
    ['none yet', null],
    ['an error', new Error('The GPU process crashed')],
  ])('asks a browser once more that answers with %s', async (_name, first) => {
    expect(await gpuAdapter(answering(first, adapter).gpu)).toBe(adapter);
  });

  it('believes the second time that there is none', async () => {
    const browser = answering(null, null, adapter);
    expect(await gpuAdapter(browser.gpu)).toBeNull();
    expect(browser.times()).toBe(2);
    expect(await gpuAdapter(undefined)).toBeNull();
  });
});
