import { canBe, isSavedHere, type SettingsState } from '../../app/saved-settings.ts';
import {
  type BranchAction,
  type BranchAnswer,
  type BranchRule,
  type Decision,
  type Fallback,
  forkedFrom,
  isChangedAnswer,
  isConfirmation,
  type Label,
  type PersonalEffect,
  type Placement,
  type Reason,
  type Role,
  type TopicAction,
  type TopicAnswer,
  type TopicCandidate,
  type Trace,
} from '../../domain/decision.ts';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { plural, rounded } from '../../domain/numbers.ts';
import { changedNode } from '../../domain/stored-forest.ts';
import { counted, isolated, ratio } from '../parts/format.ts';
import { ABOUT_POLICY, subjectName } from '../parts/policies.tsx';

/** Where a turn was placed before any correction. */
const firstPlacement = ({ label, treeId, branchId, parentId }: Node): Placement =>
  label === null || label.beforehand === true ? { treeId, branchId, parentId } : label.engine;

/**
 * The turn under the one it was put under, should that have been taken out of its path since: the turns after it then
 * moved up. `then`: the turn when its first reply began; undefined if unknown.
 */
export const asDecided = (node: Node, then: Node | undefined): Node => {
  const { label, decision, parentId } = node;
  const isCorrected = label !== null && label.beforehand !== true;
  // Moved as its reply showed, it was put somewhere else then.
  if (then === undefined || isCorrected || decision.trace?.beforeReply !== undefined) return node;
  return then.parentId === parentId ? node : changedNode(node, { parentId: then.parentId });
};

/** The turn it was put under before any correction, and before that turn was deleted or moved away. */
const firstParent = (node: Node): NodeId | null => forkedFrom(node.decision) ?? firstPlacement(node).parentId;

/** The topic a decision chose or created. */
export const decidedTopic = (node: Node): TreeId => node.decision.trace?.topic.target ?? firstPlacement(node).treeId;

export const topicWords = ({ topic }: Decision): string =>
  ({ 'create-topic': 'New topic', 'switch-topic': 'Return to', 'continue-topic': 'Stay in' })[topic];

/** What was done (`branch`, as of `branchTaken`), and the turn it was done at; `link` is all there is to say where `at` is null. */
export const branchWords = (
  node: Node,
  branch = node.decision.branch,
): { readonly action: string; readonly link: string; readonly at: NodeId | null } => {
  if (branch === null) return { action: 'First branch', link: 'of the new topic', at: null };
  const at = firstParent(node);
  const { action, link } = BRANCHED[branch];
  // The turn before it was the first of the topic, and has been taken out.
  return { action, link: at === null ? `${link} a turn since deleted or moved away` : link, at };
};

const BRANCHED: Readonly<Record<BranchAction, { readonly action: string; readonly link: string }>> = {
  'create-branch': { action: 'New branch', link: 'from' },
  'switch-branch': { action: 'Switch branch', link: 'and continue from' },
  'continue-branch': { action: 'Continue', link: 'after' },
};

/** The turn that a new branch starts from, or through which another branch was resumed; null if the message continued. */
export const forkTaken = (node: Node, branch = node.decision.branch): NodeId | null => {
  const { trace } = node.decision;
  if (branch !== 'create-branch' && branch !== 'switch-branch') return null;
  const at = firstParent(node);
  const near = new Set(trace?.fork.candidates.map(({ nodeId }) => nodeId));
  const point = trace?.fork.point ?? null;
  // Another branch is continued at its end, but may be found by any of its turns.
  return branch === 'switch-branch' && point !== null && !near.has(at ?? '') ? point : at;
};

/** Who answered the topic question and how sure it was; otherwise why nobody was asked. */
export const topicSource = ({ topic }: Trace): string => {
  if (topic.rule === 'first-turn') return 'first turn';
  if (topic.rule === 'person') return 'you chose';
  return topic.answer === null ? 'no answer' : answerSource(topic.answer);
};

