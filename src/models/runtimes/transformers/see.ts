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
import type { Device, RepoFiles, Sight } from './repo-files.ts';

/** A text with the pictures that it speaks of, as the model reads it. */
export interface PicturedText {
  /** With as many tokens for each picture as it takes. */
  readonly ids: readonly number[];
  /** All of the pictures lie before this token. */
  readonly end: number;
  /** The pixels, and whatever is told of them. */
  readonly inputs: Readonly<Record<string, Tensor>>;
  /** The same tokens with those of pictures told apart by what they show: what may be taken from a cache. */
  told(ids: readonly number[]): readonly number[];
}

export interface Eyes {
  read(text: string, urls: readonly string[]): Promise<PicturedText>;
}

/** The part of a model's processor that reads text and pictures together; see the `_call` of each in transformers.js. */
type Reader = (first: unknown, second: unknown, options: object) => Promise<Readonly<Record<string, Tensor>>>;

/** Inputs that the model itself is not given again once it has seen the pictures. */
const PIXELS: ReadonlySet<string> = new Set(['pixel_values', 'pixel_attention_mask']);

/** Those of `inputs` that are still needed when the pictures have been read. */
export const withoutPixels = (inputs: PicturedText['inputs']): PicturedText['inputs'] =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !PIXELS.has(name)));

export const openEyes = async ({ order, oneByOne }: Sight, model: PreTrainedModel, device: Device): Promise<Eyes> => {
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
    // The chat's template has written its marks of beginning.
    add_special_tokens: false,
    // A processor without a GPU takes seconds for a picture, and would take as many for each of up to 16 pieces of it.
    ...(device === 'wasm' && { do_image_splitting: false }),
  };
  // Numbers below zero are no tokens: one for each set of pictures that was shown.
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
        // Sizes as plain numbers are told beside the tensors.
        inputs: Object.fromEntries(Object.entries(rest).filter(([, input]) => input?.dims !== undefined)),
        told: (all) => all.map((id) => (id === pictureToken ? mark : id)),
      };
    },
  };
};

const PROCESSOR = 'preprocessor_config.json';

/** The files with the name of the processor where the library looks for it: newer repositories have it beside the tokenizer alone. */
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

/** Pictures are given on in one list, though each was read as if it were alone. */
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

/** The picture behind a data URL. Nothing is fetched. */
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

interface Part {
  readonly type: 'text' | 'image';
  readonly text?: string;
}

/** Messages as the templates of models that see have them: a list of parts, pictures before the words that ask about them. */
export const inParts = (
  messages: SentGeneration['messages'],
  urls: SentGeneration['pictures'],
): { readonly messages: { role: string; content: Part[] }[]; readonly urls: readonly string[] } => {
  const shown: string[] = [];
  const told = messages.map(({ role, content, pictures = [] }) => {
    const here = pictures.flatMap(({ id }) => (id === null ? [] : (urls?.[id] ?? [])));
    shown.push(...here);
    return { role, content: [...here.map((): Part => ({ type: 'image' })), { type: 'text' as const, text: content }] };
  });
  return { messages: told, urls: shown };
};
