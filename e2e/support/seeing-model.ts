/*
 * A handmade vision model: three graphs of a few operators in the layout of SmolVLM's repository. It gets pictures from
 * the real processor of transformers.js and runs in the real ONNX Runtime; all it can say is which of three colours
 * dominates them, or "nothing" if it gets none. It does not try to imitate a trained model.
 */

const WORDS = [
  '[UNK]',
  '<image>',
  '<fake_token_around_image>',
  '<global-img>',
  ...[1, 2, 3, 4].flatMap((row) => [1, 2, 3, 4].map((column) => `<row_${row}_col_${column}>`)),
  '<end>',
  'Assistant:',
  'red',
  'green',
  'blue',
  'nothing',
  '.',
] as const;
type Word = (typeof WORDS)[number];

const V = WORDS.length;
const at = (word: Word): number => WORDS.indexOf(word);
const COLOURS: readonly Word[] = ['red', 'green', 'blue'];

/* Protocol buffers, as far as ONNX needs them (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). */

type Field = readonly [number, number | string | Uint8Array | readonly Field[]];

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];

const message = (fields: readonly Field[]): Uint8Array =>
  Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [...varint(number * 8), ...varint(value)];
      const bytes =
        typeof value === 'string'
          ? new TextEncoder().encode(value)
          : value instanceof Uint8Array
            ? value
            : message(value);
      return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
    }),
  );

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;

/** A float tensor of a graph (initializer). */
const floats = (name: string, dims: readonly number[], values: Iterable<number>): Field => [
  5,
  [...dims.map((dim): Field => [1, dim]), [2, FLOAT], [8, name], [9, new Uint8Array(Float32Array.from(values).buffer)]],
];
const whole = (name: string, values: readonly number[]): Field => [
  5,
  [
    [1, values.length],
    [2, INT64],
    [8, name],
    [9, new Uint8Array(BigInt64Array.from(values, BigInt).buffer)],
  ],
];
const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  numbers: Readonly<Record<string, number | number[]>> = {},
): Field => [
  1,
  [
    ...inputs.map((input): Field => [1, input]),
    [2, output],
    [4, operator],
    ...Object.entries(numbers).map(
      ([name, value]): Field => [
        5,
        typeof value === 'number'
          ? [
              [1, name],
              [3, value],
              [20, 2],
            ]
          : [[1, name], ...value.map((one): Field => [8, one]), [20, 7]],
      ],
    ),
  ],
];
const shape = (field: 11 | 12, name: string, type: number, dims: readonly (number | string)[]): Field => [
  field,
  [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, type],
            [2, dims.map((dim): Field => [1, [typeof dim === 'number' ? [1, dim] : [2, dim]]])],
          ],
        ],
      ],
    ],
  ],
];
const model = (...graph: readonly Field[]): Uint8Array =>
  message([
    [1, 8],
    [7, [[2, 'graph'], ...graph]],
    [
      8,
      [
        [1, ''],
        [2, 17],
      ],
    ],
  ]);

/** A V × V matrix, zero except for these entries. */
const table = (entries: readonly (readonly [Word, Word, number])[]): Float32Array => {
  const all = new Float32Array(V * V);
  for (const [from, to, value] of entries) all[at(from) * V + at(to)] = value;
  return all;
};

/** One-hot embeddings: every word has its own direction. */
const embedTokens = (): Uint8Array =>
  model(
    floats('words', [V, V], table(WORDS.map((word) => [word, word, 1]))),
    node('Gather', ['words', 'input_ids'], 'inputs_embeds'),
    shape(11, 'input_ids', INT64, ['batch_size', 'length']),
    shape(12, 'inputs_embeds', FLOAT, ['batch_size', 'length', V]),
  );

/** One token per picture, or tile of it: its mean red, green and blue. */
const visionEncoder = (): Uint8Array => {
  const colours = new Float32Array(3 * V);
  for (const [channel, colour] of COLOURS.entries()) colours[channel * V + at(colour)] = 1;
  return model(
    floats('colours', [3, V], colours),
    node('ReduceMean', ['pixel_values'], 'mean', { axes: [3, 4], keepdims: 0 }),
    node('MatMul', ['mean', 'colours'], 'image_features'),
    shape(11, 'pixel_values', FLOAT, ['batch_size', 'tiles', 3, 'height', 'width']),
    shape(11, 'pixel_attention_mask', BOOL, ['batch_size', 'tiles', 'height', 'width']),
    shape(12, 'image_features', FLOAT, ['batch_size', 'tiles', V]),
  );
};

