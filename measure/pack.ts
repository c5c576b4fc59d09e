import { contentWords } from '../src/engine/text/words.ts';
import type { Affinity, RowMatrix } from '../src/models/embedded/affinity.ts';
import type { Model, PackedModel, Trees } from '../src/models/embedded/boosted-trees.ts';
import type { DeciderWeights, PackedWeights, TopicWeights } from '../src/models/embedded/decider-weights.ts';
import type { PackedLexicon } from '../src/models/embedded/lexicon.ts';

/* Puts what was trained or compiled into the form in which the app ships it. */

export const packWeights = ({ branch, unanswered, ...topics }: DeciderWeights): PackedWeights => ({
  ...packTopics(topics),
  branch: packModel(branch),
  unanswered: packTopics(unanswered),
});

const packTopics = ({ affinity, topic }: TopicWeights): PackedWeights['unanswered'] => ({
  affinity: packAffinity(affinity),
  topic: packModel(topic),
});

const packAffinity = ({
  embedder,
  alone,
  units,
  biases,
  weights,
  pair,
  ofMessage,
  ofTopic,
}: Affinity): PackedWeights['affinity'] => ({
  embedder,
  alone: toBase64(alone),
  units: packRows(units, alone.length),
  biases: toBase64(biases),
  weights: toBase64(weights),
  pair: toBase64(pair),
  ofMessage: packRows(ofMessage, alone.length),
  ofTopic: packRows(ofTopic, alone.length),
});

const MOST = 127;

const packRows = (rows: RowMatrix, length: number): PackedWeights['affinity']['units'] => {
  const scales = Float32Array.from({ length: rows.length / length }, (_, row) =>
    rows.subarray(row * length, (row + 1) * length).reduce((most, value) => Math.max(most, Math.abs(value) / MOST), 0),
  );
  const numbers = Int8Array.from(rows, (value, at) => Math.round(value / (scales[Math.floor(at / length)] || 1)));
  return { numbers: toBase64(numbers), scales: toBase64(scales) };
};

export const packModel = (model: Model): PackedModel =>
  Object.fromEntries(Object.entries(model).map(([action, trees]) => [action, packTrees(trees)]));

const packTrees = ({ features, ...numbers }: Trees): PackedModel[string] => ({
  features,
  roots: toBase64(numbers.roots),
  column: toBase64(numbers.column),
  threshold: toBase64(numbers.threshold),
  skip: toBase64(numbers.skip),
  value: toBase64(numbers.value),
});

/** `subjects`: each one's name and the terms that belong to it. */
export const packLexicon = (subjects: readonly (readonly [name: string, terms: string])[]): PackedLexicon => {
  const membersOf = new Map<string, number[]>();
  for (const [at, [name, terms]] of subjects.entries()) {
    for (const word of contentWords(`${name} ${terms}`)) membersOf.set(word, [...(membersOf.get(word) ?? []), at]);
  }
  const words = [...membersOf.keys()].sort();
  const bytes: number[] = [];
  const write = (value: number) => {
    for (let rest = value; ; rest >>= 7) {
      bytes.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) return;
    }
  };
  for (const word of words) {
    const members = membersOf.get(word) ?? [];
    write(members.length);
    for (const [at, member] of members.entries()) write(member - (members[at - 1] ?? 0));
  }
  return { subjects: subjects.map(([name]) => name), words: words.join(' '), members: toBase64(new Uint8Array(bytes)) };
};

const toBase64 = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');
