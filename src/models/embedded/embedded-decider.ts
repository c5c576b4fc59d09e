import type { Reason } from '../../domain/decision.ts';
import type { TreeId } from '../../domain/forest.ts';
import { rounded } from '../../domain/numbers.ts';
import { replyText } from '../../domain/queries.ts';
import { DECIDER } from '../../engine/embedded-names.ts';
import { announcesOther, CUES, type Cue } from '../../engine/place/cues.ts';
import type {
  BranchPlace,
  BranchQuestion,
  Decider,
  TopicAnswerAbout,
  TopicQuestion,
  TopicView,
} from '../../engine/ports.ts';
import { glossedForEmbedder, loadGlossary } from '../../engine/text/glossary.ts';
import { asWritten, plain } from '../../engine/text/words.ts';
import { softmax } from '../../engine/vectors/vector-math.ts';
import { evidenceFor, type Model, type ScoredOption, scoresOf } from './boosted-trees.ts';
import { readBranchQuestion, withTurnAffinity } from './branch-features.ts';
import { TextReader } from './decider-texts.ts';
import { type DeciderWeights, shippedWeights } from './decider-weights.ts';
import { shippedLexicon, UNRELATED } from './lexicon.ts';
import { weighedTopics } from './message-features.ts';
import { type PersonalLayer, withLessons } from './offsets.ts';
import { choicesWithReply, shippedReconsidering } from './reconsider.ts';
import { readTopicQuestion, type TopicChoice, type TopicReading, withAffinity } from './topic-features.ts';

/**
 * Role `decide` without a language model: boosted trees over similarities, discourse cues and the shape of the conversation score
 * every open choice. A decision takes about a millisecond; the same question always gets the same answer.
 */
export const createEmbeddedDecider = (
  weights: () => Promise<DeciderWeights> = shippedWeights,
  personal?: PersonalLayer,
  reconsidering: () => Promise<Model> = shippedReconsidering,
): Decider & Required<Pick<Decider, 'reconsider'>> => {
  let known: (DeciderWeights & { readonly reader: TextReader }) | null = null;
  const read = async () => {
    const [learned, lexicon] = await Promise.all([weights(), shippedLexicon()]);
    known ??= { ...learned, reader: new TextReader(lexicon) };
    return known;
  };
  /** Returns a message's choices and their probabilities, including leanings and lessons. */
  const weigh = async (question: TopicQuestion) => {
    const { reader, ...learned } = known ?? (await read());
    const { topic: model, affinity } = isAnswered(question) ? learned : learned.unanswered;
    await loadGlossary(question.spoken);
    await reader.readAhead(weighedTopics(question.topics), question.message, question.spoken);
    const reading = withAffinity(readTopicQuestion(question, reader), affinity);
    const announced = announcedIn(reading);
    const scores = scoresOf(reading.choices, model);
    const back = returnIn(reading);
    const leaning = withSaid(
      reading.choices,
      back,
      leaningOf(reading, question.pause ?? 0, back),
      scores.map((score, at) => score + (announced[at] ?? 0)),
    );
    const before = softmax(scores.map((score, at) => score + (leaning[at] ?? 0) + (announced[at] ?? 0)));
    return {
      reading,
      leaning,
      announced,
      before,
      model,
      ...withLessons(reading.choices, before, personal?.topic(reading)),
    };
  };
  return {
    name: DECIDER,
    ungated: true,
    get instant() {
      return known !== null;
    },
    topic: async (question, signal) => {
      signal?.throwIfAborted();
      const weighed = await weigh(question);
      const { reading, leaning, announced, before, all, trace, model } = weighed;
      const beside = [
        { text: LEANING, weights: leaning },
        { text: SAID, weights: announced },
        taughtBeside(before, all),
      ];
      return { ...topicAnswer({ question, reading, choices: reading.choices, all, model, beside }), ...trace };
    },
    reconsider: async ({ message, reply }) => {
      const [{ reading, all }, model] = await Promise.all([weigh(message), reconsidering()]);
      await reading.setting.reader.readAhead(weighedTopics(reply.topics), reply.message, reply.spoken);
      const choices = choicesWithReply(reading, all, readTopicQuestion(reply, reading.setting.reader));
      const chances = softmax(scoresOf(choices, model));
      return topicAnswer({ question: message, reading, choices, all: chances, model, beside: [] });
    },
    branch: async (question, signal) => {
      signal?.throwIfAborted();
      const { branch: model, affinity, reader } = known ?? (await read());
      const reading = withTurnAffinity(readBranchQuestion(question, reader), affinity);
      const { choices, cues } = reading;
      const before = softmax(scoresOf(choices, model));
      const { all, trace } = withLessons(choices, before, personal?.branch(reading));
      const { chosen, other, confidence } = choose(choices, all);
      const place = question.places.find(({ from }) => from.nodeId === (chosen.point ?? other.point));
      const wording = branchWording(question, place);
      return {
        action: chosen.action,
        ...(chosen.point === null ? {} : { point: chosen.point }),
        confidence,
        alternatives: nextLikely(choices, chosen, all).flatMap(([{ action, point }, chance]) => {
          const from = point ?? question.path.at(-1)?.nodeId;
          return from === undefined ? [] : [{ action, point: from, confidence: chance }];
        }),
        ...decisionReasons(
          { choices, all, chosen, other, model, cues, wording, beside: [taughtBeside(before, all)] },
          other.point,
        ),
        raw: JSON.stringify(choices.map(({ action, point }, at) => ({ action, point, p: rounded(all[at] ?? 0, 3) }))),
        decider: DECIDER,
        ...trace,
      };
    },
  };
};

