import type { ChatMessage } from '../../domain/context.ts';
import type { BranchAction } from '../../domain/decision.ts';
import { summaryText } from '../../engine/context/overview.ts';
import type { BranchPlace, BranchQuestion, NodeView } from '../../engine/ports.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';
import { type Choice, MOST_CHOICES, nonsense } from './choice.ts';
import { clip } from './clip.ts';
import { fitting } from './fitting.ts';
import { lastTurn } from './last-turn.ts';
import { BRANCH_INSTRUCTIONS, instructionsFor } from './prompts.ts';

/** Characters: of a turn's summary, and of the message. */
const SUMMARY = 200;
const MESSAGE = 1200;
/** Turns of the path that are told, the root beside the newest. */
const PATH = 6;

/** A place that is offered; `point` is undefined for n*, which needs no naming. */
interface Offered {
  readonly kind: 'create' | 'switch';
  readonly from: NodeView;
  /** It lies on the active path. */
  readonly onPath: boolean;
  readonly point: string | undefined;
  readonly line: string;
}

export interface BranchPrompt {
  readonly messages: readonly ChatMessage[];
  /** By number, from 1. */
  readonly offered: readonly Offered[];
}

/** The question whether a message goes on, forks, or takes up another branch. */
export const branchPrompt = async (generator: TextGenerator, question: BranchQuestion): Promise<BranchPrompt> => {
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
const offersOf = ({ forkPoint, places, path }: BranchQuestion): Offered[] => {
  const own = places.find((place) => isForkPoint(place, forkPoint));
  const others = places.filter((place) => place !== own).toSorted((a, b) => nearnessOf(b) - nearnessOf(a));
  const first: Offered =
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

const kindOf = ({ action }: BranchPlace): Offered['kind'] => (action === 'create-branch' ? 'create' : 'switch');

const nearnessOf = ({ from, nearest }: BranchPlace): number => Math.max(from.similarity, nearest?.similarity ?? -1);

const offerOf = (from: NodeView, kind: Offered['kind'], onPath: boolean, setAside: NodeView | null): Offered => {
  const told = clip(summaryText(from.node), SUMMARY);
  const instead = setAside === null ? '' : ` (in place of: ${clip(summaryText(setAside.node), SUMMARY)})`;
  const line =
    kind === 'create' ? `create, back at: ${told}${instead}` : `switch, to the branch that ended with: ${told}`;
  return { kind, from, onPath, point: from.nodeId, line };
};

const pathText = (path: readonly NodeView[]): string => {
  const told = path.length <= PATH ? path : [...path.slice(0, 1), ...path.slice(1 - PATH)];
  const texts = told.map(({ node }) => clip(summaryText(node), SUMMARY));
  return (told.length < path.length ? [texts[0], '…', ...texts.slice(1)] : texts).join(' ');
};

/** What a choice means for the places as they were numbered. Rejects one that names none of them. */
export const branchChosen = (
  { action, target }: Choice,
  offered: readonly Offered[],
  raw: string,
): { action: BranchAction; point?: string } => {
  if (action === 'continue') {
    if (target !== 0) throw nonsense(raw, 'goes on after the last turn and names another place');
    return { action: 'continue-branch' };
  }
  const named = offered[target - 1];
  if (named === undefined) throw nonsense(raw, 'names a place that was not offered');
  // There is nothing to switch to on the path itself: who names a turn of it means to go back to it.
  const creates = action === 'create' || named.onPath;
  return {
    action: creates ? 'create-branch' : 'switch-branch',
    ...(named.point === undefined ? {} : { point: named.point }),
  };
};
