import { sum } from '../../../domain/numbers.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';

/** How the next token is chosen. */
export interface Sampling {
  /** 0: always the most likely token. */
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
}

/** Tokens less likely than this relative to the most likely one are never sampled; skipping them avoids sorting the whole vocabulary. */
const NEGLIGIBLE = 1e-6;

/**
 * Samples the next token from its logits, since transformers.js has no top-p. Throws `untrusted` if the logits are not numbers,
 * which happens with quantised models on a GPU. `random` returns a number in [0, 1).
 */
export const sampled = (
  logits: Float32Array,
  { temperature, topP, topK }: Sampling,
  allowed: Iterable<number> | null,
  random: () => number,
): number => {
  const ids = allowed === null ? logits.keys() : allowed;
  const tokens: { id: number; logit: number }[] = [];
  let best = { id: -1, logit: Number.NEGATIVE_INFINITY };
  const floor = temperature * Math.log(NEGLIGIBLE);
  for (const id of ids) {
    const logit = logits[id] ?? Number.NEGATIVE_INFINITY;
    if (Number.isNaN(logit)) throw untrusted();
    if (logit > best.logit) best = { id, logit };
    if (temperature > 0 && logit > best.logit + floor) tokens.push({ id, logit });
  }
  if (best.id < 0 || best.logit === Number.POSITIVE_INFINITY) throw untrusted();
  if (temperature === 0) return best.id;
  const likely = tokens.sort((a, b) => b.logit - a.logit).slice(0, topK > 0 ? topK : undefined);
  const weights = likely.map(({ logit }) => Math.exp((logit - best.logit) / temperature));
  const nucleus = nucleusOf(weights, topP);
  let left = random() * sum(nucleus);
  const chosen = nucleus.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return likely[Math.max(0, chosen)]?.id ?? best.id;
};

/** The smallest set of most likely tokens whose weights make up `topP` of the total; at least one. */
const nucleusOf = (weights: readonly number[], topP: number): readonly number[] => {
  const wanted = topP * sum(weights);
  let taken = 0;
  const last = weights.findIndex((weight) => {
    taken += weight;
    return taken >= wanted;
  });
  return last < 0 ? weights : weights.slice(0, last + 1);
};

const untrusted = (): ModelFailure =>
  new ModelFailure(
    'untrusted',
    'The model gave no numbers for its next word. Choose another model, or another device.',
  );

/** Passes text through until one of `stops` appears, then calls `stopped` once. Text that may be the start of a stop is held back. */
export const untilStop = (
  stops: readonly string[],
  piece: (text: string) => void,
  stopped: () => void,
): { push(text: string): void /** Returns whether a stop was found. */; end(): boolean } => {
  let held = '';
  let over = false;
  const tell = (text: string): void => {
    if (text !== '') piece(text);
  };
  return {
    push: (text) => {
      if (over) return;
      held += text;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      if (found.length > 0) {
        over = true;
        tell(held.slice(0, Math.min(...found)));
        stopped();
        return;
      }
      const keep = Math.max(0, ...stops.map((stop) => overlap(held, stop)));
      tell(held.slice(0, held.length - keep));
      held = held.slice(held.length - keep);
    },
    end: () => {
      if (!over) tell(held);
      held = '';
      return over;
    },
  };
};

/** Number of characters at the end of `text` that are a prefix of `stop`. */
const overlap = (text: string, stop: string): number => {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (stop.startsWith(text.slice(-length))) return length;
  }
  return 0;
};

/** The tokens that may come next, given those so far: a trie over the tokens of all answers. */
export interface AnswerTree {
  readonly next: ReadonlyMap<number, AnswerTree>;
  /** An answer ends here. */
  readonly ends: boolean;
}

interface AnswerNode {
  readonly next: Map<number, AnswerNode>;
  ends: boolean;
}

export const answerTree = (answers: Iterable<readonly number[]>): AnswerTree => {
  const root: AnswerNode = { next: new Map(), ends: false };
  for (const tokens of answers) {
    let at = root;
    for (const token of tokens) {
      const next = at.next.get(token) ?? { next: new Map(), ends: false };
      at.next.set(token, next);
      at = next;
    }
    at.ends = true;
  }
  return root;
};

/** Maximum number of answers; with more, building the trie would take longer than the answer. */
const MOST = 2000;

/**
 * Every JSON text that satisfies a schema, if there are few: objects whose properties are enums, constants, booleans and small
 * ranges. Returns null for any other schema, which is then not enforced here.
 */
export const finiteAnswers = (schema: object): readonly string[] | null => {
  const values = valuesOf(schema as Schema);
  return values === null || values.length === 0 || values.length > MOST ? null : values;
};

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const valuesOf = (schema: Schema): readonly string[] | null => {
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(valuesOf));
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'null') return ['null'];
  if (schema.type === 'integer') return integers(schema.minimum, schema.maximum);
  if (schema.type === 'object' && schema.properties !== undefined) return objects(schema.properties);
  return null;
};

const joined = (parts: readonly (readonly string[] | null)[]): readonly string[] | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? known.flat() : null;
};

const integers = (minimum?: number, maximum?: number): readonly string[] | null => {
  if (minimum === undefined || maximum === undefined || maximum - minimum > MOST) return null;
  return Array.from({ length: maximum - minimum + 1 }, (_, i) => String(minimum + i));
};

/** All properties in order, with the spacing that models are used to. */
const objects = (properties: Readonly<Record<string, Schema>>): readonly string[] | null => {
  let texts: readonly string[] = [''];
  for (const [key, schema] of Object.entries(properties)) {
    const values = valuesOf(schema);
    if (values === null || texts.length * values.length > MOST) return null;
    texts = texts.flatMap((text) =>
      values.map((value) => `${text}${text === '' ? '' : ', '}${JSON.stringify(key)}: ${value}`),
    );
  }
  return texts.map((text) => `{${text}}`);
};