/** Whether anything replies: `recall` only quotes, which does not count. */
const isAnswered = ({ recent }: Pick<TopicQuestion, 'recent'>): boolean =>
  recent.some(({ node }) => replyText(node) !== '');

interface WeighedTopics extends Pick<ScoredChoices<TopicChoice>, 'choices' | 'all' | 'model' | 'beside'> {
  readonly question: TopicQuestion;
  readonly reading: TopicReading;
}

const topicAnswer = ({ question, reading, choices, all, model, beside }: WeighedTopics): TopicAnswerAbout => {
  const { chosen, other, confidence } = choose(choices, all);
  const wording = topicWording(question, reading, chosen.target ?? other.target);
  const { cues } = reading.setting;
  return {
    action: chosen.action,
    target: chosen.target,
    confidence,
    alternatives: nextLikely(choices, chosen, all).map(([{ action, target }, chance]) => ({
      action,
      target,
      confidence: chance,
    })),
    ...decisionReasons({ choices, all, chosen, other, model, cues, wording, beside }, other.target),
    raw: JSON.stringify(choices.map(({ action, target }, at) => ({ action, target, p: rounded(all[at] ?? 0, 3) }))),
    decider: DECIDER,
  };
};

/**
 * Added to every return where there are replies, in log-odds. The dialogues that the trees are grown on are more restless than
 * most people's, and being torn out of a topic annoys more than a missed return. Tried at 0 and 0.3, too (docs/decider.md).
 */
const RETURNING = -0.3;

/** What may stand before a return: “ok, thanks! back to …”. */
const OPENERS = String.raw`(?:(?:ok(?:ay)?|so|now|and|but|then|well|right|great|good|cool|perfect|nice|yes|yeah|no|sure|anyways?|alright|oh|ah|hey|hm+|lol|actually|please|by the way|btw|again|thanks?(?: you)?(?: (?:so much|a lot))?|thx)[\s,.!:;–—-]+)*`;
const GO = '(?:go|going|come|coming|get|getting|head|heading|jump|jumping|switch|circle|circling)';
const TIME =
  '(?:(?:on|at|in|for|this|every) (?:the )?(?:(?:early|late|next|last|coming|following) )?|next |last )(?:\\w+day|week(?:end)?|month|year|morning|evening|night|noon|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|holidays?|vacation|good|(?:(?:an?|one|two|three|four|five|six|few|\\d+) )+(?:hour|day|week|month|year)s?)';
const VEHICLE =
  '(?:by|on|in|with) (?:(?:the|my|our|a) )?(?:bus|train|tram|metro|subway|underground|car|taxi|cab|uber|bike|bicycle|ferry|boat|plane|airplane)';
const BACK_TO = String.raw`(?:back|return(?:ing)?) to\b`;

/**
 * Added for a message that says explicitly that it goes back, to the topic that shares most of its words: “back to Lisbon: …”.
 * People seldom say so, too seldom for the trees to learn it, but when they do, they mean it.
 */
