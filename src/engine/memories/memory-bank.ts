import { List } from 'immutable';
import type { NodeId } from '../../domain/forest.ts';
import { cosine } from '../vectors/vector-math.ts';
import { type Cell, type Memory, type MemoryTools, type MemoryTurn, type RecalledText, turnText } from './memory.ts';
import { highest, vectorOf } from './similarity.ts';

/** Milliseconds per day, the unit of t in the authors' code. Days begin at midnight UTC. */
const DAY = 86_400_000;
/** Retention below which a piece is forgotten: the authors' code keeps a piece with probability R; this is even odds. */
const FORGOTTEN_BELOW = 0.5;
/** Number of pieces recalled, as in the authors' code. */
const MOST_RECALLED = 6;
/** Number of sentences if no language model writes. */
const SENTENCES_OF_DAY = 4;
const SENTENCES_OF_ALL = 6;

/** A unit of recall and forgetting: a turn, or the events of a day. */
interface MemoryItem {
  readonly id: string;
  /** The day whose events these are; null for a turn. */
  readonly day: string | null;
  readonly text: string;
  readonly vector: Float32Array;
  readonly from: List<NodeId>;
  /** S: starts at 1 and grows by 1 each time the piece is recalled. */
  readonly strength: number;
  /** When it was last recalled, or learned, in milliseconds since 1970. */
  readonly recalledAt: number;
}

interface NoteWithSources {
  readonly text: string;
  readonly from: List<NodeId>;
}

/** The current day: its events are summarised turn by turn, along with a portrait of the person. */
interface Today extends NoteWithSources {
  readonly day: string;
  readonly portrait: string;
}

export interface MemoryBank {
  readonly pieces: List<MemoryItem>;
  /** null before the first turn. */
  readonly today: Today | null;
  /** Events and portrait of the person over all past days. Never forgotten. */
  readonly events: NoteWithSources | null;
  readonly portrait: NoteWithSources | null;
}

/** R = e^(−t/S), with t in days since it was last recalled. */
export const retention = ({ strength, recalledAt }: Pick<MemoryItem, 'strength' | 'recalledAt'>, at: number): number =>
  Math.exp(-Math.max(0, at - recalledAt) / DAY / strength);

/**
 * MemoryBank (Zhong et al., AAAI 2024, arXiv 2305.10250): turns and summaries of each day's events are pieces of
 * memory, found by their embeddings; on top of that there is a summary of the events and a portrait of the person
 * over all days. A piece is forgotten along Ebbinghaus's curve R = e^(−t/S): S is 1 when it is learned, and
 * recalling it adds 1 and resets t. Time is that of the turns.
 *
 * The source does not say at which R a piece is lost; its code draws a random number with that probability whenever
 * it loads the memory. Here it is lost once the odds would be even, so that a conversation always produces the same
 * memory: 0.7 days after a turn that was never recalled. The code also caps S at 3 and every piece at 30 days, and
 * recalls a piece's neighbours on its day; the paper has neither, so neither is done here. The global summary and
 * portrait are updated when a day is over: by the first turn after it is taken in, and until then the day's own notes
 * are recalled with them. The tuning for psychological counselling and the reply strategies are left out.
 */