export const branchSource = ({ branch }: Trace): string => {
  if (branch.rule === 'person') return 'you chose';
  if (!wasAsked(branch.rule)) return 'not asked';
  return branch.answer === null ? 'no answer' : answerSource(branch.answer);
};

const wasAsked = (rule: BranchRule): boolean =>
  rule === 'asked' || rule === 'asked-ungated' || rule === 'asked-on-revision' || rule === 'asked-top-candidate';

const answerSource = ({ decider, confidence }: { decider: string; confidence: number | null }): string =>
  confidence === null
    ? `${subjectName(decider)} gave no confidence`
    : `${subjectName(decider)} · confidence ${ratio(confidence)}`;

/** The embedded decider may be asked all the same, for what is kept beside the person's choice. */
const PLACE_GIVEN = 'You chose the place, or edited the message that was there; no decider’s answer was used.';

/** The rule that decided the topic, where it was not just the decider's answer; otherwise null. */
export const topicRuleWords = ({ topic }: Trace): string | null => {
  switch (topic.rule) {
    case 'first-turn':
      return 'The first turn opens a topic: there was nothing to choose from.';
    case 'person':
      return PLACE_GIVEN;
    case 'asked-by-path':
      return pathsWords(topic);
    case 'asked':
      return topic.answer === null ? 'No decider could answer, so the topic stayed as it was.' : null;
  }
};

/** The placement by the message alone, where the reply changed it; null where it did not. */
export const beforeReplyWords = (forest: Forest, { beforeReply }: Trace): string | null => {
  if (beforeReply === undefined) return null;
  const { topic, parentId, confidence } = beforeReply;
  const parent = parentId === null ? undefined : forest.nodes[parentId];
  const under = parent === undefined ? '' : ` after turn ${parent.number}`;
  const sure = confidence === null ? '' : ` (${ratio(confidence)})`;
  return `By its message alone this turn ${ALONE[topic]}${under}${sure}. Its reply showed that it belongs here, and it was moved.`;
};

const ALONE: Readonly<Record<TopicAction, string>> = {
  'create-topic': 'opened a topic',
  'switch-topic': 'returned to another topic',
  'continue-topic': 'stayed in the topic',
};

/** The outcome of asking about one path after another. */
const pathsWords = ({ answer, paths = [], pathsLeftOut = 0 }: Trace['topic']): string => {
  if (answer === null) return 'No decider could answer, so the topic stayed as it was.';
  const yes = paths.findIndex((path) => path.yes);
  const none = paths.length === 1 ? 'The only one got a no' : `All ${paths.length} got a no`;
  const outcome = yes === -1 ? `${none}, so the topic is new.` : `Path ${yes + 1} got it.`;
  const more =
    pathsLeftOut === 0
      ? ''
      : ` ${counted(pathsLeftOut, 'path')} further off ${plural(pathsLeftOut, 'was', 'were')} not asked about.`;
  return `This policy asks about one path after another and takes the first yes. ${outcome}${more}`;
};

/** Whether the place in a trace is one that reaches θ; a decider may have named another. */
export const opensGate = ({ theta, point, candidates }: Trace['fork']): boolean =>
  theta === null || candidates.some(({ nodeId, similarity }) => nodeId === point && similarity >= theta);

/** The most decimals that a similarity is told with. */
const DECIMALS = 5;

/** Two similarities, with more decimals if they would read alike. */
const toldApart = (one: number, other: number): readonly [string, string] => {
  let decimals = 2;
  while (one !== other && decimals < DECIMALS && ratio(one, decimals) === ratio(other, decimals)) decimals++;
  return [ratio(one, decimals), ratio(other, decimals)];
};

