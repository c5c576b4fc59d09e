import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { ModelFailure } from '../../../engine/model-failure.ts';

/**
 * llama.cpp's WASM as an address that cannot fail any more: wllama waits for ever for one that is not there. Rejects
 * with `unsupported` where the site lacks it, or the browser lacks what it needs.
 */
export const llamaWasm = async (signal: AbortSignal): Promise<string> => {
  try {
    new WebAssembly.Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
  } catch (cause) {
    throw new ModelFailure(
      'unsupported',
      'This browser lacks 64-bit WebAssembly, which llama.cpp needs. Choose another model, or use a current Chrome, Edge or Firefox.',
      { cause },
    );
  }
  const address = new URL(wasm, import.meta.url);
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw missing(address, 'it does not answer', cause);
  });
  if (!response.ok) throw missing(address, `it answers ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (new DataView(bytes).getUint32(0) !== MAGIC) throw missing(address, 'what it gives is no WebAssembly');
  return URL.createObjectURL(new Blob([bytes], { type: 'application/wasm' }));
};

/** `\0asm` */
const MAGIC = 0x0061736d;

const missing = (address: URL, why: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'unsupported',
    `llama.cpp could not be started from ${address.host}: ${why}. Reload the page; if that does not help, choose another kind of model.`,
    { cause },
  );
