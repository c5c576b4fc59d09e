import { describe, expect, it } from 'vitest';
import type { Machine, Offer } from '../../app/model-control.ts';
import { ModelSpec, specKey } from '../runtimes/model-spec.ts';
import models from './known-models.json';
import { knownModels, recommend } from './known-models.ts';
import { machineWith, NO_GPU } from './testing/machines.ts';

const offers = (machine: Machine): readonly Offer[] => knownModels(machine).map(({ offer }) => offer);
const offer = (machine: Machine, name: string, runtime: Offer['runtime'], role: 'chat' | 'embed' = 'chat'): Offer => {
  const found = offers(machine).find((one) => one.name === name && one.runtime === runtime && one.roles.includes(role));
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

const desktop = machineWith({});
const noGpu = machineWith({ webgpu: NO_GPU });

describe('the catalogue', () => {
  it('has something for every role, each model once, and says what each costs', () => {
    const keys = knownModels(desktop).map(({ spec, offer: { key } }) => [specKey(spec), key]);
    expect(keys.every(([spec, key]) => spec === key)).toBe(true);
    expect(new Set(keys.map(([key]) => key)).size).toBe(keys.length);
    expect(new Set(offers(desktop).flatMap(({ roles }) => roles))).toEqual(
      new Set(['chat', 'decide', 'summarise', 'embed']),
    );
    const sized = offers(desktop).filter(({ runtime }) => runtime !== 'prompt-api');
    expect(
      sized.every(({ downloadBytes, memoryBytes }) => (downloadBytes ?? 0) > 1e7 && (memoryBytes ?? 0) > 1e8),
    ).toBe(true);
    expect(sized.every(({ licence, speed }) => licence !== null && speed !== null)).toBe(true);
  });

  it('names tasks and formats that exist', () => {
    for (const { repo, task, dtype, weights } of models.transformers) {
      for (const format of [dtype, ...Object.keys(weights)]) {
        const source = { kind: 'hub', repo };
        const spec = { runtime: 'transformers', task, source, dtype: format, device: 'auto' };
        expect(ModelSpec.parse(spec)).toEqual(spec);
      }
    }
  });

  it('puts what fits first', () => {
    const fits = offers(noGpu).map(({ unfit }) => unfit === null);
    expect(fits.indexOf(false)).toBeGreaterThan(0);
    expect(fits.lastIndexOf(true)).toBeLessThan(fits.indexOf(false));
  });

  it('keeps every GGUF below what wllama can read', () => {
    const files = offers(desktop).filter(({ runtime }) => runtime === 'wllama');
    expect(files.every(({ downloadBytes }) => (downloadBytes ?? 0) < 2 ** 31)).toBe(true);
  });

  it('says that WebLLM needs a GPU, why there is none, and what runs without', () => {
    expect(
      offers(noGpu)
        .filter(({ runtime }) => runtime === 'webllm')
        .every(({ unfit }) => unfit !== null),
    ).toBe(true);
    expect(offer(noGpu, 'Qwen3 4B', 'webllm').unfit).toMatch(/needs a GPU.*found no GPU.*GGUF models run without/);
    expect(offer(noGpu, 'SmolLM2 360M', 'wllama').unfit).toBeNull();
  });

  it('offers no GGUF where the browser lacks 64-bit WebAssembly, nor refers to one', () => {
    const safari = machineWith({ webgpu: NO_GPU, memory64: false });
    const ggufs = offers(safari).filter(({ runtime }) => runtime === 'wllama');
    expect(ggufs.map(({ unfit }) => unfit)).toEqual(
      ggufs.map(() => expect.stringMatching(/lacks 64-bit WebAssembly.*Firefox has it\.$/)),
    );
    expect(recommend(safari)).toBeNull();
    expect(offer(safari, 'Qwen3 4B', 'webllm').unfit).not.toContain('GGUF');
    expect(offer(machineWith({ memory64: false }), 'Qwen3 4B', 'webllm').unfit).toBeNull();
  });

  it('takes a GPU that the processor plays for none', () => {
    const software = machineWith({ gpu: { software: true, adapter: 'google swiftshader', gflops: 3 } });
    expect(offer(software, 'Qwen3 0.6B', 'webllm').unfit).toContain('swiftshader');
    expect(offer(software, 'Qwen3 0.6B', 'wllama').unfit).toBeNull();
  });

  it('takes the 32-bit build where the GPU lacks 16-bit shaders, under the same key', () => {
    const wide = machineWith({ gpu: { shaderF16: false } });
    const [half, full] = [offer(desktop, 'Qwen3 1.7B', 'webllm'), offer(wide, 'Qwen3 1.7B', 'webllm')];
    expect(full.key).toBe(half.key);
    expect(full.memoryBytes).toBe(2635.44e6);
    expect(half.memoryBytes).toBe(2036.66e6);
    expect(full.downloadBytes).toBeGreaterThan(half.downloadBytes ?? 0);
    expect(offer(wide, 'Gemma 3 1B', 'webllm').unfit).toMatch(/shader-f16/);
  });

  it('says what is too large for the memory, and what is not', () => {
    const phone = machineWith({ memory: 4, gpu: { gflops: 100 } });
    expect(offer(phone, 'Qwen3 8B', 'webllm').unfit).toMatch(
      /5\.7 GB on the GPU; this machine likely gives 2\.0 GB\. \S.* fits\.$/,
    );
    expect(offer(phone, 'Qwen3 0.6B', 'webllm').unfit).toBeNull();
    expect(offer(machineWith({ memory: 2, webgpu: NO_GPU }), 'Llama 3.2 3B', 'wllama').unfit).toMatch(/of memory/);
    expect(offer(machineWith({ memory: 32 }), 'Qwen3 8B', 'webllm').unfit).toBeNull();
  });

  it('says what the disk has no room for', () => {
    const small = machineWith({ storage: { usage: 0, quota: 500e6 } });
    expect(offer(small, 'Qwen3 4B', 'webllm').unfit).toMatch(/2\.3 GB of disk space.*500 MB/);
    expect(offer(small, 'Qwen3 0.6B', 'webllm').unfit).toBeNull();
  });

  it('says how fast: by the size, the GPU, and the threads', () => {
    expect(offer(desktop, 'Qwen3 4B', 'webllm').speed).toBe('fast');
    expect(offer(machineWith({ gpu: { gflops: 300 } }), 'Qwen3 4B', 'webllm').speed).toBe('medium');
    expect(offer(machineWith({ gpu: { gflops: 50 } }), 'Qwen3 4B', 'webllm').speed).toBe('slow');
    expect(offer(noGpu, 'SmolLM2 360M', 'wllama').speed).toBe('medium');
    expect(offer(noGpu, 'Llama 3.2 3B', 'wllama').speed).toBe('slow');
    expect(offer(machineWith({ webgpu: NO_GPU, isolated: false }), 'SmolLM2 360M', 'wllama').speed).toBe('slow');
  });

  it('tells an embedder’s download by the format that runs on this machine', () => {
    expect(offer(noGpu, 'all-MiniLM-L6-v2', 'transformers', 'embed').downloadBytes).toBeCloseTo(23.7e6, -5);
    expect(offer(desktop, 'all-MiniLM-L6-v2', 'transformers', 'embed').downloadBytes).toBeCloseTo(46e6, -5);
  });

  it('offers the browser’s own model where there is one', () => {
    expect(offer(desktop, 'Browser’s own model', 'prompt-api').unfit).toMatch(/no model of its own/);
    expect(offer(machineWith({ promptApi: 'downloadable' }), 'Browser’s own model', 'prompt-api').unfit).toBeNull();
  });
});

describe('the recommended set', () => {
  const chatOf = (machine: Machine): string | null => {
    const chat = recommend(machine)?.choices.chat;
    return chat?.kind === 'model' ? chat.key : null;
  };

  it('is of models that fit, and costs what they do', () => {
    const set = recommend(desktop);
    const chat = offers(desktop).find(({ key }) => key === chatOf(desktop));
    expect(chat?.unfit).toBeNull();
    expect(set?.downloadBytes).toBe(chat?.downloadBytes);
    expect(set?.choices.decide).toEqual({ kind: 'embedded' });
    expect(set?.choices.embed).toEqual({ kind: 'embedded' });
  });

  it('follows the machine: a better model on a better GPU', () => {
    expect(chatOf(desktop)).toContain('Qwen3-4B');
    expect(chatOf(machineWith({ gpu: { gflops: 100 } }))).toContain('Qwen3-1.7B');
    expect(chatOf(machineWith({ memory: 4, gpu: { gflops: 100 } }))).toContain('Qwen3-0.6B');
  });

  it('has the chat model write the summaries only where it fits twice', () => {
    expect(recommend(desktop)?.choices.summarise).toEqual({ kind: 'embedded' });
    expect(recommend(machineWith({ memory: 32 }))?.choices.summarise).toEqual({ kind: 'same-as-chat' });
  });

  it('says how slow it is without a GPU', () => {
    expect(chatOf(noGpu)).toContain('SmolLM2-360M');
    expect(recommend(noGpu)?.about).toMatch(/no gpu.*a few words a second.*half a minute/i);
  });

  it('says that there is a GPU where only the larger models do not fit, and how slow it is if llama.cpp cannot use it', () => {
    const small = (gpu: { shaderF16?: boolean }) => recommend(machineWith({ memory: 2, gpu }))?.about;
    expect(small({})).toMatch(/do not fit on this machine.* runs on the GPU/);
    expect(small({ shaderF16: false })).toMatch(/do not fit on this machine.* on the processor: a few words a second/);
    const full = machineWith({ storage: { usage: 0, quota: 300e6 } });
    for (const about of [small({}), small({ shaderF16: false }), recommend(full)?.about]) {
      expect(about).not.toMatch(/no gpu|fit on this machine’s GPU/i);
    }
  });

  it('prefers the browser’s own model to the processor, if it is there already', () => {
    expect(chatOf(machineWith({ webgpu: NO_GPU, promptApi: 'available' }))).toBe('prompt-api');
    expect(chatOf(machineWith({ webgpu: NO_GPU, promptApi: 'downloadable' }))).toContain('SmolLM2');
  });

  it('is none where nothing beats what ships', () => {
    expect(recommend(machineWith({ webgpu: NO_GPU, isolated: false }))).toBeNull();
    expect(recommend(machineWith({ webgpu: NO_GPU, threads: 2 }))).toBeNull();
    expect(recommend(machineWith({ webgpu: NO_GPU, memory: 0.5 }))).toBeNull();
  });
});
