import { afterEach, describe, expect, it, vi } from 'vitest';
import { probeMachine, storageNow } from './probe-machine.ts';

describe('the probe of this machine', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('tells what the browser knows, and either a GPU that was tried or why there is none', async () => {
    const machine = await probeMachine();
    expect(machine.threads).toBe(navigator.hardwareConcurrency);
    expect(machine.isolated).toBe(crossOriginIsolated);
    expect((await storageNow())?.quota).toBeGreaterThan(0);
    expect(machine.memory === null || machine.memory > 0).toBe(true);
    const { webgpu } = machine;
    expect(webgpu.state === 'works' ? webgpu.gflops > 0 : webgpu.why.length > 0).toBe(true);
  });

  it('asks the browser’s own model how it is (past “unavailable” with a stand-in)', async () => {
    expect((await probeMachine()).promptApi === 'missing').toBe(!('LanguageModel' in globalThis));
    vi.stubGlobal('LanguageModel', { availability: async () => 'downloadable' });
    expect((await probeMachine()).promptApi).toBe('downloadable');
    vi.stubGlobal('LanguageModel', { availability: () => Promise.reject(new Error('off')) });
    expect((await probeMachine()).promptApi).toBe('unavailable');
  });
});