const NAMED = {
  by: 1.5,
  /** Not “let's not go back to”, “I don't want to return to”. */
  words:
    /(?<!\b(?:(?<!why )not|never|without|\w+n't) (?:(?:want|need|have|going|planning) to )?(?:(?:go|going|come|coming|get|getting) )?)\b(?:back|return(?:ing)?) to\b/,
  /** Minimum probability of the topic if the message begins this way. */
  first: 0.85,
  begins: new RegExp(
    `^${OPENERS}(?:(?:let's|let (?:us|me|we)|(?:can|could|may|shall) (?:we|i|you)|should we|we(?: can| could| should)?) (?:please )?)?(?:(?:i(?:'d like| want) to |i'm )?${GO}(?: we)? )?${BACK_TO}`,
  ),
  /** Asks or tells of somebody's going: “can I go back to running?”, “should we …”, “I'm going back to Brazil”. */
  goes: new RegExp(
    `^${OPENERS}(?:(?:(?:can|could|may|shall|should|must|will) i|(?:shall|should|must) we)|i(?:'m|'ll| am| will| must)?(?= (?:${GO}|fly|drive|travel|move|return)))(?: please)?(?: (?:${GO}|fly(?:ing)?|driv(?:e|ing)|travel(?:ling)?|mov(?:e|ing)))? ${BACK_TO}`,
  ),
  /** Says nothing of going beside “go back to”, so that a clause behind it is about what it goes back to. */
  plainly: new RegExp(`^${OPENERS}(?:(?:let's|let (?:us|me|we)) (?:please )?(?:${GO} )?)?${BACK_TO}`),
  /** Said of a journey or a time in life, behind what it goes back to: “to the hotel by bus or on foot”. */
  journey: new RegExp(
    ` (?:or|after|before|until|while|since|because|tonight|today|tomorrow|soon|on foot|(?:first|yet)$|when(?! (?:is|are|was|do|does|did|can|could|should|will)\\b)|${TIME}|${VEHICLE})(?![\\w-])`,
  ),
  /** Where a question begins that no mark sets off: “back to the hotel which one has a pool”. */
  asks: / (?:what|which|who|how|where|why|when|is|are|was|were|do|does|did|can|could|should|would|will|has|have)\b/,
  /** Something that is only talked about: “the hotel question”, “what you said”. */
  talk: /^(?:(?:the|my|our|your|this|that) )?(?:[\w'-]+ ){0,2}(?:questions?|topics?|subjects?|issues?|matters?|discussions?|conversations?|chats?|threads?)\b|^(?:what|where) (?:we|you|i)\b/,
  /** Goes back to something in life, unless more names it, “back to work visas”, or a mark sets it off: “back to work: …”. */
  life: /\bback to (?:back|front|square)\b(?!-|\s*[:;–—]|\s-\s)|\bback to the future\b(?! (?:of|plan)\b)|\b(?:back to (?:(?:the|my) (?=\w+ ))?(?:work|job|school|uni\w*|college|class(?:es)?|sleep|bed|normal|life|basics|home|office|him|her|me|them|you)|go(?:ing)? back to (?:the|my) (?:gym|office|doctor|dentist)|return(?:ing)? to (?:work|office|school|sender|play|sport))(?=\s*(?:$|[,.!?)])| (?:after|again|and|as|at|but|by|for|from|in|next|now|on (?:\w+day|the \d)|or|polic(?:y|ies)|since|so|soon|then|this|today|tomorrow|until|when|while|with|(?:the )?\w+day)\b)/,
  /** How far the topic has to be ahead by words: “hotel” makes 0.13, “work” 0.04. */
  least: 0.1,
};
/** Numbers by themselves are said of everything, so none of them names a topic. */
const NUMBERS = /(?<![\p{L}\p{N}])\p{N}+(?:[.,:/]\p{N}+)*(?![\p{L}\p{N}])/gu;

/**
 * After a pause people come back for something else: log-odds for leaving, per doubling of the hours, and their maximum. No
 * dataset has timestamps, so this is set by hand, small compared to what a message says.
 */
const PAUSE = { perDoubling: 0.1, most: 0.5, from: 3_600_000 };

/**
 * For a message that says that it is about something else: “different topic: …”. Set by hand too, and large enough to outweigh
 * that most messages continue; the rest of the message decides where it goes.
 */
const ANNOUNCED = { 'create-topic': 2.5, 'switch-topic': 1, 'continue-topic': 0 };

/** By choice, in log-odds. */
const announcedIn = ({ choices, setting }: Pick<TopicReading, 'choices' | 'setting'>): number[] => {
  const { message, spoken } = setting.question;
  const isAnnounced = announcesOther(message, (text) => glossedForEmbedder(text, spoken));
  return choices.map(({ action }) => (isAnnounced ? ANNOUNCED[action] : 0));
};

/** How far the topic of each choice is ahead of the others by the message's words, as `match ahead` is, without numbers. */
const aheadByWords = ({ choices, setting }: Pick<TopicReading, 'choices' | 'setting'>): number[] => {
  const { message, spoken, topics } = setting.question;
  const words = message.replace(NUMBERS, ' ');
  if (words === message) return choices.map(({ features }) => features['match ahead'] ?? 0);
  const listed = weighedTopics(topics);
  const { of } = setting.reader.terms.matches(
    words,
    spoken,
    listed.map(({ turns }) => turns),
  );
  const sums = listed.map(({ treeId }, at) => ({ treeId, sum: of[at]?.sum ?? 0 }));
  return choices.map(({ target }) => {
    const own = sums.find(({ treeId }) => treeId === target)?.sum ?? 0;
    return own - Math.max(0, ...sums.filter(({ treeId }) => treeId !== target).map(({ sum }) => sum));
  });
};

/**
 * For a message that says that it goes back: whether that is what it begins by saying, and how far the topic of each
 * choice is ahead by its words; null if it says no such thing, or that somebody goes back to something in life.
 */
const returnIn = (reading: Pick<TopicReading, 'choices' | 'setting'>) => {
  const { cues, question } = reading.setting;
  if (!cues.has('returns')) return null;
  const inEnglish = (text: string) => plain(glossedForEmbedder(text, question.spoken));
  const said = inEnglish(question.message);
  if (!NAMED.words.test(said) || NAMED.life.test(said)) return null;
  const goes = NAMED.goes.test(said);
  const begins = (goes || NAMED.begins.test(said)) && isReturnInTalk(question.message, inEnglish, said);
  return goes && !begins ? null : { begins, ahead: aheadByWords(reading) };
};

/**
 * Whether a message that begins with “back to” says so of the conversation: because what it goes back to is only talked
 * about, or set off by a mark, or, unless somebody's going is asked about or told, because nothing is said of a journey.
 * `said`: the message in English, which keeps no marks of another language, so these are looked for in the message.
 */
const isReturnInTalk = (message: string, inEnglish: (text: string) => string, said: string): boolean => {
  const goes = NAMED.goes.test(said);
  const parts = message.split(MARK);
  const at = parts.findIndex((part) => RETURN.test(inEnglish(part)));
  const [, named = ''] = inEnglish(parts[at] ?? message).split(RETURN);
  if (NAMED.talk.test(named)) return true;
  const mark = goes ? /[:：\n]/ : NAMED.plainly.test(said) ? /./su : /[:：;–—\n]|\s-\s/;
  const behind = inEnglish(parts.slice(at + 2).join(''));
  if (at >= 0 && mark.test(parts[at + 1] ?? '') && /[\p{L}\p{N}]/u.test(behind) && !/^\s*or\b/.test(behind))
    return true;
  return !goes && !NAMED.journey.test(named.split(NAMED.asks)[0] ?? '');
};

const RETURN = new RegExp(String.raw`\b${BACK_TO}\s*`);
/** Between clauses; captured, so that it can be told which mark it is. */
const MARK = /(\s*[:：;–—\n]\s*|\s-\s|[,，、،]|[.!?。！？؟।](?=\s|$))/u;

/** By choice, in log-odds. */
const leaningOf = (
  { choices, setting }: Pick<TopicReading, 'choices' | 'setting'>,
  pause: number,
  back: ReturnType<typeof returnIn>,
): number[] => {
  const returning = isAnswered(setting.question) ? RETURNING : 0;
  const longer = Math.min(PAUSE.most, PAUSE.perDoubling * Math.max(0, Math.log2((pause + 1) / PAUSE.from)));
  return choices.map(({ action }, at) => {
    if (action === 'continue-topic') return 0;
    if (action === 'create-topic') return longer;
    return longer + returning + ((back?.ahead[at] ?? 0) >= NAMED.least ? NAMED.by : 0);
  });
};

/** Raises the leaning if a message begins by saying what it goes back to. `scores`: everything else that counts. */
const withSaid = (
  choices: TopicReading['choices'],
  back: ReturnType<typeof returnIn>,
  leaning: readonly number[],
  scores: readonly number[],
): readonly number[] => {
  if (!back?.begins) return leaning;
  const { ahead } = back;
  const aheadOf = (at: number): number => (choices[at]?.action === 'switch-topic' ? (ahead[at] ?? 0) : 0);
  const named = ahead.reduce((top, _, at) => (aheadOf(at) > aheadOf(top) ? at : top), 0);
  if (aheadOf(named) < NAMED.least) return leaning;
  const chance = softmax(scores.map((score, at) => score + (leaning[at] ?? 0)))[named] ?? 0;
  if (chance >= NAMED.first) return leaning;
  return leaning.map((by, at) => (at === named ? by + oddsOf(NAMED.first) - oddsOf(chance) : by));
};

const oddsOf = (chance: number): number => logOf(chance) - logOf(1 - chance);

/** Returns the most likely choice and the runner-up. The first choice, continuing, wins a tie. */
const choose = <C extends ScoredOption>(choices: readonly C[], all: readonly number[]) => {
  const order = all.map((_, at) => at).sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0));
  const chosen = choices[order[0] ?? 0];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return { chosen, other: choices[order[1] ?? 0] ?? chosen, confidence: all[order[0] ?? 0] ?? 0 };
};

/** Maximum number of rejected answers to report. */
const ALTERNATIVES = 3;
/** Minimum probability of a reported answer. */
const LEAST = 0.01;

const nextLikely = <C extends ScoredOption>(choices: readonly C[], chosen: C, all: readonly number[]): [C, number][] =>
  choices
    .map((choice, at): [C, number] => [choice, rounded(all[at] ?? 0, 3)])
    .filter(([choice, chance]) => choice !== chosen && chance >= LEAST)
    .sort(([, a], [, b]) => b - a)
    .slice(0, ALTERNATIVES);

/** Puts a group of features into words; null if there is nothing to say. */
type Wording = (group: string, cueWords: string | undefined) => string | null;

const MOST_REASONS = 5;
/** Weakest reason worth reading, in log-odds: 0.2 moves an even chance by 5 points. */
const WEAKEST = 0.2;

/** Evidence from outside the trees, in log-odds per choice. */
interface ExtraEvidence {
  readonly text: string;
  readonly weights: readonly number[];
}

const LEANING = 'a fixed bias for or against returning, and towards leaving after a pause';
const SAID = 'it says that it is about something else';

const taughtBeside = (before: readonly number[], all: readonly number[]): ExtraEvidence => ({
  text: 'what your corrections taught',
  weights: all.map((chance, at) => logOf(chance) - logOf(before[at] ?? 0)),
});

/** Logarithm of a probability that may be too small to distinguish from 0. */
const logOf = (chance: number): number => Math.log(Math.max(chance, 1e-12));

interface ScoredChoices<C extends ScoredOption> {
  readonly choices: readonly C[];
  /** Probabilities, by choice. */
  readonly all: readonly number[];
  readonly chosen: C;
  /** The runner-up. */
  readonly other: C;
  readonly model: Model;
  readonly cues: ReadonlyMap<Cue, string>;
  readonly wording: Wording;
  readonly beside: readonly ExtraEvidence[];
}

/** Returns what spoke for the chosen answer over the runner-up, strongest first, and the total. */
const decisionReasons = <A extends string, C extends ScoredOption & { readonly action: A }>(
  weighing: ScoredChoices<C>,
  at: string | null,
): { reasons: Reason[]; against?: { action: C['action']; at: string | null; odds: number } } => {
  const { choices, all, chosen, other } = weighing;
  if (chosen === other) return { reasons: [] };
  const odds = logOf(all[choices.indexOf(chosen)] ?? 0) - logOf(all[choices.indexOf(other)] ?? 0);
  return { reasons: reasonsFor(weighing), against: { action: other.action, at, odds: rounded(odds, 2) } };
};

const reasonsFor = <C extends ScoredOption>({
  choices,
  chosen,
  other,
  model,
  cues,
  wording,
  beside,
}: ScoredChoices<C>): Reason[] => {
  const sums = new Map<string, number>();
  const add = (choice: ScoredOption, sign: number) => {
    const evidence = evidenceFor(choice, model);
    if (evidence === null) return;
    const { base, names, values } = evidence;
    const groups = groupsOf(names);
    sums.set(BASE, (sums.get(BASE) ?? 0) + sign * base);
    for (let at = 0; at < values.length; at++) {
      if (values[at] === 0) continue;
      const group = groups[at] as string;
      sums.set(group, (sums.get(group) ?? 0) + sign * (values[at] as number));
    }
  };
  add(chosen, 1);
  add(other, -1);
  const [here, there] = [choices.indexOf(chosen), choices.indexOf(other)];
  return [
    ...[...sums].flatMap(([group, weight]) => {
      const text = wording(group, cues.get(group as Cue));
      return text === null ? [] : [{ text, weight }];
    }),
    ...beside.map(({ text, weights }) => ({ text, weight: (weights[here] ?? 0) - (weights[there] ?? 0) })),
  ]
    .filter(({ weight }) => Math.abs(weight) >= WEAKEST)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MOST_REASONS)
    .map(({ text, weight }) => ({ text, weight: rounded(weight, 2) }));
};

