import type { Machine } from '../../app/model-control.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { count } from '../../ui/parts/format.ts';

/** One fact about this machine: what it can do, or what it lacks and what that means. */
interface MachineLine {
  readonly good: boolean;
  readonly title: string;
  readonly words: string;
}

/** What this machine can do, in plain words. */
export const machineLines = (machine: Machine): readonly MachineLine[] => [
  gpuLine(machine.webgpu),
  memoryLine(machine.memory),
  storageLine(machine.storage),
  threadsLine(machine),
  ...(machine.memory64 ? [] : [NO_MEMORY64]),
  ...promptLine(machine.promptApi),
];

const gpuLine = (webgpu: Machine['webgpu']): MachineLine => {
  if (webgpu.state !== 'works') {
    const without = 'Models run on the processor: small ones only, and slower.';
    return {
      good: false,
      title: webgpu.state === 'missing' ? 'No GPU' : 'GPU fails',
      words: `${webgpu.why} ${without}`,
    };
  }
  if (webgpu.software) {
    return {
      good: false,
      title: 'Software GPU only',
      words:
        'WebGPU is available, but emulated on the processor, so it is much slower than a GPU. Use small models only.',
    };
  }
  return {
    good: true,
    title: 'GPU',
    words: webgpu.shaderF16
      ? `${webgpu.adapter}.`
      : `${webgpu.adapter}. It lacks 16-bit numbers (shader-f16), so models take larger builds.`,
  };
};

const memoryLine = (memory: number | null): MachineLine =>
  memory === null
    ? { good: true, title: 'Memory', words: 'The browser does not say how much there is.' }
    : {
        good: memory >= 4,
        title: 'Memory',
        words: `About ${memory} GB, as far as the browser says.${memory < 4 ? ' That is little for a language model.' : ''}`,
      };

const storageLine = (storage: Machine['storage']): MachineLine => {
  if (storage === null) return { good: true, title: 'Storage', words: 'The browser does not say how much there is.' };
  const free = Math.max(0, storage.quota - storage.usage);
  return {
    good: free >= LITTLE_SPACE,
    title: 'Storage',
    words: `${bytesInWords(free)} free for this page, ${bytesInWords(storage.usage)} used.`,
  };
};

/** Less space than this, in bytes, holds no useful language model. */
const LITTLE_SPACE = 1e9;

const threadsLine = ({ threads, modelThreads, isolated }: Machine): MachineLine => ({
  good: isolated || threads === 1,
  title: 'Processor',
  words: isolated
    ? `Models that run on the processor get ${count(modelThreads)} of its ${count(threads)} threads.`
    : `Models that run on the processor get 1 of its ${count(threads)} threads. Whoever hosts this page can change that (COOP and COEP headers).`,
});

const NO_MEMORY64: MachineLine = {
  good: false,
  title: 'WebAssembly',
  words: 'It lacks 64-bit memory here, so GGUF models cannot run. A current Chrome, Edge or Firefox has it.',
};

const promptLine = (api: Machine['promptApi']): readonly MachineLine[] => {
  const title = 'Browser’s own model';
  switch (api) {
    case 'available':
      return [{ good: true, title, words: 'Ready.' }];
    case 'downloading':
      return [{ good: true, title, words: 'The browser is downloading it.' }];
    case 'downloadable':
      return [{ good: true, title, words: 'The browser can download one.' }];
    case 'unavailable':
      return [{ good: false, title, words: 'The browser has one, but it does not work on this machine.' }];
    case 'missing':
      return [];
  }
};

/** The same as figures, for those who want details. */
export const machineFigures = ({ webgpu, memory, threads, isolated, memory64, storage, promptApi }: Machine) => {
  const figures: [string, string][] = [];
  if (webgpu.state === 'works') {
    figures.push(
      ['Adapter', webgpu.adapter],
      ['Software', webgpu.software ? 'yes' : 'no'],
      ['shader-f16', webgpu.shaderF16 ? 'yes' : 'no'],
      ['Largest buffer', bytesInWords(webgpu.maxBuffer)],
    );
    if (webgpu.gflops > 0) figures.push(['Small run', `${count(webgpu.gflops)} GFLOP/s`]);
  } else figures.push(['WebGPU', `${webgpu.state}: ${webgpu.why}`]);
  figures.push(
    ['Memory', memory === null ? 'unknown' : `${memory} GB`],
    ['Threads', count(threads)],
    ['Cross-origin isolated', isolated ? 'yes' : 'no'],
    ['64-bit WebAssembly', memory64 ? 'yes' : 'no'],
    ['Storage', storage === null ? 'unknown' : `${bytesInWords(storage.usage)} of ${bytesInWords(storage.quota)}`],
    ['Prompt API', promptApi],
  );
  return figures;
};

/** The machine in a few words, for the list of pages. */
export const machineShort = ({ webgpu }: Machine): string => {
  if (webgpu.state === 'works') return webgpu.software ? 'software GPU only' : 'GPU works';
  return webgpu.state === 'missing' ? 'no GPU here' : 'the GPU fails';
};
