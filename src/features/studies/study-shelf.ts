import * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import { Queue } from '../../app/conversation-log.ts';
import type { Kernel, ReadDialogues } from '../../app/kernel.ts';
import { KeptEnginePerson } from './engine-person.ts';
import { type LabelEvent, LabelEventSchema, unionOf } from './label-events.ts';
import { type Study, StudySchema } from './study.ts';
import { type PackageRole, readPackage } from './study-package.ts';

const Position = z.object({ dialogue: z.string(), turn: z.int().check(z.nonnegative()) });
export type Position = z.infer<typeof Position>;

/** A study as it is kept here: opened to label in it, or made to coordinate. The same study can be here as both. */
const Kept = z.object({
  id: z.string(),
  role: z.enum(['annotator', 'coordinator']),
  study: StudySchema,
  openedAt: z.number(),
  /** Who labels at the moment; null before somebody has said so. */
  person: z.nullable(z.string()),
  /** Where each person was last. */
  positions: z.record(z.string(), Position),
  /** How many labels of each person were in the file that they saved last. */
  saved: z.record(z.string(), z.number()),
  /** The engine that was asked last. */
  engine: KeptEnginePerson,
});
export type KeptStudy = z.infer<typeof Kept>;

const keyOf = (role: PackageRole, study: Study): string => `${role}:${study.id}`;

type StudyChange = Partial<Pick<KeptStudy, 'person' | 'positions' | 'saved' | 'study' | 'engine'>>;

export interface StudyShelf {
  readonly store: StoreApi<{ readonly studies: readonly KeptStudy[]; readonly damaged: number }>;
  /** Reads anew what is kept: another tab, or a backup, may have changed it. */
  refresh(): Promise<void>;
  /** Takes a package in. The same again changes nothing; one of the same study with other content takes its place unless labels would lose theirs. */
  open(bytes: Uint8Array): Promise<KeptStudy>;
  keep(role: PackageRole, study: Study): Promise<KeptStudy>;
  /** One change after the other, each of what is kept by then. */
  change(id: string, change: (kept: KeptStudy) => StudyChange): Promise<void>;
  /** With its labels, unless the study is here in the other role, too. */
  remove(id: string): Promise<void>;
  /** All labels of a study, of everybody, in order of time. */
  events(study: string): Promise<LabelEvent[]>;
  /** Says how many were new. */
  add(events: readonly LabelEvent[]): Promise<number>;
  /** While somebody labels, the decider learns nothing from this browser's corrections. */
  restLearning(rest: boolean): void;
  /** The dialogues of files in any form that Import reads, with the parents that they name. */
  readonly readDialogues: ReadDialogues;
  readonly now: () => number;
  /** Milliseconds on a clock that never goes back. */
  readonly elapsed: () => number;
  readonly newId: () => string;
}

/** Says in whole sentences why a package was not taken in. */
class ShelfFailure extends Error {}

/** The studies that are kept here. */
export const openShelf = async (kernel: Kernel, actions: Actions): Promise<StudyShelf> => {
  const store: StudyShelf['store'] = createStore(() => ({ studies: [], damaged: 0 }));
  const refresh = async () => {
    const rows = (await kernel.storage.studies()).map((row) => Kept.safeParse(row));
    const studies = rows.flatMap((row) => (row.success ? [row.data] : []));
    store.setState({ studies: studies.sort((a, b) => b.openedAt - a.openedAt), damaged: rows.length - studies.length });
  };
  const found = (id: string) => store.getState().studies.find((one) => one.id === id);
  const put = async (kept: KeptStudy) => {
    await kernel.storage.saveStudy(kept);
    await refresh();
    return kept;
  };
  await refresh();
  // One after the other: each change is of what the last has left.
  const queue = new Queue();
  const restLearning = await createLearningPause(kernel, actions);

  const events = async (study: string) =>
    unionOf(
      (await kernel.storage.studyEvents(study)).flatMap((row) => {
        const parsed = LabelEventSchema.safeParse(row);
        return parsed.success ? [parsed.data] : [];
      }),
    );

  const keep: StudyShelf['keep'] = (role, study) =>
    queue.run(() => {
      const id = keyOf(role, study);
      const known = found(id);
      return put({ person: null, positions: {}, saved: {}, ...known, id, role, study, openedAt: kernel.ports.now() });
    });

  return {
    store,
    refresh: () => queue.run(refresh),
    keep,
    open: async (bytes) => {
      const { study, role } = readPackage(bytes);
      const known = found(keyOf(role, study));
      const isOther = known !== undefined && JSON.stringify(known.study) !== JSON.stringify(study);
      if (isOther && (await events(study.id)).length > 0) {
        throw new ShelfFailure(
          `“${study.name}” is here already with other content, and has been labelled. Save those labels and remove it, then open this one.`,
        );
      }
      return keep(role, study);
    },
    change: (id, change) =>
      queue.run(async () => {
        const known = found(id);
        if (known !== undefined) await put({ ...known, ...change(known) });
      }),
    remove: (id) =>
      queue.run(async () => {
        const known = found(id);
        if (known === undefined) return;
        await kernel.storage.removeStudy(id);
        const { studies } = store.getState();
        if (!studies.some((one) => one.id !== id && one.study.id === known.study.id)) {
          const rows = await kernel.storage.studyEvents(known.study.id);
          await kernel.storage.removeStudyEvents(rows.map((row) => row.id));
        }
        await refresh();
      }),
    events,
    add: (added) => kernel.storage.addStudyEvents(added),
    restLearning,
    readDialogues: kernel.ports.readDialogues,
    now: kernel.ports.now,
    elapsed: kernel.ports.elapsed,
    newId: kernel.ports.newId,
  };
};

/** That it was Studies that paused the learning, for the next visit: a tab may be closed without a word. */
const MARK = 'learning-rests-for-study';

/** Pauses what the decider learns from the person while they label, and goes on as it was; where they have paused it themselves it stays so. */
const createLearningPause = async (
  kernel: Kernel,
  { pauseLearning, reportFailure }: Actions,
): Promise<(rests: boolean) => void> => {
  const queue = new Queue();
  const pause = (rests: boolean) =>
    queue.run(async () => {
      const isMine = (await kernel.storage.setting(MARK)) === true;
      const { paused } = kernel.store.getState().learning;
      if (rests === isMine || (rests && paused)) return;
      await kernel.storage.saveSetting(MARK, rests);
      await pauseLearning(rests);
    });
  await pause(false);
  return (rests) => void pause(rests).catch((error: unknown) => reportFailure('Pausing the learning', error));
};
