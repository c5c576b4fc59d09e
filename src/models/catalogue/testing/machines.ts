import type { Machine } from '../../../app/model-control.ts';
import { threadsFor } from '../../runtimes/runtime.ts';

type Gpu = Extract<Machine['webgpu'], { state: 'works' }>;

export const NO_GPU: Machine['webgpu'] = {
  state: 'missing',
  why: 'The browser has WebGPU, but found no GPU on this machine.',
};

const GPU: Gpu = {
  state: 'works',
  adapter: 'acme one',
  software: false,
  shaderF16: true,
  maxBuffer: 2 ** 31,
  gflops: 1500,
};

/** A desktop with a graphics card, except for what is given. */
export const machineWith = ({ gpu, ...told }: Partial<Machine> & { gpu?: Partial<Gpu> }): Machine => ({
  webgpu: { ...GPU, ...gpu },
  memory: 8,
  threads: 8,
  isolated: true,
  memory64: true,
  storage: { usage: 0, quota: 10e9 },
  promptApi: 'missing',
  modelThreads: threadsFor(told.threads ?? 8, told.isolated ?? true),
  ...told,
});