/** Stores what was read as keys; their sum says which colour was seen, and the newest word what follows it. */
const decoder = (): Uint8Array => {
  const said: readonly Word[] = [...COLOURS, 'nothing'];
  return model(
    whole('heads', [1]),
    whole('length', [2]),
    floats('evidence', [V, V], table(COLOURS.map((colour) => [colour, colour, 1]))),
    floats(
      'next',
      [V, V],
      table([['Assistant:', 'nothing', 0.1], ...said.map((word) => [word, '.', 90] as const), ['.', '<end>', 90]]),
    ),
    node('Unsqueeze', ['inputs_embeds', 'heads'], 'new'),
    node('Concat', ['past_key_values.0.key', 'new'], 'present.0.key', { axis: 2 }),
    node('Concat', ['past_key_values.0.value', 'new'], 'present.0.value', { axis: 2 }),
    node('ReduceSum', ['present.0.key', 'length'], 'read', { keepdims: 0 }),
    node('MatMul', ['read', 'evidence'], 'seen'),
    node('MatMul', ['inputs_embeds', 'next'], 'after'),
    node('Add', ['after', 'seen'], 'logits'),
    shape(11, 'inputs_embeds', FLOAT, ['batch_size', 'length', V]),
    ...['key', 'value'].flatMap((which) => [
      shape(11, `past_key_values.0.${which}`, FLOAT, ['batch_size', 1, 'past', V]),
      shape(12, `present.0.${which}`, FLOAT, ['batch_size', 1, 'all', V]),
    ]),
    shape(12, 'logits', FLOAT, ['batch_size', 'length', V]),
  );
};

const special = WORDS.filter((word) => word.startsWith('<') || word.endsWith(':'));

/** Each message in parts, including pictures, like SmolVLM's templates. */
const TEMPLATE = `{% for message in messages %}{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<end>
{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}`;

/** The model's files by path. */
export const seeingModel = (): Readonly<Record<string, Uint8Array | string>> => {
  const json = (value: object): string => JSON.stringify(value);
  const pixels = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5], rescale_factor: 1 / 255, resample: 1 };
  const steps = {
    do_convert_rgb: true,
    do_image_splitting: true,
    do_normalize: true,
    do_pad: true,
    do_rescale: true,
    do_resize: true,
  };
  return {
    'config.json': json({
      model_type: 'smolvlm',
      image_token_id: at('<image>'),
      eos_token_id: at('<end>'),
      vision_config: { model_type: 'smolvlm_vision' },
      text_config: {
        model_type: 'llama',
        hidden_size: V,
        num_attention_heads: 1,
        num_hidden_layers: 1,
        num_key_value_heads: 1,
        max_position_embeddings: 2048,
        vocab_size: V,
      },
    }),
    'generation_config.json': json({ eos_token_id: at('<end>') }),
    'tokenizer_config.json': json({ tokenizer_class: 'PreTrainedTokenizer', unk_token: '[UNK]', eos_token: '<end>' }),
    'chat_template.json': json({ chat_template: TEMPLATE }),
    'tokenizer.json': json({
      version: '1.0',
      added_tokens: special.map((content) => ({ id: at(content), content, special: true })),
      normalizer: null,
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(WORDS.map((word) => [word, at(word)])),
      },
    }),
    'preprocessor_config.json': json({
      image_processor_type: 'Idefics3ImageProcessor',
      processor_class: 'Idefics3Processor',
      max_image_size: { longest_edge: 8 },
      size: { longest_edge: 16 },
      ...pixels,
      ...steps,
    }),
    'processor_config.json': json({ processor_class: 'Idefics3Processor', image_seq_len: 1 }),
    'onnx/embed_tokens.onnx': embedTokens(),
    'onnx/vision_encoder_quantized.onnx': visionEncoder(),
    'onnx/decoder_model_merged.onnx': decoder(),
  };
};