/** Which rule settled the branch and why (Context-Agent §3.3, step 3), in words. */
export const branchRuleWords = (forest: Forest, { branch, fork }: Trace): string => {
  const { theta, point, candidates } = fork;
  const number = point === null ? undefined : forest.nodes[point]?.number;
  const nearest = number === undefined ? 'The nearest turn' : `Turn ${number}`;
  // The direct parent may be nearer, and be skipped.
  const isFirst = point === null || candidates.length === 0 || candidates[0]?.nodeId === point;
  const isNearest = isFirst ? 'is nearest' : 'is the nearest besides the turn that the active one continues,';
  const value = candidates.find(({ nodeId }) => nodeId === point)?.similarity;
  const against = (sign: string) =>
    value === undefined || theta === null ? '' : ` (${toldApart(value, theta).join(` ${sign} `)})`;
  // The turn that opens the gate is the nearest or, if the direct parent is skipped, the second.
  const named = value === undefined && candidates.length < 2 ? '' : ' It named another place.';
  const rules: Record<BranchRule, string> = {
    'new-topic': 'A new topic has no branches to choose from.',
    'no-retrieval': 'No turn of this topic could be compared yet, so the branch continues without asking the decider.',
    'below-threshold': `${nearest} ${isNearest} and stays below θ${against('<')}, so the branch continues without asking the decider.`,
    'on-tip': `${nearest} is nearest and is the active turn, or comes after it on its branch, so the decider was not asked.`,
    'direct-parent':
      'The branch continues, and the decider was not asked: the nearest turn is the one that the active turn continues, and the message does not change what was said.',
    'nothing-revised':
      'The branch continues, and the decider was not asked: under this policy only a message that changes what was said may fork, and this one does not.',
    asked:
      theta === null || opensGate(fork)
        ? `${nearest} reaches θ${against('≥')} and is behind the tip or on another branch, so the decider was asked.`
        : `A turn behind the tip or on another branch reaches θ (${ratio(theta)}), so the decider was asked.${named}`,
    'asked-ungated':
      'Asking this decider is free, so it was asked whatever the similarity: about the turns just before, the topic’s first, the most similar ones and the ends of other branches.',
    'asked-on-revision': `This policy retrieves nothing. The message revises something, so the decider was asked about ${number === undefined ? 'the parent of the active turn' : `turn ${number}, the parent of the active one`}.`,
    'not-above-threshold': `${nearest} is nearest and not above θ${against('≤')}, so the branch continues without asking the decider.`,
    'parent-excluded':
      'The nearest turn is the direct parent of the active one, which this policy never forks from. No other is above θ, so the branch continues without asking the decider.',
    'asked-top-candidate': `${nearest} is nearest, above θ${against('>')} and lies behind the tip or on another branch, so the decider was asked. Whichever turn it names, this policy takes ${number === undefined ? 'the nearest' : `turn ${number}`}.`,
    person: PLACE_GIVEN,
  };
  const unanswered =
    wasAsked(branch.rule) && branch.answer === null ? ' None could answer, so the branch continued.' : '';
  return rules[branch.rule] + unanswered;
};

const JOBS: Record<Role, string> = {
  chat: 'reply',
  decide: 'decide',
  summarise: 'summarise',
  embed: 'compare all turns',
};

export const fallbackWords = ({ role, from, to, why }: Fallback): string =>
  `${from} could not ${JOBS[role]}: ${why.replace(/\.$/, '')}. Used instead: ${to}.`;

/** What the person agreed with: the label does not tell whether they said so, or moved the turn away and back. */
export const confirmedWords = ({ by }: Decision): string =>
  ({
    engine: 'You agree with where the engine put this turn.',
    person: 'You put this turn here yourself, and it stays here.',
    import: 'You agree with where this turn was in the imported file.',
  })[by];

