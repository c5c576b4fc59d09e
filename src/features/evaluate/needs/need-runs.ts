import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import type { ContextParts } from '../measurement/contexts.ts';
import type { Counts } from '../measurement/metric.ts';
import { type Row, rowsOf } from '../measurement/rows.ts';
import type { Place, Steps } from '../measurement/runs.ts';
import type { byPlacing, ContextSubject } from '../measurement/subjects.ts';
import { needCounts } from './need-contexts.ts';
import type { NeedSet } from './need-sets.ts';

export interface NeedParts extends ContextParts {
  readonly groups: ReturnType<typeof byPlacing>;
  readonly steps: Steps;
  readonly place: Place;
  /** Gives a dialogue of user turns only its replies. */
  readonly withReplies: (dialogue: LabelledDialogue) => Promise<LabelledDialogue>;
}

/** The engine places the turns. */
const MODE = 'free-running';

/** What is held to another policy's size is not held to a budget, too. */
const atOwnSize = ({ equalTokens }: ContextSubject): boolean => !equalTokens;

/** Counts what `measureNeeds` will go through. */
export const expectNeeds = ({ dialogues }: NeedSet, { groups, steps }: NeedParts): void => {
  for (const _ of groups) steps.expect(dialogues);
};

/** What the contexts of every policy have of what messages need, at the policy's own size and at budgets. */
export const measureNeeds = async ({ name, dialogues, views }: NeedSet, parts: NeedParts): Promise<Row[]> => {
  const { groups, steps, place, withReplies } = parts;
  const bySubject = new Map<string, Counts[]>();
  for (const { placing, contexts } of groups) {
    const run = await steps.through(dialogues, `${name}: needs`, async (dialogue) => {
      const placements = await place(name, dialogue, placing, MODE);
      const subjects = contexts.filter(atOwnSize);
      return needCounts(await withReplies(dialogue), placements, placing.policy, subjects, parts);
    });
    for (const counts of run) {
      for (const [subject, own] of counts) bySubject.set(subject, [...(bySubject.get(subject) ?? []), own]);
    }
  }
  return views.flatMap(({ dataset, takes, metrics }) =>
    [...bySubject].flatMap(([subject, counts]) => {
      const taken = counts.filter((_, at) => takes(dialogues[at] as LabelledDialogue));
      return rowsOf({ dataset, mode: MODE, subject }, taken, metrics);
    }),
  );
};
