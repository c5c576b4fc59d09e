import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { cosine } from '../vectors/vector-math.ts';
import { type Cell, type Memory, type MemoryTools, type MemoryTurn, type RecalledText, turnText } from './memory.ts';
import { highest, vectorOf } from './similarity.ts';

/** Milliseconds of a day, in which the authors' code counts t. Days begin at midnight, UTC. */
const DAY = 86_400_000;
/** Retention below which a piece is forgotten: the authors' code keeps one by a lot of that chance, which is even here. */
const FORGOTTEN_BELOW = 0.5;
/** Pieces that are recalled, as in the authors' code. */
const MOST_RECALLED = 6;
/** Sentences where no language model writes. */
const SENTENCES_OF_DAY = 4;
const SENTENCES_OF_ALL = 6;

/** What can be recalled and forgotten: a turn, or the events of a day. */
export interface Piece {
  readonly id: string;
  /** Of the day's events the day; null for a turn. */
  readonly day: string | null;
  readonly text: string;
  readonly vector: Float32Array;
  readonly from: List<NodeId>;
  /** S: 1 at first, and 1 more each time it is recalled. */
  readonly strength: number;
  /** When it was last recalled, or learned, in milliseconds since 1970. */
  readonly recalledAt: number;
}

interface NoteWithSources {
  readonly text: string;
  readonly from: List<NodeId>;
}

/** The day that is being lived: its events are summarised turn by turn, the person's portrait beside them. */
interface Today extends NoteWithSources {
  readonly day: string;
  readonly portrait: string;
}

export interface MemoryBank {
  readonly pieces: List<Piece>;
  /** null before the first turn. */
  readonly today: Today | null;
  /** Of all days that are over: their events, and who the person is. Never forgotten. */
  readonly events: NoteWithSources | null;
  readonly portrait: NoteWithSources | null;
}

/** R = e^(−t/S), t in days since it was last recalled. */
export const retention = ({ strength, recalledAt }: Pick<Piece, 'strength' | 'recalledAt'>, at: number): number =>
  Math.exp(-Math.max(0, at - recalledAt) / DAY / strength);

/**
 * MemoryBank (Zhong et al., AAAI 2024, arXiv 2305.10250): turns and summaries of the events of each day are pieces of
 * memory, found by their embeddings; over all days there are a summary of the events and a portrait of the person. A piece
 * is forgotten by Ebbinghaus's curve R = e^(−t/S): S is 1 when it is learned, and recalling it adds 1 and sets t back. Time
 * is that of the turns.
 *
 * The source leaves open from which R a piece is gone; its code draws lots of that chance whenever it loads the memory.
 * Here it is gone once the lot would be even, so that a conversation always makes the same memory: 0.7 days after a turn
 * that was never recalled. The code also ends S at 3 and every piece at 30 days, and recalls what stands beside a piece
 * on its day; the paper has neither, and neither is here. What is over all days is made anew when a day is over.
 * Left out are its tuning to psychological talk and its strategies of replying.
 */