/** What becomes of a place that the person chose for a message: of a preview (`toBeSent`), what would. */
export const chosenWords = (label: Label, toBeSent: boolean): string => {
  const isSame = isConfirmation(label);
  if (toBeSent) {
    return isSame
      ? 'You chose the place. The embedded decider would choose the same one. Once the message is sent, that is saved as a label.'
      : 'You chose the place. Once the message is sent, that is saved as a label, with what the embedded decider would choose.';
  }
  return isSame
    ? 'You chose the place before the message was sent. The embedded decider would have chosen the same place. That is saved as a label.'
    : 'You chose the place before the message was sent. That is saved as a label, with what the embedded decider would have chosen.';
};

/** Why there is no trace to show for a placement. */
export const untracedWords = ({ by }: Decision): string =>
  by === 'person'
    ? 'You placed this turn yourself. No decider was asked, so there is no trace.'
    : 'This turn was imported, so there is no trace.';

/** What this version of Coppice, or this browser, does not know of the settings that a turn was decided with. */
export const foreignSettingsWords = (saved: SettingsState, trace: Trace): string[] => {
  const { policy, settings } = trace;
  if (settings === undefined) return [];
  const strange = Object.entries(settings.parameters).flatMap(([name, value]) => (canBe(name, value) ? [] : [name]));
  const isStrangePolicy = ABOUT_POLICY[policy] === undefined;
  const isStrange = isStrangePolicy || strange.length > 0;
  const { version } = settings;
  return [
    ...(isStrange
      ? [
          `Another version of Coppice decided this. This one does not have ${[...(isStrangePolicy ? ['its policy'] : []), ...strange].join(', ')}, so a re-run goes without.`,
        ]
      : []),
    ...(isSavedHere(saved, trace)
      ? []
      : version > 0
        ? [`These are not the settings that are saved as version ${version} in this browser.`]
        : isStrange
          ? []
          : ['These are not the default settings.']),
  ];
};

/** The gate before the branch question (Context-Agent §3.3, step 3), in words short enough for the picture. */
export interface Gate {
  /** `none`: nothing depended on it. */
  readonly state: 'open' | 'shut' | 'none';
  readonly name: 'Open' | 'Closed' | 'Not reached' | 'No gate';
  readonly words: string;
}

const OPEN = { state: 'open', name: 'Open' } as const;
const SHUT = { state: 'shut', name: 'Closed' } as const;
const NOT_REACHED = { state: 'none', name: 'Not reached' } as const;

export const gateOf = ({ branch: { rule } }: Trace): Gate => {
  switch (rule) {
    case 'new-topic':
      return { ...NOT_REACHED, words: 'a new topic has no branches' };
    case 'person':
      return { ...NOT_REACHED, words: 'you chose the place' };
    case 'no-retrieval':
      return { ...SHUT, words: 'nothing to compare with yet' };
    case 'below-threshold':
      return { ...SHUT, words: 'the nearest turn is below θ' };
    case 'on-tip':
      return { ...SHUT, words: 'the nearest turn is the active one or below it' };
    case 'direct-parent':
      return { ...SHUT, words: 'the nearest turn is its parent, and the message revises nothing' };
    case 'not-above-threshold':
      return { ...SHUT, words: 'the nearest turn is not above θ' };
    case 'parent-excluded':
      return { ...SHUT, words: 'the nearest turn is its parent, which this policy excludes' };
    case 'nothing-revised':
      return { ...SHUT, words: 'nothing is revised' };
    case 'asked':
      return { ...OPEN, words: 'the nearest turn reaches θ' };
    case 'asked-ungated':
      return { state: 'none', name: 'No gate', words: 'this decider is asked, near or not' };
    case 'asked-top-candidate':
      return { ...OPEN, words: 'the nearest turn is above θ' };
    case 'asked-on-revision':
      return { ...OPEN, words: 'the message revises something' };
  }
};

/** What the user's corrections did to an answer, in words. */
interface PersonalWords {
  /** Without them the answer would have been different. */
  readonly changed: boolean;
  readonly text: string;
}

