import type { Node } from '../../domain/forest.ts';
import { replyText } from '../context/context-text.ts';
import { readable } from './readable.ts';
import { type Terms, termsOf } from './terms.ts';

/** How much of a message and of a reply is read for words, in UTF-16 units. */
const READ_OF_MESSAGE = 2000;
const READ_OF_REPLY = 1200;
/** So many of the last turns are read; and the first, which says what a topic is about. */
const READ_TURNS = 16;

/** Turns that are looked at together: a topic's, or one alone. */
type Turns = readonly Node[];

/** What of a message's words and pieces of words some turns have, each by how few others have it, too; shares of all that the message says. */
export interface Match {
  /** In messages, in replies, in either of them. */
  readonly said: number;
  readonly replied: number;
  readonly either: number;
  /** In the last turn. */
  readonly last: number;
  /** Of pieces of words, in either. */
  readonly pieces: number;
  /** What no others have. */
  readonly own: number;
  /** Not a share: the rarest word in common, and how much all together weigh. */
  readonly rarest: number;
  readonly sum: number;
  readonly pieceSum: number;
  /** Turns since one of the words in common was last said, in these turns; −1 where none was. */
  readonly ago: number;
}

export interface Matches {
  /** In the order in which the turns were given. */
  readonly of: readonly Match[];
  readonly terms: Terms;
  /** Shares of the message's words and pieces that none has. */
  readonly unheard: number;
  readonly unheardPieces: number;
  /** How much the message's words weigh. */
  readonly weight: number;
}

const NOTHING: Match = {
  said: 0,
  replied: 0,
  either: 0,
  last: 0,
  pieces: 0,
  own: 0,
  rarest: 0,
  sum: 0,
  pieceSum: 0,
  ago: -1,
};

export const matchAt = ({ of }: Matches, at: number): Match => of[at] ?? NOTHING;

/** Finds the words of messages in turns. What it has read of a turn it keeps. */
export class TermReader {
  readonly #turns = new WeakMap<Node, TurnTerms>();

  matches(message: string, language: string | null, groups: readonly Turns[]): Matches {
    const terms = termsIn(message.slice(0, READ_OF_MESSAGE), language);
    const read = groups.map((turns) => this.#read(turns, language));
    const n = groups.length;
    const found = groups.map(() => ({ ...NOTHING, lastTurn: -1 }));
    const most = Math.log(n + 1);
    let weight = 0;
    let unheard = 0;
    // Loops: callbacks for hundreds of turns took longer than looking the words up.
    const said = new Int32Array(n);
    const replied = new Int32Array(n);
    for (const [word, worth] of terms.words) {
      weight += worth;
      let spread = 0;
      for (let at = 0; at < n; at++) {
        said[at] = lastWith(read[at] as readonly TurnTerms[], word, 'said');
        replied[at] = lastWith(read[at] as readonly TurnTerms[], word, 'replied');
        if ((said[at] as number) >= 0 || (replied[at] as number) >= 0) spread++;
      }
      if (spread === 0) {
        unheard += worth;
        continue;
      }
      const rare = (worth * Math.log((n + 1) / spread)) / most;
      for (let at = 0; at < n; at++) {
        const latest = Math.max(said[at] as number, replied[at] as number);
        if (latest < 0) continue;
        const match = found[at] as (typeof found)[number];
        match.either += rare;
        match.sum += rare;
        if ((said[at] as number) >= 0) match.said += rare;
        if ((replied[at] as number) >= 0) match.replied += rare;
        if (latest === (read[at]?.length ?? 0) - 1) match.last += rare;
        if (spread === 1) match.own += rare;
        match.rarest = Math.max(match.rarest, rare);
        match.lastTurn = Math.max(match.lastTurn, latest);
      }
    }
    let pieceWeight = 0;
    let unheardPieces = 0;
    const having: number[] = [];
    for (const [piece, worth] of terms.pieces) {
      pieceWeight += worth;
      having.length = 0;
      for (let at = 0; at < n; at++) if (anyHas(read[at] as readonly TurnTerms[], piece)) having.push(at);
      if (having.length === 0) unheardPieces += worth;
      const rare = having.length === 0 ? 0 : (worth * Math.log((n + 1) / having.length)) / most;
      for (const at of having) {
        const match = found[at] as (typeof found)[number];
        match.pieces += rare;
        match.pieceSum += rare;
      }
    }
    const of = found.map(({ lastTurn, ...match }, at): Match => {
      for (const name of ['said', 'replied', 'either', 'last', 'own'] as const) match[name] /= weight || 1;
      match.pieces /= pieceWeight || 1;
      return { ...match, ago: lastTurn < 0 ? -1 : (read[at]?.length ?? 0) - 1 - lastTurn };
    });
    return {
      of,
      terms,
      unheard: unheard / (weight || 1),
      unheardPieces: unheardPieces / (pieceWeight || 1),
      weight,
    };
  }

  #read(turns: Turns, language: string | null): readonly TurnTerms[] {
    const latest = turns.length > READ_TURNS ? [turns[0] as Node, ...turns.slice(1 - READ_TURNS)] : turns;
    return latest.map((node) => this.#turn(node, language));
  }

  #turn(node: Node, language: string | null): TurnTerms {
    let known = this.#turns.get(node);
    if (known === undefined || known.language !== language) {
      const said = termsIn(node.message.slice(0, READ_OF_MESSAGE), language);
      const replied = termsIn(replyText(node).slice(0, READ_OF_REPLY), language);
      const pieces = new Set([...said.pieces.keys(), ...replied.pieces.keys()]);
      known = { language, said: said.words, replied: replied.words, pieces };
      this.#turns.set(node, known);
    }
    return known;
  }
}

/** Terms as they are written, and of a language that has a glossary in English, too: there, "dog" and "dogs" are one word, and so are two words for it. */
const termsIn = (text: string, language: string | null): Terms => {
  const terms = termsOf(text, language);
  const english = readable(text, language);
  if (english === text) return terms;
  const words = new Map(terms.words);
  for (const [word, weight] of termsOf(english, 'en').words) words.set(`=${word}`, weight);
  return { ...terms, words };
};

interface TurnTerms {
  readonly language: string | null;
  readonly said: ReadonlyMap<string, number>;
  readonly replied: ReadonlyMap<string, number>;
  readonly pieces: ReadonlySet<string>;
}

/** Index of the last turn that has a word; −1 where none has. */
const lastWith = (turns: readonly TurnTerms[], word: string, where: 'said' | 'replied'): number => {
  for (let at = turns.length - 1; at >= 0; at--) if ((turns[at] as TurnTerms)[where].has(word)) return at;
  return -1;
};

const anyHas = (turns: readonly TurnTerms[], piece: string): boolean => {
  for (let at = turns.length - 1; at >= 0; at--) if ((turns[at] as TurnTerms).pieces.has(piece)) return true;
  return false;
};
