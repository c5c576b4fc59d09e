import * as z from 'zod/mini';
import type { ChatMessage } from '../../domain/context.ts';
import type { BranchAction, TopicAction } from '../../domain/decision.ts';
import type { Node, TreeId } from '../../domain/forest.ts';
import { replyText } from '../../domain/queries.ts';
import { summaryText } from '../../engine/context/overview.ts';
import type {
  BranchPlace,
  BranchQuestion,
  Decider,
  NodeView,
  PathQuestion,
  PromptListener,
  TopicQuestion,
  TopicView,
} from '../../engine/ports.ts';
import { oneLine } from '../../engine/text/words.ts';
import type { TextGenerator } from '../runtimes/runtime.ts';
import {
  CHOICE_SCHEMA,
  CHOICE_TOKENS,
  choiceIn,
  type DeciderAnswer,
  InvalidAnswer,
  MOST_CHOICES,
  nonsense,
  objectsIn,
  wholeAnswer,
} from './choice.ts';
import {
  BRANCH_INSTRUCTIONS,
  instructionsFor,
  PATH_INSTRUCTIONS,
  PROMPTS_VERSION,
  TOPIC_INSTRUCTIONS,
} from './prompts.ts';

/** Maximum characters of an invalid answer shown to the model again. */
const SHOWN = 240;

interface DeciderPrompt<A> {
  readonly messages: readonly ChatMessage[];
  readonly schema: object;
  /** Throws an InvalidAnswer if the answer does not fit the question. */
  read(answer: string, raw: string): A;
}

/**
 * Implements role `decide` by prompting a language model (Context-Agent §3.3, steps 1 and 3). Gives no confidence, since a
 * model's own estimate is worth little. An invalid answer is retried once, with an explanation of what is wrong. Rejects with
 * `nonsense` or `empty`; the engine then asks the embedded decider.
 */
export const promptedDecider = (generator: TextGenerator): Decider => {
  const name = `${generator.name}, ${PROMPTS_VERSION}`;
  const ask = async <A>(
    { messages, schema, read }: DeciderPrompt<A>,
    { onAsked }: { readonly onAsked?: PromptListener },
    signal: AbortSignal | undefined,
  ) => {
    const answerTo = async (prompt: readonly ChatMessage[]) => {
      const onRaw = (raw: string): void => onAsked?.({ prompt: [...prompt], raw });
      const question = { messages: prompt, schema, maxTokens: CHOICE_TOKENS, onRaw };
      return { prompt, ...(await wholeAnswer(generator, question, signal)) };
    };
    const taken = ({ prompt, answer, raw }: Awaited<ReturnType<typeof answerTo>>) => ({
      choice: read(answer, raw),
      said: { confidence: null, reasons: [], raw, prompt: [...prompt], decider: name },
    });
    const first = await answerTo(messages);
    try {
      return taken(first);
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error;
      return taken(await answerTo(corrected(messages, first.answer, error)));
    }
  };
  return {
    name,
    topic: async (question, signal) => {
      const { messages, topics } = await topicPrompt(generator, question);
      const read = (answer: string, raw: string) => topicChosen(choiceIn(answer), topics, raw);
      const { choice, said } = await ask({ messages, schema: CHOICE_SCHEMA, read }, question, signal);
      return { ...said, ...choice };
    },
    branch: async (question, signal) => {
      const { messages, offered } = await branchPrompt(generator, question);
      const read = (answer: string, raw: string) => branchChosen(choiceIn(answer), offered, raw);
      const { choice, said } = await ask({ messages, schema: CHOICE_SCHEMA, read }, question, signal);
      return { ...said, ...choice };
    },
    path: async (question, signal) => {
      const messages = await pathPrompt(generator, question);
      const { choice, said } = await ask({ messages, schema: YES_OR_NO_SCHEMA, read: yesIn }, question, signal);
      return { ...said, yes: choice };
    },
  };
};

