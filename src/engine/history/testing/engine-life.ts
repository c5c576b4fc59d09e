import { pendingTurn } from '../../../domain/queries.ts';
import { idsOf } from '../../../domain/table.ts';
import type { Life, Move } from '../../../domain/testing/random-life.ts';
import { SHIPPED_SETTINGS } from '../../settings.ts';
import type { bareHost } from '../../testing/bare-host.ts';
import { RerunModels } from '../re-run-models.ts';
import type { RerunWatch, WhatIfParts } from '../what-if.ts';

const WORDS = ['boat', 'river', 'tent', 'stove', 'rope', 'map', 'rain', 'bread', 'lamp', 'dog'];
const OPENINGS = ['', '', '', '', 'Back to the ', 'Actually, instead of the ', 'Something else: ', 'And the '];

/** What a user might say; the numbers pick the words, some of which recur often. */
const sayingOf = (a: number, b: number): string => {
  const word = (n: number) => WORDS[n % WORDS.length];
  return `${OPENINGS[b % OPENINGS.length]}${word(a)} ${word(a + b)} ${word(a * 3 + b)} ${a % 4 === 0 ? `#${word(b)}` : ''}?`;
};

/** Plays out a random life in which the engine places messages and the user edits and undoes as usual. */
export const liveWithEngine = async (
  { life, engine }: Pick<ReturnType<typeof bareHost>, 'engine' | 'life'>,
  moves: readonly Move[],
): Promise<Life> => {
  for (const [i, move] of moves.entries()) {
    // Turns placed by the engine are never sorted, and it reconsiders on its own.
    if (move.kind === 'edit' && (move.edit === 'arrange' || move.edit === 'reconsider')) continue;
    if (move.kind !== 'say' && move.kind !== 'choose') {
      life.live(move);
      // As after an undo: replies that came otherwise than through the engine are taken up as well.
      await engine.catchUp(new AbortController().signal);
      continue;
    }
    const ids = idsOf(life.forest.nodes);
    const nodeId = ids[move.target % ids.length];
    const share = move.kind === 'say' ? move.rootShare : move.other;
    const under = (move.kind === 'choose' || share === 9) && nodeId !== undefined;
    const target = under ? ({ kind: 'under', nodeId, chosen: move.kind === 'choose' } as const) : null;
    const message = sayingOf(move.target + i, share);
    const event = { type: 'message-sent' as const, nodeId: life.id(), message, given: null, target };
    life.do({ type: 'record', step: life.id(), event });
    const pending = pendingTurn(life.forest);
    if (pending !== null) await engine.turn(pending, new AbortController().signal);
  }
  return life;
};

/** Adds a turn as an import does: in its place, without a decision. Returns its id. */
export const importTurn = (life: Life, parentId: string | null, message: string): string => {
  const nodeId = life.send(message);
  const fresh = { treeId: life.id(), branchId: life.id() };
  const decision = { topic: 'continue-topic', branch: null, by: 'import', trace: null } as const;
  life.do({ type: 'place', nodeId, parentId, fresh, decision });
  return nodeId;
};

/** Has imported turns sorted into topics, as a single step. */
export const sortIntoTopics = async ({ engine, life }: Pick<ReturnType<typeof bareHost>, 'engine' | 'life'>) =>
  life.do({ type: 'arrange', turns: await engine.sortTopics(noPauses()), step: life.id() });

/** Imports messages below each other, and sorts them into topics. Returns the ids of the turns. */
export const sortedImport = async (
  host: Pick<ReturnType<typeof bareHost>, 'engine' | 'life'>,
  messages: readonly string[],
): Promise<string[]> => {
  const ids: string[] = [];
  for (const message of messages) ids.push(importTurn(host.life, ids.at(-1) ?? null, message));
  await sortIntoTopics(host);
  return ids;
};

/** Without pauses, since nobody is waiting for it. */
export const noPauses = (signal = new AbortController().signal): RerunWatch => ({
  progress: () => undefined,
  breathe: async () => undefined,
  signal,
});

let ids = 0;

/** A workshop without stored data, using the models of a host. */
export const whatIfPartsOf = (
  { models, embedded }: Pick<WhatIfParts, 'models' | 'embedded'>,
  parts: Partial<WhatIfParts> = {},
): RerunModels =>
  new RerunModels({
    models,
    embedded,
    deciders: { taught: async () => embedded.decide, paperRule: embedded.decide, oneThreshold: embedded.decide },
    lessons: [],
    settings: SHIPPED_SETTINGS,
    settingsOf: () => null,
    vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
    now: () => 0,
    newId: () => `made${ids++}`,
    ...parts,
  });
