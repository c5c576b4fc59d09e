/** What a file of a data folder may be. */
export type KindName =
  | 'everyday'
  | 'ntm'
  | 'ntm-labels'
  | 'sgd'
  | 'tiage'
  | 'cast2022'
  | 'structflow'
  | 'oasst'
  | 'rewrites'
  | 'locomo'
  | 'realtalk'
  | 'msc-e'
  | 'multihop-rag'
  | 'multihop-rag-articles';

interface Kind {
  readonly name: KindName;
  readonly about: string;
  readonly files: string;
  /** What the text of such a file has, and no other does. */
  readonly shape: RegExp;
  /** What the name of such a file often says. */
  readonly called: RegExp;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'everyday',
    about: 'Everyday talk: parents, in several languages',
    files: 'everyday/*.json',
    // `"parent": 3`, as no other set has it, and the language of the conversation.
    shape: /^(?=[\s\S]*"lang"\s*:)[\s\S]*"parent"\s*:\s*\d/,
    called: /\beveryday\b/,
  },
  {
    name: 'ntm',
    about: 'NTM: conversations of user turns',
    files: 'ntm/*.jsonl',
    shape: /"user_turns"\s*:/,
    called: /\bntm\b/,
  },
  {
    name: 'ntm-labels',
    about: 'NTM: labels of parents',
    files: 'ntm/labels.json',
    shape: /"parent"\s*:\s*\[/,
    called: /^labels\b/,
  },
  {
    name: 'sgd',
    about: 'Schema-Guided Dialogue: services',
    files: 'sgd/*.json',
    shape: /"frames"\s*:\s*\[/,
    called: /\bsgd\b|^dialogues_\d+/,
  },
  {
    name: 'tiage',
    about: 'TIAGE: topic shifts in small talk',
    files: 'tiage/*.json',
    shape: /,\s*"(?:-1|0|1)"\s*\]/,
    called: /\btiage\b|^anno_/,
  },
  {
    name: 'cast2022',
    about: 'TREC CAsT 2022: trees of one topic',
    files: 'cast2022/*.json',
    shape: /"participant"\s*:/,
    called: /\bcast/,
  },
  {
    name: 'structflow',
    about: 'StructFlowBench: relations between turns',
    files: 'structflow/*.json',
    shape: /"whole_conv"\s*:/,
    called: /\bstructflow/,
  },
  {
    name: 'oasst',
    about: 'OpenAssistant: message trees',
    files: 'oasst/*.jsonl',
    shape: /"message_tree_id"\s*:/,
    called: /\boasst\b/,
  },
  {
    name: 'rewrites',
    about: 'TREC CAsT and iKAT: messages rewritten to stand alone',
    files: 'rewrites/*.jsonl',
    shape: /"rewrite"\s*:/,
    called: /\brewrites?\b/,
  },
  {
    name: 'locomo',
    about: 'LoCoMo: long chats, and questions with evidence',
    files: 'locomo/*.json',
    shape: /"sample_id"\s*:/,
    called: /\blocomo/,
  },
  {
    name: 'realtalk',
    about: 'REALTALK: chats of three weeks, and questions with evidence',
    files: 'realtalk/*.json',
    shape: /"speaker_1"\s*:/,
    called: /^chat_\d+_/,
  },
  {
    name: 'msc-e',
    about: 'MSC-E: chats of 200 rounds, and questions',
    files: 'msc-e/*.json or .jsonl',
    shape: /^(?=[\s\S]*"dialogue"\s*:)[\s\S]*"(?:questions|response)"\s*:/,
    called: /\bmsc-?e\b/,
  },
  {
    name: 'multihop-rag',
    about: 'MultiHop-RAG: questions that need several articles',
    files: 'multihop-rag/MultiHopRAG.json',
    shape: /"evidence_list"\s*:/,
    called: /^multihop-?rag/,
  },
  {
    name: 'multihop-rag-articles',
    about: 'MultiHop-RAG: the articles',
    files: 'multihop-rag/corpus.json',
    shape: /^(?![\s\S]*"evidence_list"\s*:)[\s\S]*"published_at"\s*:/,
    called: /^corpus\b/,
  },
];

const ARTICLES = 'corpus.json';

/** Characters of a file that are looked at: more than the first dialogue of any set. */
const LOOKED_AT = 200_000;
const READ = /\.(?:json|jsonl|ndjson)$/i;

/** Whether a file's name says that it may be one of the kinds. */
export const mayBeRead = (path: string): boolean => READ.test(path) && !/(?:^|\/)\./.test(path);

/** What a file is by its folder, else by its shape, else by its name; null where none of them says it. */
export const kindOf = (path: string, text: string): KindName | null => {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  const name = nameOf(path);
  const folder = KINDS.find((kind) => folders.includes(kind.name))?.name;
  if (folder === 'ntm') return name === 'labels.json' ? 'ntm-labels' : 'ntm';
  if (folder === 'multihop-rag') return name === ARTICLES ? 'multihop-rag-articles' : 'multihop-rag';
  if (folder !== undefined) return folder;
  const head = text.slice(0, LOOKED_AT);
  const shaped = KINDS.filter(({ shape }) => shape.test(head));
  if (shaped.length === 1) return shaped[0]?.name ?? null;
  return KINDS.find(({ called }) => called.test(name.toLowerCase()))?.name ?? null;
};

/** Where a file of a kind would lie in a data folder. Names matter: some sets name their dialogues by them. */
export const placeOf = (kind: KindName, path: string): string => {
  if (kind === 'ntm-labels') return 'ntm/labels.json';
  if (kind === 'multihop-rag-articles') return `multihop-rag/${ARTICLES}`;
  const end = kind === 'ntm' || kind === 'oasst' || kind === 'rewrites' ? '.jsonl' : '.json';
  return `${kind}/${nameOf(path).replace(READ, '')}${end}`;
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
