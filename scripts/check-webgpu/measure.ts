import type { ChatMessage } from '../../src/domain/context.ts';
import type { Usage } from '../../src/domain/reply.ts';
import { CHOICE_SCHEMA, CHOICE_TOKENS, choiceIn } from '../../src/models/prompted/choice.ts';
import { instructionsFor, TOPIC_INSTRUCTIONS } from '../../src/models/prompted/prompts.ts';
import type { WebLlmSpec } from '../../src/models/runtimes/model-spec.ts';
import type { Runtime, TextGenerator } from '../../src/models/runtimes/runtime.ts';

/** Times in milliseconds, sizes in bytes. */
export interface Measured {
  readonly name: string;
  readonly window: number;
  readonly exactTokens: boolean;
  readonly downloaded: number;
  /** Time until the model is ready, download included; then again with all files cached. */
  readonly firstLoad: number;
  readonly secondLoad: number;
  /** Prefill of a long prompt, cold. */
  readonly prefill: { readonly tokens: number; readonly perSecond: number };
  readonly decode: { readonly tokens: number; readonly perSecond: number };
  /** Tokens of a second turn after the first, and of the same messages without the cache. */
  readonly secondTurn: { readonly prefilled: number; readonly reused: number; readonly cold: number };
  /** Whether a reply cut off in the middle was continued. */
  readonly wentOn: boolean;
  /** Milliseconds from the stop request to the end. */
  readonly stop: number;
  readonly decisions: { readonly asked: number; readonly valid: number; readonly medianMs: number };
}

const DECISIONS = 100;
/** Number of words in the long prompt: about a thousand tokens. */
const LONG = 700;
const REPLY_TOKENS = 128;

const never = new AbortController().signal;
const ongoing = (text: string): string => `${text}…`;

/** Exercises a model, from its download to its hundredth decision. */
export const measure = async (
  runtime: Runtime<WebLlmSpec>,
  modelId: string,
  tell: (text: string) => void,
): Promise<Measured> => {
  const load = async (): Promise<{ generator: TextGenerator; ms: number; bytes: number }> => {
    const begun = performance.now();
    let bytes = 0;
    const generator = await runtime.loadGenerator?.(
      { runtime: 'webllm', modelId, custom: null },
      {
        signal: never,
        onProgress: ({ phase, loaded, total }) => {
          bytes = total ?? bytes;
          tell(ongoing(`${phase} ${Math.round(loaded / 1e6)} of ${total === null ? '?' : Math.round(total / 1e6)} MB`));
        },
        onLost: (error) => tell(`Lost: ${error.message}`),
      },
    );
    if (generator === undefined) throw new Error('The runtime loads no generators.');
    return { generator, ms: performance.now() - begun, bytes };
  };

  const first = await load();
  first.generator.close();
  const { generator, ms: secondLoad } = await load();
  try {
    tell(ongoing('Reading a long prompt'));
    const long = await timed(generator, [user(`${story(LONG)}\n\nHow does it end? One sentence.`)], 8);
    tell(ongoing('Writing'));
    const question = user('Explain in plain words how a lock keeps water in a canal.');
    const reply = await timed(generator, [question], REPLY_TOKENS);
    tell(ongoing('A second turn'));
    const opening = [
      { role: 'system' as const, content: 'Answer in one short sentence. /no_think' },
      user('Name a river.'),
    ];
    const said = await timed(generator, opening, null);
    const second = [...opening, { role: 'assistant' as const, content: said.text }, user('And another one?')];
    const warm = await timed(generator, second, null);
    // Any prompt in between evicts the cache.
    await timed(generator, [user('Say yes.')], 4);
    const cold = await timed(generator, second, null);
    tell(ongoing('Going on, and stopping'));
    const half = { begun: 'The three largest oceans are the Pacific, the' };
    const rest = await timed(generator, [user('Name the three largest oceans.')], 24, half);
    const stop = await stopTime(generator, question);
    const decisions = await decide(generator, tell);
    return {
      name: generator.name,
      window: generator.window,
      exactTokens: !generator.estimates,
      downloaded: first.bytes,
      firstLoad: first.ms,
      secondLoad,
      prefill: { tokens: long.usage.prefilled ?? 0, perSecond: perSecond(long.usage.prefilled, long.toFirst) },
      decode: {
        tokens: reply.usage.generated ?? 0,
        perSecond: perSecond(reply.usage.generated, reply.ms - reply.toFirst),
      },
      secondTurn: {
        prefilled: warm.usage.prefilled ?? 0,
        reused: warm.usage.reused ?? 0,
        cold: cold.usage.prefilled ?? 0,
      },
      wentOn: rest.text.trim() !== '',
      stop,
      decisions,
    };
  } finally {
    generator.close();
  }
};