/** The question, the invalid answer and what is wrong with it, appended so that the cached prefix is reused. */
const corrected = (messages: readonly ChatMessage[], answer: string, { fault }: InvalidAnswer): ChatMessage[] => [
  ...messages,
  { role: 'assistant', content: clip(answer, SHOWN) },
  { role: 'user', content: `Your answer ${fault}. Answer the question again, with JSON only.` },
];

/** Maximum characters of each part of a question. */
const SUMMARIES = 400;
const SUMMARY = 200;
const TITLE = 240;
const MESSAGE = 1200;
const LAST_TURN_TEXT = 240;

interface TopicPrompt {
  readonly messages: readonly ChatMessage[];
  /** By number, from 1. */
  readonly topics: readonly TopicView[];
}

/** Asks which topic a message belongs to, among the active topic and the most similar others. */
const topicPrompt = async (generator: TextGenerator, question: TopicQuestion): Promise<TopicPrompt> => {
  const foremost = question.topics
    .toSorted((a, b) => Number(b.active) - Number(a.active) || b.similarity - a.similarity)
    .slice(0, MOST_CHOICES);
  const fit = await fitting(generator, foremost.map(lineOf));
  const listed = new Set(foremost.slice(0, fit));
  // In order of creation, so that the prefix stays the same from message to message.
  const topics = question.topics.filter((topic) => listed.has(topic));
  const current = topics.findIndex(({ active }) => active);
  const last = question.path.at(-1)?.node;
  const text = [
    ...topics.map((topic, i) => `${i + 1}. ${lineOf(topic)}`),
    current < 0 ? 'Current topic: none' : `Current topic: ${current + 1}`,
    ...(last === undefined ? [] : [`Last turn: ${lastTurn(last)}`]),
    `New message: ${JSON.stringify(clip(question.message, MESSAGE))}`,
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: instructionsFor(generator.name, question.instructions ?? TOPIC_INSTRUCTIONS) },
      { role: 'user', content: text },
    ],
    topics,
  };
};

/**
 * Describes a topic by its title and its summaries in chronological order; if there are many, the first, which says what it is
 * about, and the newest.
 */
const lineOf = ({ title, turns }: TopicView): string => {
  const [first, ...rest] = turns;
  if (first === undefined) return title;
  const opening = clip(summaryText(first), SUMMARIES / 2);
  const newest: string[] = [];
  let room = SUMMARIES - opening.length;
  for (let i = rest.length - 1; i >= 0; i--) {
    const summary = clip(summaryText(rest[i] as (typeof rest)[number]), SUMMARIES / 2);
    room -= summary.length + 1;
    if (room < 0) break;
    newest.unshift(summary);
  }
  const gap = newest.length < rest.length ? ['…'] : [];
  return `${clip(title, TITLE)}: ${[opening, ...gap, ...newest].join(' ')}`;
};

/** Maps a choice to the topics as numbered. Throws if it contradicts itself. */
const topicChosen = (
  { action, target }: DeciderAnswer,
  topics: readonly TopicView[],
  raw: string,
): { action: TopicAction; target: TreeId | null } => {
  if (action === 'create') return { action: 'create-topic', target: null };
  const current = topics.find(({ active }) => active);
  const named = target === 0 && action === 'continue' ? current : topics[target - 1];
  if (named === undefined) throw nonsense(raw, 'names a topic that was not listed');
  if (named === current) return { action: 'continue-topic', target: named.treeId };
  if (action === 'continue') throw nonsense(raw, 'goes on with the current topic and names another');
  return { action: 'switch-topic', target: named.treeId };
};

/** Maximum turns of the path in the prompt: the root and the newest. */
const BRANCH_TURNS = 6;

/** An offered place; `point` is undefined for n*, which is the default. */
interface PlaceOffer {
  readonly kind: 'create' | 'switch';
  readonly from: NodeView;
  /** Whether it is on the active path. */
  readonly onPath: boolean;
  readonly point: string | undefined;
  readonly line: string;
}

interface BranchPrompt {
  readonly messages: readonly ChatMessage[];
  /** By number, from 1. */
  readonly offered: readonly PlaceOffer[];
}

