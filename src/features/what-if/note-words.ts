import type { Fallback } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { fallbacksOf, nodeOf } from '../../domain/queries.ts';
import type { LeftOut } from '../../engine/history/left-out.ts';
import { counted } from '../../ui/parts/format.ts';
import { shapeOf } from './shape-of.ts';
import type { Outcome } from './what-if-run.ts';

/** Something to know about an outcome; `alert`: it is not what was asked for. */
export interface Note {
  readonly text: string;
  readonly alert: boolean;
}

/** What an outcome does not say by itself: models that failed, that are not there any more, and words that are gone. */
export const notesOn = ({ origin, rerun }: Outcome): Note[] => {
  const notes: Note[] = [];
  const anew = [...rerun.decided].flatMap((id) => rerun.forest.nodes[id] ?? []);
  const failures = new Map<string, { readonly fallback: Fallback; turns: number }>();
  for (const node of anew) {
    for (const fallback of fallbacksOf(node)) {
      const known = failures.get(fallback.from) ?? { fallback, turns: 0 };
      known.turns += 1;
      failures.set(fallback.from, known);
    }
  }
  for (const { fallback, turns } of failures.values()) {
    const { from, to, why } = fallback;
    notes.push({
      text: `${from} failed for ${counted(turns, 'turn')} (${why.replace(/\.$/, '')}); ${to} stood in.`,
      alert: true,
    });
  }
  if (rerun.question.decider === 'chosen') notes.push(...othersThen(origin.forest, rerun.forest, anew));
  const units = [shapeOf(origin.forest).units, shapeOf(rerun.forest).units].map((names) => names.join(' and '));
  if (units[0] !== units[1] && units[0] !== '') {
    notes.push({ text: `Tokens were counted by ${units[0]} then, and by ${units[1]} here.`, alert: false });
  }
  const purged = origin.entries.flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])).length;
  if (purged > 0) {
    const text = `${counted(purged, 'turn was', 'turns were')} purged: what was decided while their words were there can come out otherwise.`;
    notes.push({ text, alert: false });
  }
  return notes;
};

/** Deciders and embedders of then that are not the ones chosen now. */
const othersThen = (origin: Forest, now: Forest, anew: readonly { readonly id: NodeId }[]): Note[] => {
  const other = { decider: new Map<string, number>(), embedder: new Map<string, number>() };
  for (const { id } of anew) {
    const [was, is] = [origin.nodes[id]?.decision.trace, now.nodes[id]?.decision.trace];
    if (!was || !is) continue;
    for (const role of ['decider', 'embedder'] as const) {
      if (was[role] !== is[role]) other[role].set(was[role], (other[role].get(was[role]) ?? 0) + 1);
    }
  }
  return (['decider', 'embedder'] as const).flatMap((role) =>
    [...other[role]].map(([name, turns]) => ({
      text: `${counted(turns, 'turn')} had ${name} as ${role}, which is not the one chosen now.`,
      alert: false,
    })),
  );
};

const DONE: Partial<Record<LeftOut['what'], string>> = {
  'turn-moved': 'moved',
  'turn-extracted': 'taken out',
  'turns-deleted': 'deleted',
  'turn-confirmed': 'confirmed',
  'turns-hidden': 'hidden or shown',
  'turn-pinned': 'pinned or unpinned',
  'turn-noted': 'given a note',
  'reference-added': 'given a reference',
  'reference-removed': 'rid of a reference',
  'branch-titled': 'branch renamed',
  'topic-titled': 'topic renamed',
  summarised: 'summarised by you',
  activated: 'made the active one',
  'message-sent': 'sent to a turn of your choice',
};

/** `Turn 5, moved: the engine puts it there by itself`. */
export const leftOutWords = (forest: Forest, { what, nodeIds, why }: LeftOut): string => {
  const numbers = nodeIds.flatMap((id) => (forest.nodes[id] === undefined ? [] : [nodeOf(forest, id).number]));
  const turns = numbers.length === 0 ? 'Something' : `Turn ${numbers.join(', ')}`;
  return `${turns}, ${DONE[what] ?? what}: ${whyWords(why)}`;
};

const whyWords = (why: LeftOut['why']): string => {
  switch (why) {
    case 'wanted':
      return 'left out, as you asked';
    case 'not-needed':
    case 'already-there':
      return 'the engine puts it there by itself';
    case 'placed-otherwise':
      return 'it is not in the place that you confirmed';
    case 'under-itself':
      return 'it would hang from itself here';
    default:
      return 'what it was about is not there, or not the same';
  }
};
