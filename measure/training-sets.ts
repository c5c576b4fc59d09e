import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomFrom } from '../src/domain/numbers.ts';
import type { LabelledDialogue, LabelledTurn } from '../src/features/evaluate/datasets/dialogues.ts';
import { grouped } from '../src/features/evaluate/datasets/dialogues.ts';
import { readNtm, readNtmMessages } from '../src/features/evaluate/datasets/labelled-trees.ts';
import { interleavedConversations } from '../src/features/evaluate/measurement/datasets.ts';
import { textsInDialogue } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { ownDialogues, ownEveryday, ownRestless, ownShort, ownWhole, readDataSets } from './dialogues-on-disk.ts';
import { type FoldsOf, foldsIn } from './folds.ts';
import { recut } from './recut.ts';
import stockReplies from './stock-replies.json' with { type: 'json' };

const OWN_LABELS = new URL('labels/ntm.json', import.meta.url);

/**
 * What the embedded decider is trained on: the labelled sets under a folder, mixes of them, the dialogues written
 * for Coppice, and Coppice's own labels for those NTM dialogues that have no others (set `ntm-more`).
 */
export const readTrainingSets = async (folder: string): Promise<LabelledDialogue[]> => {
  const messages = await readFile(join(folder, 'ntm/dialogues.jsonl'), 'utf8').catch(() => '');
  const more = readNtm(readNtmMessages(messages), await readFile(OWN_LABELS, 'utf8'));
  const sets = await readDataSets(folder);
  const labelled = new Set(sets.map(({ id }) => id));
  const written = await ownDialogues();
  const ntmMore = more.filter(({ id }) => !labelled.has(id)).map((dialogue) => ({ ...dialogue, set: 'ntm-more' }));
  const everyday = await ownEveryday();
  const restless = await ownRestless();
  const alone = [...(await ownShort()), ...(await ownWhole())];
  const foldsOf = foldsIn([...sets, ...ntmMore, ...written, ...everyday, ...restless, ...alone]);
  const foldOf = (dialogue: LabelledDialogue) => foldsOf(dialogue)[0] ?? 0;
  return [
    ...sets,
    ...mixesOf([...sets, ...written], foldsOf),
    ...ntmMore,
    ...written,
    ...everyday,
    ...restless,
    ...everyday.filter((_, at) => at % QUOTED_EACH === 0).map(withoutReplies),
    ...[...everyday, ...restless].filter((_, at) => at % STOCK_EACH === 0).map(withStockReplies),
    ...recut(everyday, foldOf),
    ...recut(restless, foldOf),
    ...alone.map(withoutReplies),
  ];
};

/** One in this many conversations is also read without its replies. */
const QUOTED_EACH = 2;

/** Turns a dialogue into one without a language model, where `recall` only quotes. */
export const withoutReplies = (dialogue: LabelledDialogue): LabelledDialogue => ({
  ...dialogue,
  set: `${dialogue.set}-quoted`,
  turns: dialogue.turns.map((turn) => ({ ...turn, reply: null })),
});

/** One in this many conversations is also read with replies that say nothing. */
const STOCK_EACH = 3;
/** Share of them in which every reply is the same, and share of replies that say nothing in the others. */
const ALWAYS_THE_SAME = 0.3;
const STOCK_RATE = 0.6;

/** Turns a dialogue into one with a model that often says nothing, or always the same, as small ones do. */
export const withStockReplies = (dialogue: LabelledDialogue, seed: number): LabelledDialogue => {
  const random = randomFrom(seed);
  const own = Object.entries(stockReplies).find(([language]) => language === dialogue.language)?.[1] ?? [];
  const anyReply = (): string => {
    const replies = own.length > 0 && random() < 0.5 ? own : stockReplies.en;
    return replies[Math.floor(random() * replies.length)] ?? '';
  };
  const always = random() < ALWAYS_THE_SAME ? anyReply() : null;
  return {
    ...dialogue,
    set: `${dialogue.set}-stock`,
    turns: dialogue.turns.map((turn) => {
      const stock = always ?? (random() < STOCK_RATE ? anyReply() : turn.reply);
      return turn.reply === null ? turn : { ...turn, reply: stock };
    }),
  };
};

/** Returns the dialogues without replies, and ours with the replies removed. */
export const unansweredOf = (dialogues: readonly LabelledDialogue[]): LabelledDialogue[] => [
  ...dialogues.filter(({ set, turns }) => set !== 'everyday-own-quoted' && turns.every(({ reply }) => reply === null)),
  ...dialogues.filter(({ set }) => /^(?:everyday-(?:own|restless)(?:-recut)?|coppice)$/.test(set)).map(withoutReplies),
];

/** Sets of threads and trees from which conversations over several topics are put together. */
const MIXED = ['cast2022', 'oasst', 'structflow', 'coppice'];
/** Maximum questions that one thread digresses to. */
const DIGRESSIONS = 8;

/**
 * Builds threads with digressions to the openers of others, and trees between which a user goes back and forth. A mix stays within
 * one part of the cross-validation: one of several would have to be left out of each.
 */
