import * as z from 'zod/mini';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import type { Kernel, ReadDialogues } from '../../app/kernel.ts';
import { Queue } from '../../engine/tasks.ts';
import { KeptEnginePerson, lessonCount, replaceLessonsOf } from './engine-person.ts';
import { currentEvents, type LabelEvent, LabelEventSchema, unionOf } from './label-events.ts';
import { dialoguesFor, itemHash, type Study, type StudyDialogue, StudySchema } from './study.ts';
import { type PackageRole, readPackage } from './study-package.ts';

const Position = z.object({ dialogue: z.string(), turn: z.int().check(z.nonnegative()) });
export type Position = z.infer<typeof Position>;

/** What is written of a turn's comment, kept so that it outlives a tab that is closed or discarded; empty if nothing is. */
export interface CommentDraft {
  read(at: Position): string;
  save(at: Position, text: string): void;
}

/** A study as stored here: opened for labelling, or created for coordination. The same study can be stored in both roles. */
const Kept = z.object({
  id: z.string(),
  role: z.enum(['annotator', 'coordinator']),
  study: StudySchema,
  openedAt: z.number(),
  /** The current annotator; null until somebody has entered a name. */
  person: z.nullable(z.string()),
  /** Each person's last position. */
  positions: z.record(z.string(), Position),
  /** When each person gave the latest label in the file that they last saved, in milliseconds since 1970. */
  saved: z.record(z.string(), z.number()),
  /** The engine that was last asked. */
  engine: KeptEnginePerson,
  /** People whose labels count for nothing, such as somebody who only tried the study. */
  leftOut: z._default(z.array(z.string()), []),
});
export type StoredStudy = z.infer<typeof Kept>;

/** Who has labelled here: the current annotator first. */
export const peopleHere = ({ person, positions }: Pick<StoredStudy, 'person' | 'positions'>): string[] => [
  ...new Set([...(person === null ? [] : [person]), ...Object.keys(positions).sort()]),
];

const keyOf = (role: PackageRole, study: Study): string => `${role}:${study.id}`;

type StudyChange = Partial<Pick<StoredStudy, 'person' | 'positions' | 'saved' | 'study' | 'engine' | 'leftOut'>>;

export interface StudyShelf {
  readonly store: StoreApi<{ readonly studies: readonly StoredStudy[]; readonly damaged: number }>;
  /** Reloads the stored studies: another tab or a backup may have changed them. */
  refresh(): Promise<void>;
  /**
   * Takes in a package. Opening the same one again changes nothing; a different version of the same study replaces it, but
   * is refused if it changes dialogues that have labels, or takes them from who labelled them. Returns null for a coordinator's copy that differs from the one
   * here, unless `mayReplace`: it may be older.
   */
  open(bytes: Uint8Array, mayReplace?: boolean): Promise<StoredStudy | null>;
  keep(role: PackageRole, study: Study): Promise<StoredStudy>;
  /**
   * Changes are queued, and each is applied to what is stored at that time; a study that was removed stays removed.
   * `isLeaving`: at once and to what is known here, since a page that is closed cannot read first.
   */
  change(id: string, change: (kept: StoredStudy) => StudyChange, isLeaving?: boolean): Promise<void>;
  /**
   * Also removes its labels, unless the study is here in the other role too, and the lessons of its gold, unless it is still
   * here to be coordinated.
   */
  remove(id: string): Promise<void>;
  /** All labels of a study, from everybody, in chronological order. */
  events(study: string): Promise<LabelEvent[]>;
  /** Returns how many were new. */
  add(events: readonly LabelEvent[]): Promise<number>;
  /** Comments that a person is writing in a study, by turn. */
  drafts(study: string, person: string): CommentDraft;
  /** Pauses or resumes learning from corrections made in this tab, which is off while somebody labels. */
  restLearning(rest: boolean): void;
  /** Reads dialogues from files in any form that Import supports, with the parents they name. */
  readonly readDialogues: ReadDialogues;
  readonly now: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  readonly newId: () => string;
}

/** Explains in whole sentences why a package was not taken in. */
class ShelfFailure extends Error {}

/** Dialogues with labels that another version of their study changes, lacks or, for annotators, takes from who labelled them. */
const labelledAndChanged = (
  known: Study,
  other: Study,
  role: PackageRole,
  events: readonly LabelEvent[],
): StudyDialogue[] => {
  const versionOf = (dialogue: StudyDialogue) => `${dialogue.part} ${itemHash(dialogue)}`;
  const versions = new Map(other.dialogues.map((dialogue) => [dialogue.id, versionOf(dialogue)]));
  return known.dialogues.filter((one) => {
    const people = new Set(events.filter(({ dialogue }) => dialogue === one.id).map(({ person }) => person));
    const isTaken = (person: string) => labelsIt(known, person, one) && !labelsIt(other, person, one);
    const hasChanged = versions.get(one.id) !== versionOf(one);
    return people.size > 0 && (hasChanged || (role === 'annotator' && [...people].some(isTaken)));
  });
};

const labelsIt = (study: Study, person: string, { id }: StudyDialogue): boolean =>
  dialoguesFor(study, person).some((one) => one.id === id);