export const memoryBank: Memory<MemoryBank> = {
  name: 'memory-bank',
  // What is recalled is stronger.
  shapedBy: ['memoryK'],
  empty: { pieces: List(), today: null, events: null, portrait: null },
  take: async (bank, turn, tools) => {
    const day = dayOf(turn.at);
    const begun = bank.today === null || bank.today.day === day ? bank : await dayOver(bank, bank.today, tools);
    const text = turnText(turn);
    const [asked, vector] = (await tools.embed([turn.message, text])) as [Float32Array, Float32Array];
    // Changed where something did: every turn keeps its own version of the list.
    const known = begun.pieces.every((piece) => remembered(piece, turn.at))
      ? begun.pieces
      : begun.pieces.filter((piece) => remembered(piece, turn.at));
    const pieces = nearestOf(known, asked, tools).reduce(
      (all, { item: at }) => all.update(at, (piece) => strengthened(piece as Piece, turn.at)),
      known,
    );
    const learned = { strength: 1, recalledAt: turn.at };
    const own: Piece = { id: turn.nodeId, day: null, text, vector, from: List.of(turn.nodeId), ...learned };
    const today = await lived(begun.today, day, turn, tools);
    const events = pieces.findIndex((piece) => piece.day === day);
    const of: Piece = {
      // Once recalled it is as strong, whatever happens later that day.
      ...(pieces.get(events === -1 ? pieces.size : events) ?? { id: `day ${day}`, day, ...learned }),
      text: today.text,
      vector: await vectorOf(tools, today.text),
      from: today.from,
      recalledAt: turn.at,
    };
    return { ...begun, pieces: (events === -1 ? pieces.push(of) : pieces.set(events, of)).push(own), today };
  },
  recall: async (bank, { vector, at }, tools) => ({
    items: [
      ...globals(bank).map(({ text, from, name }) => ({ cell: name, name, text, from: [...from], score: null })),
      ...rememberedOf(bank.pieces, vector, at, tools),
    ],
  }),
  cells: (bank) => {
    const days = bank.pieces.filter(({ day }) => day !== null);
    const dayBy = new Map(days.flatMap(({ id, from }) => from.map((turn) => [turn, id] as const)));
    const cellOf = (piece: Piece): Cell => ({
      id: piece.id,
      parent: piece.day === null ? (dayBy.get(piece.id) ?? null) : null,
      name: nameOf(piece),
      text: piece.text,
      from: [...piece.from],
    });
    return [
      ...globals(bank).map(({ text, from, name }): Cell => ({ id: name, parent: null, name, text, from: [...from] })),
      ...days.map(cellOf),
      ...bank.pieces.filter(({ day }) => day === null).map(cellOf),
    ];
  },
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const remembered = (piece: Piece, at: number): boolean => retention(piece, at) >= FORGOTTEN_BELOW;

const strengthened = (piece: Piece, at: number): Piece => ({ ...piece, strength: piece.strength + 1, recalledAt: at });

/** The places of the pieces nearest to a message. */
const nearestOf = (pieces: List<Piece>, vector: Float32Array, { parameters }: MemoryTools) =>
  highest(pieces.keys(), (at) => cosine(vector, (pieces.get(at) as Piece).vector), parameters.memoryK ?? MOST_RECALLED);

const rememberedOf = (all: List<Piece>, vector: Float32Array, at: number, tools: MemoryTools): RecalledText[] => {
  const pieces = all.filter((piece) => remembered(piece, at));
  return nearestOf(pieces, vector, tools).map(({ item: place, score }) => {
    const { id, day, text, from } = pieces.get(place) as Piece;
    const name = nameOf(pieces.get(place) as Piece);
    return { cell: id, name, text, from: [...from], score, ...(day === null && { whole: true }) };
  });
};

const nameOf = ({ day, strength }: Piece): string =>
  `${day === null ? 'turn' : `events of ${day}`}, strength ${strength}`;

const PORTRAIT = 'portrait of the person';
const EVENTS = 'events of all days';

const globals = ({ portrait, events }: MemoryBank): (NoteWithSources & { readonly name: string })[] => [
  ...(portrait === null ? [] : [{ ...portrait, name: PORTRAIT }]),
  ...(events === null ? [] : [{ ...events, name: EVENTS }]),
];

/** The day with one more turn. */
const lived = async (today: Today | null, day: string, turn: MemoryTurn, { condense }: MemoryTools): Promise<Today> => {
  const before = today?.day === day ? today : { text: '', portrait: '', from: List<NodeId>() };
  const earlier = (text: string) => (text === '' ? [] : [text]);
  return {
    day,
    from: before.from.push(turn.nodeId),
    text: await condense({
      instructions:
        'You keep the events of a day of a conversation. You get those so far and the newest turn. Write them anew, as short as can be: themes and key facts, names, numbers and decisions kept. Write only the events, in at most four sentences.',
      texts: [...earlier(before.text), turnText(turn)],
      sentences: SENTENCES_OF_DAY,
    }),
    portrait: await condense({
      instructions:
        'You keep a portrait of a person. You get the portrait so far and what the person said now. Write it anew: traits, moods, likes and circumstances that the words show. Write only the portrait, in at most four sentences.',
      texts: [...earlier(before.portrait), `User: ${turn.message}`],
      sentences: SENTENCES_OF_DAY,
    }),
  };
};

/** What is over all days, with the day that is over. */
const dayOver = async (
  bank: MemoryBank,
  { text, portrait, from }: Today,
  { condense }: MemoryTools,
): Promise<MemoryBank> => {
  const joined = async (
    before: NoteWithSources | null,
    added: string,
    instructions: string,
  ): Promise<NoteWithSources> => ({
    text: await condense({
      instructions,
      texts: [...(before === null ? [] : [before.text]), added],
      sentences: SENTENCES_OF_ALL,
    }),
    from: before === null ? from : before.from.concat(from),
  });
  return {
    ...bank,
    today: null,
    events: await joined(
      bank.events,
      text,
      'You get a summary of the days of a conversation and the events of one more day. Join them in one very short summary of what matters most. Write only the summary, in at most six sentences.',
    ),
    portrait: await joined(
      bank.portrait,
      portrait,
      'You get a portrait of a person and what one more day showed of them. Join them in one very short portrait. Write only the portrait, in at most six sentences.',
    ),
  };
};