export const personalWords = (
  { nodes, trees }: Forest,
  personal: PersonalEffect,
  chosen: {
    readonly action: TopicAction | BranchAction;
    /** The topic or turn that it names. */
    readonly target: string | null;
    readonly confidence: number | null;
  },
): PersonalWords => {
  const { without } = personal;
  if (isChangedAnswer(personal, chosen)) {
    const { action, target } = without;
    const number = nodes[target ?? '']?.number;
    const done = WOULD_HAVE[action](
      target === null ? null : (trees[target]?.title ?? FORMER_TOPIC),
      number === undefined ? null : `turn ${number}`,
    );
    return {
      changed: true,
      text: `Your corrections changed this: without them it would have ${done} (${ratio(without.confidence)}).`,
    };
  }
  const surer = (chosen.confidence ?? 0) >= without.confidence;
  return {
    changed: false,
    text: `${surer ? 'Surer' : 'Less sure'} because of your corrections: ${ratio(without.confidence)} without them.`,
  };
};

const WOULD_HAVE: Record<TopicAction | BranchAction, (title: string | null, turn: string | null) => string> = {
  'create-topic': () => 'opened a new topic',
  'continue-topic': (title) => `continued ${title === null ? 'the topic' : `“${isolated(title)}”`}`,
  'switch-topic': (title) => `returned to ${title === null ? 'another topic' : `“${isolated(title)}”`}`,
  'continue-branch': () => 'continued the branch',
  'create-branch': (_, turn) => `opened a new branch${turn === null ? '' : ` from ${turn}`}`,
  'switch-branch': (_, turn) => `switched to ${turn === null ? 'another branch' : `the branch of ${turn}`}`,
};

/** An answer to a decider's question. `at`: the topic or turn it is about; null for a new topic and for continuing. */
interface Answer {
  readonly action: TopicAction | BranchAction;
  readonly at: string | null;
  /** What its topic was called when the decision was made, for a topic that is no more. */
  readonly titleThen?: string | undefined;
}

/** A topic that has been deleted since, or whose turns have all been moved elsewhere. */
export const FORMER_TOPIC = 'a former topic';

/** The title of a topic that a decision was about; of one that is no more, what it was called then. */
export const topicTitle = ({ trees }: Forest, { topic: { candidates } }: Trace, at: TreeId): string =>
  trees[at]?.title ?? titleThen(candidates, at) ?? FORMER_TOPIC;

const withTitleThen = <A extends Answer>(answer: A, candidates: readonly TopicCandidate[]): A => ({
  ...answer,
  titleThen: titleThen(candidates, answer.at),
});

const titleThen = (candidates: readonly TopicCandidate[], at: string | null): string | undefined =>
  candidates.find(({ treeId }) => treeId === at)?.title;

/** `staying in “Lisbon flat”`, `a new branch from turn 3`. */
export const answerWords = ({ nodes, trees }: Forest, { action, at, titleThen }: Answer): string => {
  const title = `“${isolated(trees[at ?? '']?.title ?? titleThen ?? FORMER_TOPIC)}”`;
  const number = nodes[at ?? '']?.number;
  const turn = number === undefined ? 'an earlier turn' : `turn ${number}`;
  return {
    'create-topic': 'a new topic',
    'continue-topic': at === null ? 'staying in the topic' : `staying in ${title}`,
    'switch-topic': at === null ? 'returning to another topic' : `returning to ${title}`,
    'continue-branch': 'continuing',
    'create-branch': `a new branch from ${turn}`,
    'switch-branch': `the branch of ${turn}`,
  }[action];
};

/** An answer available to the decider, with its probability (0–1). */
interface WeighedAnswer extends Answer {
  readonly chance: number;
  readonly chosen: boolean;
}

/** The answers the decider weighed. */
export interface AnswerWeights {
  /** The chosen answer, then the others listed, likeliest first. */
  readonly answers: readonly WeighedAnswer[];
  /** The remaining probability of all other answers. */
  readonly others: number;
}