const groupsOf = (names: readonly string[]): readonly string[] => {
  const known = groupsByNames.get(names) ?? names.map(groupOf);
  groupsByNames.set(names, known);
  return known;
};
const groupsByNames = new WeakMap<readonly string[], readonly string[]>();

const CUE_NAMES: ReadonlySet<string> = new Set(CUES);

/** Group of the base score that every choice starts with. */
const BASE = 'usual';
const USUAL = 'how common this answer is';

/** Features that mean the same to a person form one reason. */
const groupOf = (name: string): string => {
  if (name.startsWith('alone, ')) return 'alone';
  if (/^reply(?: all)?: /.test(name)) return 'reply text';
  const feature = name.replace(/^(?:\w+: )+/, '');
  if (CUE_NAMES.has(feature)) return feature;
  if (feature === 'stands alone') return 'kind';
  if (feature.startsWith('goes with')) return 'goes with';
  if (feature.startsWith('subject')) return 'subjects';
  if (/\bperson\b/.test(feature)) return 'person';
  if (/^(?:steps up|turns ago|is newer)/.test(feature)) return 'structure';
  if (/in general|acts|kind|wraps up|returns|tip asks/.test(feature)) return 'form';
  if (/overlap|new words|named|match|heard|pieces/.test(feature)) return 'words';
  if (/similarity|nearest|ahead/.test(feature)) return 'similarity';
  if (/content|log words|words written|short reference/.test(feature)) return 'length';
  if (/^(?:reply|answers)\b/.test(feature)) return 'reply';
  if (/^tip (?:revises|is alternative)|alternative asked/.test(feature)) return 'form';
  return 'structure';
};

