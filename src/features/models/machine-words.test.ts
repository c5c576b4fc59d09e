import { expect, test } from 'vitest';
import type { Machine } from '../../app/model-control.ts';
import { machineFigures, machineLines, machineShort } from './machine-words.ts';
import { withGpu, withoutGpu } from './testing/some-offers.ts';

const lines = (machine: Machine) => machineLines(machine).map(({ good, title, words }) => `${good} ${title}: ${words}`);
const works = withGpu.webgpu as Machine['webgpu'] & { state: 'works' };

test('a machine with a GPU reads well, its figures aside', () => {
  expect(lines(withGpu)).toEqual([
    'true GPU: Apple M2, metal-3.',
    'true Memory: About 8 GB, as far as the browser says.',
    'true Storage: 87 GB free for this page, 1.4 GB used.',
    'true Processor: Models that run on the processor get 4 of its 8 threads.',
  ]);
  expect(machineFigures(withGpu)).toContainEqual(['Small run', '1,420 GFLOP/s']);
});

test('what is missing says so, and what that means', () => {
  const [gpu, , , processor] = lines(withoutGpu);
  expect(gpu).toBe(
    'false No GPU: This browser has no WebGPU. Models run on the processor: small ones only, and slower.',
  );
  expect(processor).toMatch(/^false Processor: .* get 1 of its 8 threads\. Whoever hosts this page can change that/);
  expect(machineShort(withoutGpu)).toBe('no GPU here');
});

test('a GPU that is played by the processor, or lacks 16-bit numbers, is no good news', () => {
  const software: Machine = { ...withGpu, webgpu: { ...works, software: true } };
  expect(lines(software)[0]).toMatch(/^false Software GPU only/);
  expect(machineShort(software)).toBe('software GPU only');
  expect(lines({ ...withGpu, webgpu: { ...works, shaderF16: false } })[0]).toContain('shader-f16');
  const broken: Machine = { ...withGpu, webgpu: { state: 'broken', why: 'The device was lost.' } };
  expect(lines(broken)[0]).toBe(
    'false GPU fails: The device was lost. Models run on the processor: small ones only, and slower.',
  );
});

test('a browser without 64-bit WebAssembly says what that rules out', () => {
  expect(lines({ ...withGpu, memory64: false })).toContainEqual(
    expect.stringMatching(/^false WebAssembly: .*GGUF models cannot run/),
  );
  expect(machineFigures({ ...withGpu, memory64: false })).toContainEqual(['64-bit WebAssembly', 'no']);
});

test('little memory, little space and what the browser keeps to itself', () => {
  const poor: Machine = { ...withGpu, memory: 2, storage: { usage: 900e6, quota: 1e9 }, promptApi: 'downloadable' };
  expect(machineLines(poor).map(({ good }) => good)).toEqual([true, false, false, true, true]);
  const silent: Machine = { ...withGpu, memory: null, storage: null };
  expect(lines(silent).filter((line) => line.includes('does not say'))).toHaveLength(2);
});
