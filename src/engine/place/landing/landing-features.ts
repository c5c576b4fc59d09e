import type { Node, NodeId } from '../../../domain/forest.ts';
import { replyText } from '../../context/context-text.ts';
import { contentWords } from '../../text/words.ts';
import type { Landing, Landings } from './landings.ts';

/** How much of a reply is read for words, in UTF-16 units. */
const READ_OF_REPLY = 2000;

/** Cosine of a turn to the message, by its own message or by its reply; null where that is not known. */
export type Near = (nodeId: NodeId) => number | null;

export type LandingFeatures = Readonly<Record<string, number>>;

/** Evidence for each of the turns, in their order, and for a new topic, which comes last. */
export const landingFeatures = (
  message: string,
  { turns, newTopicChance }: Landings,
  near: Near,
  nearReply: Near,
): LandingFeatures[] => {
  // Where nothing is compared, nothing is searched for words either: then the decisions speak alone.
  const compares = turns.some(({ node }) => near(node.id) !== null);
  const said = contentWords(message);
  const found = compares ? wordsIn(said, turns) : { of: new Map<Landing, Found>(), unheard: 0, most: 0 };
  const saysNothing = said.size === 0 ? 1 : 0;
  const similarity = (of: Near, { node }: Landing) => (compares ? (of(node.id) ?? 0) : 0);
  const nearest = Math.max(0, ...turns.map((turn) => similarity(near, turn)));
  const nearestReply = Math.max(0, ...turns.map((turn) => similarity(nearReply, turn)));
  const newest = Math.max(...turns.map(({ node }) => node.number));

  const featuresOf = (turn: Landing): LandingFeatures => {
    const { node, isTip, steps, here, children, topicChance, placeChance } = turn;
    const words = found.of.get(turn) ?? NOTHING_FOUND;
    const own = similarity(near, turn);
    const reply = similarity(nearReply, turn);
    const chance = Math.log(topicChance);
    return {
      'topic chance': chance,
      'topic chance, tip': isTip ? chance : 0,
      'place chance': placeChance === null ? 0 : Math.log(placeChance),
      tip: is(isTip),
      'tip here': is(isTip && here),
      'tip elsewhere': is(isTip && !here),
      'tip, nothing said': is(isTip) * saysNothing,
      'tip here, nothing said': is(isTip && here) * saysNothing,
      here: is(here),
      'above the tip': is(steps !== null && steps > 0),
      'steps up': Math.log1p(steps ?? 0),
      'another branch here': is(steps === null && here),
      'another branch elsewhere': is(steps === null && !here),
      'end of another branch': is(children === 0 && !isTip),
      'opens its topic': is(node.parentId === null && !isTip),
      children: Math.log1p(children),
      age: Math.log1p(newest - node.number),
      newest: is(node.number === newest),
      similarity: own,
      'similarity behind': own - nearest,
      'reply similarity': reply,
      'reply similarity behind': reply - nearestReply,
      'nearest reply': is(reply > 0 && reply === nearestReply),
      'words said': words.said,
      'words replied': words.replied,
      words: words.either,
      'words behind': words.either - found.most,
      'most words': is(words.either > 0 && words.either === found.most),
    };
  };
  return [
    ...turns.map(featuresOf),
    {
      'new topic': 1,
      'new topic chance': Math.log(newTopicChance),
      'new topic, unheard words': found.unheard,
      'new topic, nothing said': saysNothing,
    },
  ];
};

const is = (holds: boolean): number => (holds ? 1 : 0);

/** How much of the message's words a turn has, each by how few of the turns have it. */
interface Found {
  readonly said: number;
  readonly replied: number;
  readonly either: number;
}
const NOTHING_FOUND: Found = { said: 0, replied: 0, either: 0 };

/** `unheard`: share of five words that no turn has; `most`: the most that one turn has. */
const wordsIn = (asked: ReadonlySet<string>, turns: readonly Landing[]) => {
  const texts = turns.map((turn) => ({ turn, ...wordsOfTurn(turn.node) }));
  const worth = new Map<string, number>();
  for (const word of asked) {
    const having = texts.filter(({ said, replied }) => saidIn(said, word) || replied.has(word)).length;
    if (having > 0) worth.set(word, Math.log((turns.length + 1) / having));
  }
  const sum = (has: (word: string) => boolean) =>
    [...worth].reduce((total, [word, rare]) => total + (has(word) ? rare : 0), 0);
  const of = new Map<Landing, Found>(
    texts.map(({ turn, said, replied }) => [
      turn,
      {
        said: sum((word) => saidIn(said, word)),
        replied: sum((word) => replied.has(word)),
        either: sum((word) => saidIn(said, word) || replied.has(word)),
      },
    ]),
  );
  const most = Math.max(0, ...[...of.values()].map(({ either }) => either));
  return { of, most, unheard: Math.min(asked.size - worth.size, 5) / 5 };
};

const saidIn = (said: TurnWords['said'], word: string): boolean => said.some((words) => words.has(word));

interface TurnWords {
  readonly said: readonly ReadonlySet<string>[];
  readonly replied: ReadonlySet<string>;
}

const wordsOfTurn = (node: Node): TurnWords => ({
  said: [wordsOf(node.message), wordsOf(node.summary?.text ?? '')],
  replied: wordsOf(replyText(node).slice(0, READ_OF_REPLY)),
});

/** Texts whose words are kept: those of the turns that messages may go on from come again with every message. */
const KEPT = 2000;
const known = new Map<string, ReadonlySet<string>>();

const wordsOf = (text: string): ReadonlySet<string> => {
  let words = known.get(text);
  if (words === undefined) {
    if (known.size >= KEPT) known.clear();
    words = contentWords(text);
    known.set(text, words);
  }
  return words;
};