/** The decider's answers to the topic question with their probabilities; null if it gives none. */
export const topicWeighing = ({ topic: { answer, target, candidates } }: Trace): AnswerWeights | null =>
  answer?.confidence == null
    ? null
    : weighing(
        withTitleThen({ action: answer.action, at: target, chance: answer.confidence }, candidates),
        (answer.alternatives ?? []).map(({ action, target: at, confidence: chance }) =>
          withTitleThen({ action, at, chance }, candidates),
        ),
      );

export const branchWeighing = ({ branch: { answer } }: Trace): AnswerWeights | null =>
  answer?.confidence == null
    ? null
    : weighing(
        { action: answer.action, at: answer.point ?? null, chance: answer.confidence },
        (answer.alternatives ?? []).map(({ action, point: at, confidence: chance }) => ({ action, at, chance })),
      );

const weighing = (
  chosen: Omit<WeighedAnswer, 'chosen'>,
  others: readonly Omit<WeighedAnswer, 'chosen'>[],
): AnswerWeights => {
  const answers = [{ ...chosen, chosen: true }, ...others.map((one) => ({ ...one, chosen: false }))];
  return { answers, others: Math.max(0, 1 - answers.reduce((sum, { chance }) => sum + chance, 0)) };
};

/** Reasons for an answer against the runner-up: weights in log-odds, to one decimal, and their sum. */
export interface AnswerReasons {
  /** `For a new topic against staying in “Lisbon flat”`; null if the log does not say what it is against. */
  readonly head: string | null;
  readonly rows: readonly Reason[];
  readonly sum: number | null;
}

/** Reasons for the topic answer. The weights shown add up to the sum shown; what is not named is listed as "other". */
export const topicReasons = (
  forest: Forest,
  { topic: { answer, target, candidates } }: Trace,
): AnswerReasons | null => {
  if (answer === null) return null;
  const rival = topicRival(answer);
  return answerReasons(
    forest,
    withTitleThen({ action: answer.action, at: target }, candidates),
    answer,
    rival && withTitleThen(rival, candidates),
  );
};

export const branchReasons = (forest: Forest, { branch: { answer } }: Trace): AnswerReasons | null =>
  answer === null
    ? null
    : answerReasons(forest, { action: answer.action, at: answer.point ?? null }, answer, branchRival(answer));

type Rival = (Answer & { readonly odds: number }) | null;

// Logs of older versions record the runner-up only among the alternatives.
const topicRival = ({ against, alternatives, confidence }: TopicAnswer): Rival => {
  const [next] = alternatives ?? [];
  if (against !== undefined) return against;
  return next === undefined
    ? null
    : { action: next.action, at: next.target, odds: oddsOf(confidence, next.confidence) };
};

const branchRival = ({ against, alternatives, confidence }: BranchAnswer): Rival => {
  const [next] = alternatives ?? [];
  if (against !== undefined) return against;
  return next === undefined ? null : { action: next.action, at: next.point, odds: oddsOf(confidence, next.confidence) };
};

const oddsOf = (chosen: number | null, next: number): number =>
  chosen === null ? Number.NaN : Math.log(chosen / Math.max(next, 1e-12));

const tenth = (value: number): number => rounded(value, 1);

const answerReasons = (
  forest: Forest,
  chosen: Answer,
  { reasons }: TopicAnswer | BranchAnswer,
  rival: Rival,
): AnswerReasons | null => {
  if (reasons.length === 0) return null;
  const rows = reasons.map(({ text, weight }) => ({ text, weight: tenth(weight) }));
  if (rival === null || !Number.isFinite(rival.odds)) return { head: null, rows, sum: null };
  const sum = tenth(rival.odds);
  const other = tenth(sum - rows.reduce((total, { weight }) => total + weight, 0));
  return {
    head: `For ${answerWords(forest, chosen)} against ${answerWords(forest, rival)}`,
    rows: other === 0 ? rows : [...rows, { text: 'other', weight: other }],
    sum,
  };
};