/** The words of a cue are quoted only where the message has them: one in another language is read in English. */
export const cueWording = (cueWords: string | undefined, group: string, message: string): string => {
  if (cueWords === undefined) return ABSENT[group] ?? `it does not say so: nothing ${group.replace(/^the /, '')}`;
  const sought = apart(cueWords);
  // A cue may end within a word: “we reconsider” of “we reconsidered”. A short one would begin many words.
  const isSaid = apart(plain(message)).includes(cueWords.length < 8 ? sought : sought.trimEnd());
  return MARKS[group] ?? (isSaid ? `“${cueWords}”` : `words that mean “${cueWords}”`);
};

/** Words with a space around each: “es bitte” has no “it”. */
const apart = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** Cues that are no words; each script writes them its own way. */
const MARKS: Readonly<Record<string, string>> = { asks: 'it ends with a question mark', numbers: 'it has digits' };

/**
 * A missing cue is evidence too: most messages of that kind would have it. Says what was looked for: “how do i boil eggs” is a question
 * without its mark.
 */
const ABSENT: Readonly<Record<string, string>> = {
  asks: 'it does not end with a question mark',
  numbers: 'it has no digits',
  'refers back': 'no words such as “it” or “that” that refer back',
  'asks in general': 'no words that ask for general knowledge',
  'weighs a choice': 'no words that weigh up a choice',
  instructs: 'it does not begin with an instruction such as “add” or “make”',
  decides: 'no words that state a wish or a decision',
  'tells of oneself': 'no “I am”, “I have” or “my”',
  accepts: 'no words that take up what was said',
  revises: 'no words that change what was said',
  returns: 'no words that signal a return',
  opens: 'no words that open a topic',
  'wraps up': 'no words that ask for a summary',
  'goes on': 'no words that signal continuing',
};

