/** Names of what draws on the processor: SwiftShader (Chromium), llvmpipe and lavapipe (Mesa), WARP (Windows). */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|\bwarp\b|software/i;

/** The parts of `GPUAdapterInfo` that tell. */
export interface AdapterNames {
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
