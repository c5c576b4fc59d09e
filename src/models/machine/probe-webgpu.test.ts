import { describe, expect, it } from 'vitest';
import { type GpuTests, probeWebgpu } from './probe-webgpu.ts';

/*
 * What can go wrong between an adapter and a working device, with stand-ins for the browser's objects; for the real thing see
 * probe-machine.webgpu.test.ts.
 */

const fine: GpuTests = { matmul: async () => 100, half: async () => true };

const never = new Promise<GPUDeviceLostInfo>(() => undefined);

const device = (told: { lost?: Promise<GPUDeviceLostInfo>; error?: string } = {}) =>
  ({
    lost: told.lost ?? never,
    pushErrorScope: () => undefined,
    popErrorScope: async () => (told.error === undefined ? null : { message: told.error }),
    destroy: () => undefined,
  }) as unknown as GPUDevice;

const gpuOf = (requestDevice: () => Promise<GPUDevice>, features: string[] = ['shader-f16']): GPU =>
  ({
    requestAdapter: async () => ({
      info: { vendor: 'acme', architecture: 'one', device: '', description: '', isFallbackAdapter: false },
      features: new Set(features),
      limits: { maxBufferSize: 4e9, maxStorageBufferBindingSize: 2e9 },
      requestDevice,
    }),
  }) as unknown as GPU;

describe('the probe of WebGPU', () => {
  it('says that there is none', async () => {
    expect(await probeWebgpu(undefined)).toMatchObject({ state: 'missing' });
    const empty = { requestAdapter: async () => null } as unknown as GPU;
    expect(await probeWebgpu(empty)).toMatchObject({ state: 'missing' });
    const refusing = { requestAdapter: () => Promise.reject(new Error('no')) } as unknown as GPU;
    expect(await probeWebgpu(refusing)).toMatchObject({ state: 'missing' });
  });

  it('tells what works', async () => {
    expect(
      await probeWebgpu(
        gpuOf(async () => device()),
        fine,
      ),
    ).toEqual({
      state: 'works',
      adapter: 'acme one',
      software: false,
      shaderF16: true,
      maxBuffer: 2e9,
      gflops: 100,
    });
  });

  it('believes in half precision only where it is offered and right', async () => {
    expect(
      await probeWebgpu(
        gpuOf(async () => device(), []),
        fine,
      ),
    ).toMatchObject({ shaderF16: false });
    const wrong: GpuTests = { ...fine, half: async () => false };
    expect(
      await probeWebgpu(
        gpuOf(async () => device()),
        wrong,
      ),
    ).toMatchObject({ state: 'works', shaderF16: false });
  });

  it.each([
    ['no device is given', gpuOf(() => Promise.reject(new Error('limits'))), fine, 'limits'],
    [
      'it computes wrongly',
      gpuOf(async () => device()),
      { ...fine, matmul: () => Promise.reject(new Error('it computes wrongly: 1 instead of 2')) },
      'computes wrongly',
    ],
    ['it reports an error', gpuOf(async () => device({ error: 'bad shader' })), fine, 'bad shader'],
    [
      'it is lost',
      gpuOf(async () => device({ lost: Promise.resolve({ message: 'hung', reason: 'unknown' } as GPUDeviceLostInfo) })),
      { matmul: () => new Promise<number>(() => undefined), half: () => new Promise<boolean>(() => undefined) },
      'lost (hung)',
    ],
  ] as const)('says that it is broken when %s', async (_name, gpu, trials, why) => {
    expect(await probeWebgpu(gpu, trials)).toEqual({
      state: 'broken',
      why: expect.stringMatching(
        new RegExp(`^acme one was found, but does not work: .*${why.replace(/[()]/g, '\\$&')}`),
      ),
    });
  });
});
