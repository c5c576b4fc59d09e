import { expect, it } from 'vitest';
import { probeMachine } from './probe-machine.ts';

/* In Chromium with WebGPU on the processor (SwiftShader), as anyone can run it. */

it('finds WebGPU working, on the processor, without half precision', async () => {
  const { webgpu } = await probeMachine();
  if (webgpu.state !== 'works') throw new Error(webgpu.why);
  expect(webgpu.adapter).toMatch(/swiftshader/i);
  expect(webgpu.software).toBe(true);
  expect(webgpu.shaderF16).toBe(false);
  expect(webgpu.maxBuffer).toBeGreaterThanOrEqual(128 << 20);
  expect(webgpu.gflops).toBeGreaterThan(0);
});