/** Asks whether a message continues, forks or resumes another branch. */
const branchPrompt = async (generator: TextGenerator, question: BranchQuestion): Promise<BranchPrompt> => {
  const all = offersOf(question).slice(0, MOST_CHOICES);
  const fit = await fitting(
    generator,
    all.map(({ line }) => line),
  );
  const offered = all.slice(0, fit);
  const last = question.path.at(-1)?.node;
  const text = [
    `Turns: ${pathText(question.path)}`,
    ...(last === undefined ? [] : [`Last turn: ${lastTurn(last)}`]),
    'Places:',
    ...offered.map(({ line }, i) => `${i + 1}. ${line}`),
    `New message: ${JSON.stringify(clip(question.message, MESSAGE))}`,
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: instructionsFor(generator.name, question.instructions ?? BRANCH_INSTRUCTIONS) },
      { role: 'user', content: text },
    ],
    offered,
  };
};

/** n* first, then the other places, most similar first. */
const offersOf = ({ forkPoint, places, path }: BranchQuestion): PlaceOffer[] => {
  const own = places.find((place) => isForkPoint(place, forkPoint));
  const others = places.filter((place) => place !== own).toSorted((a, b) => nearnessOf(b) - nearnessOf(a));
  const first: PlaceOffer =
    own === undefined
      ? offerOf(
          forkPoint,
          'create',
          path.some(({ nodeId }) => nodeId === forkPoint.nodeId),
          null,
        )
      : offerOf(own.from, kindOf(own), own.steps !== null, own.setAside);
  return [
    { ...first, point: undefined },
    ...others.map((place) => offerOf(place.from, kindOf(place), place.steps !== null, place.setAside)),
  ];
};

const isForkPoint = (place: BranchPlace, { nodeId }: NodeView): boolean => place.from.nodeId === nodeId;

const kindOf = ({ action }: BranchPlace): PlaceOffer['kind'] => (action === 'create-branch' ? 'create' : 'switch');

const nearnessOf = ({ from, nearest }: BranchPlace): number => Math.max(from.similarity, nearest?.similarity ?? -1);

const offerOf = (from: NodeView, kind: PlaceOffer['kind'], onPath: boolean, setAside: NodeView | null): PlaceOffer => {
  const summary = clip(summaryText(from.node), SUMMARY);
  const instead = setAside === null ? '' : ` (in place of: ${clip(summaryText(setAside.node), SUMMARY)})`;
  const line =
    kind === 'create' ? `create, back at: ${summary}${instead}` : `switch, to the branch that ended with: ${summary}`;
  return { kind, from, onPath, point: from.nodeId, line };
};

const pathText = (path: readonly NodeView[]): string => {
  const shown = path.length <= BRANCH_TURNS ? path : [...path.slice(0, 1), ...path.slice(1 - BRANCH_TURNS)];
  const texts = shown.map(({ node }) => clip(summaryText(node), SUMMARY));
  return (shown.length < path.length ? [texts[0], '…', ...texts.slice(1)] : texts).join(' ');
};

/** Maps a choice to the places as numbered. Throws if it names none of them. */
const branchChosen = (
  { action, target }: DeciderAnswer,
  offered: readonly PlaceOffer[],
  raw: string,
): { action: BranchAction; point?: string } => {
  if (action === 'continue') {
    if (target !== 0) throw nonsense(raw, 'goes on after the last turn and names another place');
    return { action: 'continue-branch' };
  }
  const named = offered[target - 1];
  if (named === undefined) throw nonsense(raw, 'names a place that was not offered');
  // On the active path there is nothing to switch to: naming one of its turns means to go back to it.
  const creates = action === 'create' || named.onPath;
  return {
    action: creates ? 'create-branch' : 'switch-branch',
    ...(named.point === undefined ? {} : { point: named.point }),
  };
};

/** Maximum turns of the path in the prompt: the root and the newest. */
const THREAD_TURNS = 12;