const mixesOf = (dialogues: readonly LabelledDialogue[], foldsOf: FoldsOf): LabelledDialogue[] => {
  const sets = MIXED.map((set) => dialogues.filter((dialogue) => dialogue.set === set));
  const foldOf = (dialogue: LabelledDialogue) => foldsOf(dialogue)[0] ?? 0;
  const openers = sets.flat().flatMap((dialogue) => {
    const { id, group, turns } = dialogue;
    return turns.slice(0, 1).map((turn) => ({ id, group, turn, fold: foldOf(dialogue) }));
  });
  return sets.flatMap((threads, kind) => {
    const long = threads.filter(({ turns }) => turns.length >= 3);
    const digressing = long.map((main, at) => {
      const others = openers.filter(({ id, fold }) => id !== main.id && fold === foldOf(main));
      const start = (at * DIGRESSIONS + kind) % Math.max(1, others.length);
      return withDigressions(main, others.slice(start, start + DIGRESSIONS), at);
    });
    const mixed = [...grouped(threads, (thread) => `${foldOf(thread)}`).values()].flatMap((own) =>
      interleavedConversations(own, `${MIXED[kind]}-interleaved`),
    );
    return [...digressing, ...mixed];
  });
};

/** Share of each set in the topic decision: the target domain and people's own labels count most. */
const TOPIC_SHARES: Readonly<Record<string, number>> = {
  'everyday-own': 26,
  'everyday-own-recut': 22,
  'everyday-own-quoted': 6,
  'everyday-own-stock': 6,
  'everyday-restless': 10,
  'everyday-restless-recut': 8,
  'everyday-restless-stock': 3,
  // For conversations without replies: where there are replies, they do not help.
  'everyday-short-quoted': 0,
  'everyday-whole-quoted': 0,
  ntm: 1.5,
  'ntm-more': 10,
  sgd: 14,
  'coppice-services': 4,
  coppice: 3,
  tiage: 8,
};
/** Sets of chit-chat: what belongs together there is no guide for people who want something. */
const CHIT_CHAT: readonly string[] = ['tiage'];
export const teachesAffinity = (set: string): boolean => !CHIT_CHAT.includes(set);

/** Share of any other set. */
const OTHER_SHARE = 2;
/** Share of a mix: its topic changes are made by rule, not by people. */
const MIX_SHARE = 1.2;

/** The same without replies. Chit-chat changes topics in other ways than people who want something. */
const UNANSWERED_SHARES: Readonly<Record<string, number>> = {
  'everyday-own-quoted': 24,
  'everyday-own-recut-quoted': 20,
  'everyday-restless-quoted': 8,
  'everyday-restless-recut-quoted': 8,
  'coppice-quoted': 3,
  'everyday-short-quoted': 30,
  'everyday-whole-quoted': 40,
  ntm: 1.5,
  'ntm-more': 10,
  tiage: 2.4,
};

/** The same for the branch decision. Forks in OpenAssistant are other people's answers, not changes of mind. */
const BRANCH_SHARES: Readonly<Record<string, number>> = {
  'everyday-own': 10,
  'everyday-own-quoted': 3,
  'everyday-restless': 4,
  ntm: 1,
  'ntm-more': 7,
  coppice: 3,
  structflow: 0.5,
  cast2022: 0.3,
  'cast2022-interleaved': 1,
  'oasst-interleaved': 0.5,
  'coppice-interleaved': 2,
};

/** Number of decisions that a share of 1 amounts to. */
const A_SHARE = 100;

export const topicShare = (set: string): number =>
  (TOPIC_SHARES[set] ?? (/-(?:digressions|interleaved)$/.test(set) ? MIX_SHARE : OTHER_SHARE)) * A_SHARE;
export const unansweredShare = (set: string): number => (UNANSWERED_SHARES[set] ?? 0) * A_SHARE;
export const branchShare = (set: string): number => (BRANCH_SHARES[set] ?? 0) * A_SHARE;

/** Texts whose vectors training needs. */
export const textsOf = (dialogues: readonly LabelledDialogue[]): Set<string> =>
  new Set(dialogues.flatMap(textsInDialogue));

/** Probability that a turn of the main thread is followed by a digression; about as in NTM. */
const RATE = 0.4;
/** Longest conversation, in turns; NTM has up to 29. */
const LONGEST = 26;

/** The first turn of another dialogue, and the group of that dialogue. */
interface Opener {
  readonly turn: LabelledTurn;
  readonly group: string;
}

/** Inserts single questions between the turns of a thread, each a topic of its own, by a seeded rule. */
export const withDigressions = (main: LabelledDialogue, asides: readonly Opener[], seed: number): LabelledDialogue => {
  const random = randomFrom(seed);
  const turns: LabelledTurn[] = [];
  /** New index of each turn of the main thread. */
  const places: number[] = [];
  let next = 0;
  for (const turn of main.turns) {
    if (turns.length >= LONGEST) break;
    const parent = turn.parent === null ? null : (places[turn.parent] ?? null);
    places.push(turns.push({ ...turn, parent }) - 1);
    for (let aside = asides[next]; aside !== undefined && random() < RATE; aside = asides[next]) {
      if (turns.length >= LONGEST) break;
      turns.push({ ...aside.turn, parent: null });
      next++;
    }
  }
  const { set, id, group } = main;
  const groups = [...new Set([group, ...asides.slice(0, next).map((aside) => aside.group)])];
  return { set: `${set}-digressions`, id: `${id}#${seed}`, group, groups, labels: 'parents', turns };
};
