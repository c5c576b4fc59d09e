import {
  AutoProcessor,
  cat,
  type PreTrainedModel,
  type Processor,
  RawImage,
  type Tensor,
} from '@huggingface/transformers';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import { MODEL } from './load-repo.ts';
import type { Device, RepoFiles, VisionConfig } from './repo-files.ts';

/** A text with its pictures, as the model reads it. */
export interface PicturedText {
  /** Token ids, with as many for each picture as it takes. */
  readonly ids: readonly number[];
  /** All pictures come before this token index. */
  readonly end: number;
  /** Pixels and their metadata. */
  readonly inputs: Readonly<Record<string, Tensor>>;
  /** The same tokens, with picture tokens replaced by a mark for what they show; used as the cache key. */
  cacheKey(ids: readonly number[]): readonly number[];
}

interface VisionProcessor {
  read(text: string, urls: readonly string[]): Promise<PicturedText>;
}

/** A processor called with text and pictures; see each `_call` in transformers.js. */
type Reader = (first: unknown, second: unknown, options: object) => Promise<Readonly<Record<string, Tensor>>>;

/** Inputs that the model no longer needs once it has processed the pictures. */
const PIXELS: ReadonlySet<string> = new Set(['pixel_values', 'pixel_attention_mask']);

/** The `inputs` that are still needed after the pictures have been processed. */
export const withoutPixels = (inputs: PicturedText['inputs']): PicturedText['inputs'] =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !PIXELS.has(name)));

export const loadVisionProcessor = async (
  { order, oneByOne }: VisionConfig,
  model: PreTrainedModel,
  device: Device,
): Promise<VisionProcessor> => {
  const processor: Processor = await AutoProcessor.from_pretrained(MODEL);
  const { image_processor: cutter, tokenizer } = processor;
  const { image_token_id, image_token_index } = model.config as { image_token_id?: number; image_token_index?: number };
  const pictureToken = image_token_id ?? image_token_index;
  if (cutter === undefined || tokenizer === undefined || pictureToken === undefined) {
    throw new ModelFailure(
      'unsupported',
      'The model’s files do not say how it is shown pictures (preprocessor_config.json with a processor_class). Choose another model.',
    );
  }
  if (oneByOne) processor.components.image_processor = Object.assign(eachByItself(cutter), { config: cutter.config });
  const read = processor as unknown as Reader;
  const options = {
    // The chat template already includes the special tokens.
    add_special_tokens: false,
    // A CPU takes seconds per picture, and would take as long for each of up to 16 tiles.
    ...(device === 'wasm' && { do_image_splitting: false }),
  };
  // Negative numbers are not token ids: one for each set of pictures shown.
  const seen = new Map<string, number>();

  return {
    read: async (text, urls) => {
      const pictures = await Promise.all(urls.map(pictureOf));
      const [first, second] = order === 'text-first' ? [text, pictures] : [pictures, text];
      const { input_ids, attention_mask: _, ...rest } = await read(first, second, options);
      const ids = (input_ids?.tolist() as bigint[][] | undefined)?.[0]?.map(Number) ?? [];
      const key = urls.join('\n');
      const mark = seen.get(key) ?? -1 - seen.size;
      seen.set(key, mark);
      return {
        ids,
        end: ids.lastIndexOf(pictureToken) + 1,
        // Drops sizes, which come as plain numbers among the tensors.
        inputs: Object.fromEntries(Object.entries(rest).filter(([, input]) => input?.dims !== undefined)),
        cacheKey: (all) => all.map((id) => (id === pictureToken ? mark : id)),
      };
    },
  };
};

const PROCESSOR = 'preprocessor_config.json';

/** Adds the processor's name where the library looks for it: newer repositories have it only next to the tokenizer. */
export const withProcessorNamed = async (files: RepoFiles): Promise<RepoFiles> => {
  const read = async (path: string): Promise<{ readonly processor_class?: unknown } | null> =>
    JSON.parse((await files.get(path)?.text()) ?? 'null') as { readonly processor_class?: unknown } | null;
  const own = await read(PROCESSOR);
  if (own === null || own.processor_class !== undefined) return files;
  const named =
    (await read('processor_config.json'))?.processor_class ?? (await read('tokenizer_config.json'))?.processor_class;
  return new Map(files).set(PROCESSOR, new Blob([JSON.stringify({ ...own, processor_class: named })]));
};

type Cutter = NonNullable<Processor['image_processor']>;

/** Preprocesses each picture separately and joins the results. */
const eachByItself =
  (cutter: Cutter) =>
  async (pictures: readonly RawImage[]): Promise<Readonly<Record<string, Tensor>>> => {
    const read = cutter as unknown as (picture: RawImage) => Promise<Readonly<Record<string, Tensor>>>;
    const all: Readonly<Record<string, Tensor>>[] = [];
    for (const picture of pictures) all.push(await read(picture));
    const joined = (name: string): Tensor =>
      cat(
        all.flatMap((one) => one[name] ?? []),
        0,
      );
    return { pixel_values: joined('pixel_values'), image_grid_thw: joined('image_grid_thw') };
  };

/** Decodes the picture in a data URL. Nothing is fetched. */
const pictureOf = async (url: string): Promise<RawImage> => {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  try {
    return (await RawImage.fromBlob(new Blob([bytes], { type }))).rgb();
  } catch (error) {
    throw new ModelFailure(
      'unreadable-picture',
      'A picture could not be read: this browser does not know its format, or the file is damaged. Convert it to PNG or JPEG, and attach that.',
      { cause: error },
    );
  }
};

interface ContentPart {
  readonly type: 'text' | 'image';
  readonly text?: string;
}

/** Messages as vision chat templates expect them: a list of parts, pictures before the text that refers to them. */
export const inParts = (
  messages: SentGeneration['messages'],
  urls: SentGeneration['pictures'],
): { readonly messages: { role: string; content: ContentPart[] }[]; readonly urls: readonly string[] } => {
  const shown: string[] = [];
  const parted = messages.map(({ role, content, pictures = [] }) => {
    const here = pictures.flatMap(({ id }) => (id === null ? [] : (urls?.[id] ?? [])));
    shown.push(...here);
    return {
      role,
      content: [...here.map((): ContentPart => ({ type: 'image' })), { type: 'text' as const, text: content }],
    };
  });
  return { messages: parted, urls: shown };
};