const user = (content: string): ChatMessage => ({ role: 'user', content });

const perSecond = (tokens: number | null, ms: number): number => ((tokens ?? 0) * 1000) / Math.max(1, ms);

/** Generates the same words each time, and none that a model could know by heart. */
const story = (words: number): string => {
  const stock = ['the', 'grey', 'ferry', 'waits', 'while', 'nine', 'lamps', 'swing', 'over', 'cold', 'stones', 'and'];
  return Array.from({ length: words }, (_, i) => stock[(i * 7 + (i >> 3)) % stock.length]).join(' ');
};

const timed = async (
  generator: TextGenerator,
  messages: readonly ChatMessage[],
  maxTokens: number | null,
  { begun = '', schema = null }: { begun?: string; schema?: object | null } = {},
): Promise<{ text: string; usage: Usage; ms: number; toFirst: number }> => {
  const start = performance.now();
  let usage: Usage = { prefilled: null, reused: null, generated: null };
  let toFirst: number | null = null;
  let text = '';
  const request = { messages, begun, temperature: 0, topP: null, maxTokens, schema };
  for await (const piece of generator.generate({ ...request, onUsage: (one) => (usage = one) }, never)) {
    toFirst ??= performance.now() - start;
    text += piece;
  }
  const ms = performance.now() - start;
  return { text, usage, ms, toFirst: toFirst ?? ms };
};

const stopTime = async (generator: TextGenerator, question: ChatMessage): Promise<number> => {
  const stop = new AbortController();
  let asked = 0;
  const request = { messages: [question], begun: '', temperature: 0, topP: null, maxTokens: 512, schema: null };
  for await (const _ of generator.generate(request, stop.signal)) {
    if (asked > 0) continue;
    asked = performance.now();
    stop.abort();
  }
  return performance.now() - asked;
};

const TOPICS = ['Trip to Lisbon', 'Sourdough bread', 'Python parser', 'Moving house', 'Learning the cello'];
const ASKS = [
  'How much would that cost?',
  'Back to it: what was the first step?',
  'What about next week?',
  'Explain tides.',
];

/** Asks the app's own topic question with a hundred messages, constrained by its schema and parsed by its own reader. */
const decide = async (generator: TextGenerator, tell: (text: string) => void): Promise<Measured['decisions']> => {
  const instructions = instructionsFor(generator.name, TOPIC_INSTRUCTIONS);
  const times: number[] = [];
  let valid = 0;
  for (let i = 0; i < DECISIONS; i += 1) {
    tell(ongoing(`Decision ${i + 1} of ${DECISIONS}`));
    const listed = TOPICS.slice(0, 2 + (i % 4));
    const question = [
      ...listed.map((title, at) => `${at + 1}. ${title}: The user asked about ${title.toLowerCase()}.`),
      `Current topic: ${1 + (i % listed.length)}`,
      `New message: ${JSON.stringify(`${ASKS[i % ASKS.length]} (${TOPICS[i % TOPICS.length]})`)}`,
    ].join('\n');
    const messages = [{ role: 'system' as const, content: instructions }, user(question)];
    const { text, ms } = await timed(generator, messages, CHOICE_TOKENS, { schema: CHOICE_SCHEMA });
    times.push(ms);
    valid += Number(isChoice(text));
  }
  return { asked: DECISIONS, valid, medianMs: times.toSorted((a, b) => a - b)[DECISIONS >> 1] ?? 0 };
};

const isChoice = (text: string): boolean => {
  try {
    choiceIn(text);
    return true;
  } catch {
    return false;
  }
};
