/** Milliseconds after which a browser that found no GPU is asked again. */
const A_MOMENT = 100;

/**
 * The GPU that the browser gives this page or worker; null if none. Asked twice: Chromium may start its GPU process anew for the first
 * page that asks, and tells it meanwhile that there is none (seen on Linux). Never rejects.
 */
export const gpuAdapter = async (
  gpu: GPU | undefined,
  options: GPURequestAdapterOptions = {},
): Promise<GPUAdapter | null> => {
  if (gpu === undefined) return null;
  const ask = () => gpu.requestAdapter(options).catch(() => null);
  const found = await ask();
  if (found !== null) return found;
  await new Promise((resolve) => setTimeout(resolve, A_MOMENT));
  return ask();
};

/** Names of what draws on the processor: SwiftShader (Chromium), llvmpipe and lavapipe (Mesa), WARP (Windows). */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|\bwarp\b|software/i;

/** The parts of `GPUAdapterInfo` that tell. */
interface AdapterNames {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly isFallbackAdapter?: boolean;
}

/** Whether an adapter runs on the processor, by what it says of itself. */
export const isSoftware = (info: AdapterNames): boolean =>
  info.isFallbackAdapter === true || SOFTWARE.test(Object.values(namesOf(info)).join(' '));

/** What to call it: browsers leave out as much as they like, to keep people from being told apart. */
export const adapterName = (info: AdapterNames): string => {
  const { description, ...rest } = namesOf(info);
  const parts = description === '' ? Object.values(rest) : [description];
  return parts.filter((part) => part !== '').join(' ') || 'a GPU without a name';
};

const namesOf = ({ vendor, architecture, device, description }: AdapterNames) => ({
  vendor,
  architecture,
  device,
  description,
});