export const memoryBank: Memory<MemoryBank> = {
  name: 'memory-bank',
  // Recalling a piece strengthens it.
  shapedBy: ['memoryK'],
  empty: { pieces: List(), today: null, events: null, portrait: null },
  take: async (bank, turn, tools) => {
    const day = dayOf(turn.at);
    const over = dayJustOver(bank, day);
    const begun = over === null ? bank : await dayOver(bank, over, tools);
    const text = turnText(turn);
    const [asked, vector] = (await tools.embed([turn.message, text])) as [Float32Array, Float32Array];
    // Replaced only if something changed, since every turn keeps its own version of the list.
    const known = begun.pieces.every((piece) => remembered(piece, turn.at))
      ? begun.pieces
      : begun.pieces.filter((piece) => remembered(piece, turn.at));
    // As recalled for this message, without the piece of the day that is over.
    const recallable = known.keySeq().filter((place) => known.get(place)?.day !== over?.day);
    const pieces = nearestOf(known, asked, tools, recallable).reduce(
      (all, { item: at }) => all.update(at, (piece) => strengthened(piece as MemoryItem, turn.at)),
      known,
    );
    const learned = { strength: 1, recalledAt: turn.at };
    const own: MemoryItem = { id: turn.nodeId, day: null, text, vector, from: List.of(turn.nodeId), ...learned };
    const events = pieces.findIndex((piece) => piece.day === day);
    // The day may have come back: turns that were imported later can be of an earlier day.
    const earlier = begun.today ?? (events === -1 ? null : begunAgain(day, pieces.get(events) as MemoryItem));
    const today = await lived(earlier, day, turn, tools);
    const of: MemoryItem = {
      // It keeps the strength it gained by being recalled, whatever happens later that day.
      ...(pieces.get(events === -1 ? pieces.size : events) ?? { id: `day ${day}`, day, ...learned }),
      text: today.text,
      vector: await vectorOf(tools, today.text),
      from: today.from,
      recalledAt: turn.at,
    };
    return { ...begun, pieces: (events === -1 ? pieces.push(of) : pieces.set(events, of)).push(own), today };
  },
  recall: async (bank, { vector, at }, tools) => {
    const known = withDayOver(bank, at);
    return {
      items: [
        ...globals(known).map(({ text, from, name }) => ({ cell: name, name, text, from: [...from], score: null })),
        ...rememberedOf(known.pieces, vector, at, tools),
      ],
    };
  },
  cells: (bank, at) => {
    const known = withDayOver(bank, at);
    // What is forgotten leaves the list with the next turn, but is not there for this message.
    const pieces = known.pieces.filter((piece) => remembered(piece, at));
    const days = pieces.filter(({ day }) => day !== null);
    const dayBy = new Map(days.flatMap(({ id, from }) => from.map((turn) => [turn, id] as const)));
    const cellOf = (piece: MemoryItem): Cell => ({
      id: piece.id,
      parent: piece.day === null ? (dayBy.get(piece.id) ?? null) : null,
      name: nameOf(piece),
      text: piece.text,
      from: [...piece.from],
    });
    return [
      ...globals(known).map(({ text, from, name }): Cell => ({ id: name, parent: null, name, text, from: [...from] })),
      ...days.map(cellOf),
      ...pieces.filter(({ day }) => day === null).map(cellOf),
    ];
  },
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const remembered = (piece: MemoryItem, at: number): boolean => retention(piece, at) >= FORGOTTEN_BELOW;

const strengthened = (piece: MemoryItem, at: number): MemoryItem => ({
  ...piece,
  strength: piece.strength + 1,
  recalledAt: at,
});

/** Returns the indices of the pieces nearest to a message, out of all or of those at some indices. */
const nearestOf = (
  pieces: List<MemoryItem>,
  vector: Float32Array,
  { parameters }: MemoryTools,
  places: Iterable<number> = pieces.keys(),
) =>
  highest(places, (at) => cosine(vector, (pieces.get(at) as MemoryItem).vector), parameters.memoryK ?? MOST_RECALLED);

const rememberedOf = (all: List<MemoryItem>, vector: Float32Array, at: number, tools: MemoryTools): RecalledText[] => {
  const pieces = all.filter((piece) => remembered(piece, at));
  return nearestOf(pieces, vector, tools).map(({ item: place, score }) => {
    const { id, day, text, from } = pieces.get(place) as MemoryItem;
    const name = nameOf(pieces.get(place) as MemoryItem);
    return { cell: id, name, text, from: [...from], score, ...(day === null && { whole: true }) };
  });
};

const nameOf = ({ day, strength }: MemoryItem): string =>
  `${day === null ? 'turn' : `events of ${day}`}, strength ${strength}`;

const PORTRAIT = 'portrait of the person';
const EVENTS = 'events of all days';

const globals = ({ portrait, events }: MemoryBank): (NoteWithSources & { readonly name: string })[] => [
  ...(portrait === null ? [] : [{ ...portrait, name: PORTRAIT }]),
  ...(events === null ? [] : [{ ...events, name: EVENTS }]),
];

/** A day that was over goes on with its events. What it showed of the person has gone into the portrait of all days. */
const begunAgain = (day: string, { text, from }: MemoryItem): Today => ({ day, text, from, portrait: '' });

/** Adds a turn to the day. */
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

/** The notes of the day of the newest turn if that day is over. */
const dayJustOver = ({ today }: MemoryBank, day: string): Today | null => (today?.day === day ? null : today);

/**
 * Adds a finished day to the global events and portrait as it is: merging them may take a language model, which every
 * recall until the next turn would have to ask again. Its own piece, which has the same words, is left out.
 */
const withDayOver = (bank: MemoryBank, at: number): MemoryBank => {
  const today = dayJustOver(bank, dayOf(at));
  if (today === null) return bank;
  const added = (before: NoteWithSources | null, text: string): NoteWithSources =>
    before === null
      ? { text, from: today.from }
      : { text: `${before.text} ${text}`.trim(), from: joinedSources(before, today) };
  return {
    ...bank,
    pieces: bank.pieces.filter(({ day }) => day !== today.day),
    events: added(bank.events, today.text),
    portrait: added(bank.portrait, today.portrait),
  };
};

/** Each turn once: a day that came back has some that were there before. */
const joinedSources = (
  before: Pick<NoteWithSources, 'from'>,
  { from }: Pick<NoteWithSources, 'from'>,
): List<NodeId> => {
  const known = new Set(before.from);
  return before.from.concat(from.filter((id) => !known.has(id)));
};

/** Merges a finished day into the global events and portrait. */
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
    from: before === null ? from : joinedSources(before, { from }),
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