/** Opens the shelf of stored studies. */
export const openShelf = async (kernel: Kernel, actions: Actions): Promise<StudyShelf> => {
  const store: StudyShelf['store'] = createStore(() => ({ studies: [], damaged: 0 }));
  const refresh = async () => {
    const rows = (await kernel.storage.studies()).map((row) => Kept.safeParse(row));
    const studies = rows.flatMap((row) => (row.success ? [row.data] : []));
    store.setState({ studies: studies.sort((a, b) => b.openedAt - a.openedAt), damaged: rows.length - studies.length });
  };
  const found = (id: string) => store.getState().studies.find((one) => one.id === id);
  const written = () => kernel.store.setState(({ studyWrites }) => ({ studyWrites: studyWrites + 1 }));
  const put = async (kept: StoredStudy) => {
    await kernel.storage.saveStudy(kept);
    written();
    await refresh();
    return kept;
  };
  await refresh();
  // Queued, and each begins with what is stored: it builds on the previous change, in this tab or another.
  const queue = new Queue();
  await resumeLearning(kernel, actions);

  const events = async (study: string) =>
    unionOf(
      (await kernel.storage.studyEvents(study)).flatMap((row) => {
        const parsed = LabelEventSchema.safeParse(row);
        return parsed.success ? [parsed.data] : [];
      }),
    );

  const keep: StudyShelf['keep'] = (role, study) =>
    queue.run(async () => {
      const id = keyOf(role, study);
      await refresh();
      const known = found(id);
      return put({
        person: null,
        positions: {},
        saved: {},
        leftOut: [],
        ...known,
        id,
        role,
        study,
        openedAt: kernel.ports.now(),
      });
    });

  const forgetLessons = async (study: Study): Promise<void> => {
    // Changing the storage ends a reply, which nothing else here needs.
    if ((await lessonCount(kernel.storage, study)) === 0) return;
    await actions.changeStorage((storage) => replaceLessonsOf(storage, study, []));
  };

  return {
    store,
    refresh: () => queue.run(refresh),
    keep,
    open: async (bytes, mayReplace = false) => {
      const { study, role } = readPackage(bytes);
      await queue.run(refresh);
      const known = found(keyOf(role, study));
      if (known !== undefined && JSON.stringify(known.study) !== JSON.stringify(study)) {
        const lost = labelledAndChanged(
          known.study,
          study,
          role,
          currentEvents(known.study.dialogues, await events(study.id)),
        );
        if (lost.length > 0) {
          throw new ShelfFailure(
            `Opening this file would lose labels: “${study.name}” is already here, and the file changes, lacks or reassigns dialogues with labels (${lost.map(({ name }) => name).join(', ')}). It may be an older version: then do nothing. To open it anyway, 1. save the labels, 2. make a backup (Backup, among the commands), which keeps everybody’s labels, 3. remove the study here, 4. open the file again.`,
          );
        }
        if (role === 'coordinator' && !mayReplace) return null;
      }
      return keep(role, study);
    },
    change: async (id, change, isLeaving = false) => {
      const known = found(id);
      if (isLeaving && known !== undefined) return void (await put({ ...known, ...change(known) }));
      await queue.run(async () => {
        const isThere = await kernel.storage.changeStudy(id, (row) => {
          const kept = Kept.safeParse(row);
          return kept.success ? { ...kept.data, ...change(kept.data) } : row;
        });
        if (isThere) written();
        await refresh();
      });
    },
    remove: (id) =>
      queue.run(async () => {
        await refresh();
        const known = found(id);
        if (known === undefined) return;
        // Where it is coordinated, they can still be forgotten later.
        const coordinated = keyOf('coordinator', known.study);
        if (id === coordinated || found(coordinated) === undefined) await forgetLessons(known.study);
        await kernel.storage.removeStudy(id);
        written();
        const { studies } = store.getState();
        for (const [person, at] of Object.entries(known.positions))
          draftsOf(kernel, known.study.id, person).save(at, '');
        if (!studies.some((one) => one.id !== id && one.study.id === known.study.id)) {
          const rows = await kernel.storage.studyEvents(known.study.id);
          await kernel.storage.removeStudyEvents(rows.map((row) => row.id));
        }
        await refresh();
      }),
    events,
    add: async (added) => {
      const count = await kernel.storage.addStudyEvents(added);
      if (count > 0) written();
      return count;
    },
    drafts: (study, person) => draftsOf(kernel, study, person),
    restLearning: actions.restLearning,
    readDialogues: kernel.ports.readDialogues,
    now: kernel.ports.now,
    elapsed: kernel.ports.elapsed,
    newId: kernel.ports.newId,
  };
};

const draftsOf = ({ ports: { drafts } }: Kernel, study: string, person: string): CommentDraft => {
  const keyOf = ({ dialogue, turn }: Position) => `comment ${JSON.stringify([study, person, dialogue, turn])}`;
  return { read: (at) => drafts.read(keyOf(at)), save: (at, text) => drafts.save(keyOf(at), text) };
};

/** Set by earlier versions while they had paused learning for everything, and left behind if the tab was closed. */
const MARK = 'learning-rests-for-study';

const resumeLearning = async ({ storage }: Kernel, { pauseLearning }: Actions): Promise<void> => {
  if ((await storage.setting(MARK)) !== true) return;
  await storage.saveSetting(MARK, false);
  await pauseLearning(false);
};
