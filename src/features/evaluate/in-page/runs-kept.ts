import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import type { Place } from '../measurement/gold.ts';
import type { Measurement } from '../measurement/measure.ts';
import type { DecisionRecord } from '../measurement/placements.ts';
import type { Placed } from './matrices.ts';

interface Dialogue {
  readonly id: string;
  readonly turns: readonly {
    readonly message: string;
    readonly reply: string | null;
    readonly parent: number | null;
  }[];
  readonly trained: boolean;
}

export interface KeptDecision {
  readonly dialogue: Dialogue;
  readonly turn: number;
  readonly gold: Place;
  readonly predicted: Place;
  readonly confidence: number | null;
  readonly branchConfidence: number | null;
  readonly disputed: boolean;
}

interface RunOf {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
}

/**
 * The decisions of each run with the dialogues they were made in. Names of dialogues need not be unique, but a
 * run goes through a set's dialogues in order, and through the turns of each.
 */
export const keptRuns = (
  { decisions }: Pick<Measurement, 'decisions'>,
  dialoguesOf: (dataset: string) => readonly LabelledDialogue[],
  trainedOn: (dialogue: LabelledDialogue) => boolean,
) => {
  const known = new Map<string, Dialogue[]>();
  const shown = (dataset: string): Dialogue[] => {
    const made =
      known.get(dataset) ??
      dialoguesOf(dataset)
        .filter(({ turns }) => turns.length > 1)
        .map((dialogue) => ({ ...dialogue, trained: trainedOn(dialogue) }));
    known.set(dataset, made);
    return made;
  };

  const kept = new Map<string, Placed<KeptDecision>[]>();
  return ({ dataset, mode, subject }: RunOf): readonly Placed<KeptDecision>[] => {
    const key = [dataset, mode, subject].join('\n');
    const run = kept.get(key) ?? [];
    if (kept.has(key)) return run;
    kept.set(key, run);
    let at = -1;
    for (const record of decisions) {
      if (record.dataset !== dataset || record.mode !== mode || record.subject !== subject) continue;
      if (record.turn === 1) at++;
      const dialogue = shown(dataset)[at];
      if (dialogue === undefined) throw new Error(`a decision of ${dataset} is in none of its dialogues`);
      run.push({ record, item: decisionOf(record, dialogue) });
    }
    return run;
  };
};

const decisionOf = (record: DecisionRecord, dialogue: Dialogue): KeptDecision => {
  const { turn, gold, predicted, confidence, branchConfidence, disputed } = record;
  return { dialogue, turn, gold, predicted, confidence, branchConfidence, disputed };
};