/** Reasons of a topic decision in words. `target` is the topic that the answer is about. */
const topicWording = (
  { message, topics }: TopicQuestion,
  { setting: { shared, kinship, persons, reader } }: TopicReading,
  target: TreeId | null,
): Wording => {
  const nearest = topics.reduce<TopicView | undefined>(
    (top, topic) => (top === undefined || topic.similarity > top.similarity ? topic : top),
    undefined,
  );
  const about = topics.find(({ treeId }) => treeId === target);
  const kin = (about && kinship.get(about)) ?? UNRELATED;
  const stems = (shared.get(target ?? nearest?.treeId ?? '') ?? []).slice(0, WORDS_NAMED);
  return (group, cueWords) => {
    switch (group) {
      case BASE:
        return USUAL;
      case 'similarity':
        return nearest === undefined ? null : `closest to “${nearest.title}” (${nearest.similarity.toFixed(2)})`;
      case 'words':
        if (stems.length === 0 && about !== undefined) return `how well its words match “${about.title}”`;
        return stems.length === 0
          ? 'it uses words found in no topic'
          : `it shares words with “${(about ?? nearest)?.title ?? ''}”: ${asWritten(stems, message).join(', ')}`;
      case 'subjects':
        if (about === undefined) return 'what it is about, against what the topics are about';
        return kin.whole < KIN
          ? `it has little in common with “${about.title}”`
          : `it and “${about.title}” are both about ${reader.lexicon.subjects[kin.subject]}`;
      case 'person': {
        if (about === undefined || persons === null) return 'whether it says who “he” or “she” is';
        return `“${about.title}” mentions ${(persons.get(about)?.all ?? 0) > 0 ? 'someone' : 'no one'} who could be meant`;
      }
      case 'alone':
        return 'what the message says on its own';
      case 'reply text':
        return 'what the reply is about';
      case 'length':
        return 'how much the message says on its own';
      case 'form':
        return cueWords ?? 'its form (question, instruction, wish) compared with the turns before';
      case 'reply':
        return 'what the last reply asked or settled';
      case 'goes with':
        return about === undefined
          ? 'how well it fits any topic, by their embeddings'
          : `how well it fits “${about.title}”, by their embeddings`;
      case 'kind':
        return 'what kind of message it is, by its embedding';
      case 'structure':
        return 'the shape of the conversation so far';
      default:
        return cueWording(cueWords, group, message);
    }
  };
};

/** Minimum kinship of a message and a topic for naming a subject of both. */
const KIN = 0.1;
/** Maximum number of shared words to name. */
const WORDS_NAMED = 3;

/** Reasons of a branch decision in words. */
const branchWording =
  ({ forkPoint, message, path }: BranchQuestion, { from }: Pick<BranchPlace, 'from'> = { from: forkPoint }): Wording =>
  (group, cueWords) => {
    const turn = `turn ${from.node.number}`;
    switch (group) {
      case BASE:
        return USUAL;
      case 'similarity':
        return `${turn} is at ${from.similarity.toFixed(2)}, the active turn at ${(path.at(-1)?.similarity ?? 0).toFixed(2)}`;
      case 'words':
        return `words it shares with ${turn}`;
      case 'goes with':
        return `how well it fits ${turn}, by their embeddings`;
      case 'length':
        return 'how much the message says on its own';
      case 'form':
        return cueWords ?? 'its form (question, instruction, wish) compared with the turns before';
      case 'structure':
        return `where ${turn} is relative to the active turn`;
      default:
        return cueWording(cueWords, group, message);
    }
  };