const YesOrNo = z.object({ answer: z.enum(['yes', 'no']) });
const { $schema: _, ...schema } = z.toJSONSchema(YesOrNo);
export const YES_OR_NO_SCHEMA: object = schema;

/** Asks whether a message continues a path, described by its root's summary and the newest others that fit. */
const pathPrompt = async (
  generator: TextGenerator,
  { message, title, path, active }: PathQuestion,
): Promise<readonly ChatMessage[]> => {
  const [root, ...later] = path.map(({ node }) => clip(summaryText(node), SUMMARY));
  const foremost = [root ?? '', ...later.toReversed().slice(0, THREAD_TURNS - 1)];
  const fit = await fitting(generator, foremost);
  const newest = foremost.slice(1, fit).toReversed();
  const gap = newest.length < later.length ? ['…'] : [];
  const last = path.at(-1)?.node;
  const text = [
    `Thread: ${clip(title, TITLE)}: ${[foremost[0], ...gap, ...newest].join(' ')}`,
    ...(last === undefined ? [] : [`Last turn of the thread: ${lastTurn(last)}`]),
    ...(active ? ['The conversation is in this thread now.'] : []),
    `New message: ${JSON.stringify(clip(message, MESSAGE))}`,
  ].join('\n');
  return [
    { role: 'system', content: instructionsFor(generator.name, PATH_INSTRUCTIONS) },
    { role: 'user', content: text },
  ];
};

/** Extracts yes or no from an answer, also inside prose. Throws if it is unclear or says both; the engine then uses another decider. */
export const yesIn = (answer: string): boolean => {
  const said = new Set<'yes' | 'no'>();
  for (const object of objectsIn(answer)) {
    const parsed = YesOrNo.safeParse(object);
    if (parsed.success) said.add(parsed.data.answer);
  }
  // The bare word is accepted too, if the output was not constrained.
  const word = answer
    .trim()
    .toLowerCase()
    .match(/^["']?(yes|no)["']?[.!]?$/)?.[1];
  if (word === 'yes' || word === 'no') said.add(word);
  const [one, other] = said;
  if (one === undefined) throw nonsense(answer, 'is neither yes nor no');
  if (other !== undefined) throw nonsense(answer, 'says yes and no');
  return one === 'yes';
};

/** Token budget for the choices of one question: small models lose track of more, and read them all each time. */
const CHOICES_BUDGET = 900;
/** Maximum share of a small model's window for the choices; the rest is for instructions, message and answer. */
const WINDOW_SHARE = 0.4;

/**
 * Returns how many of `lines`, from the start, fit the token budget for choices; at least one, so that there is a choice.
 */
const fitting = async (generator: TextGenerator, lines: readonly string[]): Promise<number> => {
  const budget = Math.min(CHOICES_BUDGET, generator.window * WINDOW_SHARE);
  const counts = await generator.count(lines);
  let used = 0;
  const over = counts.findIndex((count) => {
    used += count;
    return used > budget;
  });
  return over < 0 ? lines.length : Math.max(1, over);
};

/** The turn that a message follows, verbatim. */
const lastTurn = (turn: Node): string => {
  const said = JSON.stringify(clip(turn.message, LAST_TURN_TEXT));
  const reply = replyText(turn);
  return reply === '' ? `${said} (not answered)` : `${said} – ${JSON.stringify(clip(reply, LAST_TURN_TEXT))}`;
};

/** Share of the limit kept from the beginning of a text; the rest is kept from its end. */
const HEAD = 2 / 3;

/** Collapses white space and clips a long text to its beginning and end, with … in between. */
export const clip = (text: string, most: number): string => {
  const flat = oneLine(text);
  if (flat.length <= most) return flat;
  const head = Math.floor(most * HEAD);
  return `${wellFormed(flat.slice(0, head)).trimEnd()} … ${wellFormed(flat.slice(flat.length - (most - head))).trimStart()}`;
};

/** Drops the half of a surrogate pair that was cut in two. */
const wellFormed = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
