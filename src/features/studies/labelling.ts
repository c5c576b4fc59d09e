import { createStore, type StoreApi } from 'zustand/vanilla';
import { clamp } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { type LabelEvent, labelsOf, previousLabel, timeAfter, undoable, unionOf, workOf } from './label-events.ts';
import {
  areCompatible,
  type EngineLabel,
  itemHash,
  type Parent,
  parentsFor,
  placementFor,
  type StudyDialogue,
  type StudyLabel,
  type StudyPlacement,
} from './study.ts';
import type { CommentDraft, Position } from './study-shelf.ts';

/** The label that a person is about to give a turn. */
export interface LabelDraft {
  /** Confirmed parents, the first one being the main parent: those before the last "another parent". */
  readonly fixed: readonly number[];
  readonly cursor: Parent | null;
  /** Chosen by the person; null if it follows from the parent. */
  readonly placement: StudyPlacement | null;
  readonly tags: readonly string[];
  readonly unsure: boolean;
}

const NOTHING: LabelDraft = { fixed: [], cursor: null, placement: null, tags: [], unsure: false };

interface LabellingState {
  /** The person's own events, in chronological order. */
  readonly events: readonly LabelEvent[];
  /** The current label events of each dialogue's turns. */
  readonly held: ReadonlyMap<string, readonly (LabelEvent | undefined)[]>;
  /** `dialogue`: index among the person's dialogues; `turn`: the current one. */
  readonly dialogue: number;
  readonly turn: number;
  readonly choice: LabelDraft;
  /** The choice as it was when the turn was opened. */
  readonly offered: LabelDraft;
  /** Whether the author's label is on screen: in training, once a turn is labelled. */
  readonly feedback: boolean;
  /** The comment being written for the turn; null if none is. */
  readonly comment: string | null;
  /** Whether everything is labelled and no turn is being revisited. */
  readonly done: boolean;
  /** The last message about a key press, for the status line. */
  readonly remark: string;
  /** Set if a label could not be stored. */
  readonly failure: string | null;
}

export interface LabellingSource {
  readonly study: string;
  readonly mode: LabelEvent['mode'];
  readonly person: string;
  /** The person's dialogues, in their order. */
  readonly dialogues: readonly StudyDialogue[];
  readonly events: readonly LabelEvent[];
  readonly position: Position | null;
  readonly clock: WorkClock;
  now(): number;
  newId(): string;
  /** Stores the newest event, with those that could not be stored before. */
  save(events: readonly LabelEvent[]): Promise<unknown>;
  moved(position: Position): Promise<unknown>;
  readonly draft: CommentDraft;
}

/** One person labelling their dialogues, turn by turn. */
export interface Labelling {
  readonly store: StoreApi<LabellingState>;
  readonly dialogues: readonly StudyDialogue[];
  readonly mode: LabelEvent['mode'];
  readonly clock: WorkClock;
  /** -1 moves to the previous turn, 1 to the next; without a cursor, moves to the newest. */
  moveCursor(by: number): void;
  pick(parent: Parent): void;
  place(placement: StudyPlacement): void;
  /** Keeps the current pick and allows another turn to be picked as well. */
  another(): void;
  toggleUnsure(): void;
  toggleTag(tag: string): void;
  takeEngine(): void;
  /** Saves the choice and goes on. */
  link(): void;
  /** Begins a comment, or an edit of the one that the turn is flagged with. */
  startComment(): void;
  /** Whatever is written when the turn is left flags it; null discards it. */
  writeComment(comment: string | null): void;
  /** An empty comment removes the flag. */
  flag(comment: string): void;
  clear(): void;
  /** Discards what was picked since the turn was opened. */
  reset(): void;
  undo(): void;
  redo(): void;
  goTo(dialogue: number, turn?: number): void;
  /** Once everything is labelled: goes on with the review where it was left, or begins one with the dialogue's first turn. */
  review(): void;
  nextUnlabelled(): void;
  /** Keeps a comment that is being written; to be called when labelling is left. */
  leave(): void;
}

/** The label that a choice results in; null while nothing is picked. */
export const labelOf = (choice: LabelDraft, labels: readonly (StudyLabel | null)[]): StudyLabel | null => {
  const { fixed, cursor, tags, unsure } = choice;
  const [first, ...more] = fixed;
  const parent = first ?? cursor;
  if (parent === null) return null;
  const further = typeof cursor === 'number' && first !== undefined && !fixed.includes(cursor) ? [cursor] : [];
  return {
    placement: choice.placement ?? placementFor(labels, parent),
    parent,
    furtherParents: [...more, ...further].sort((a, b) => a - b),
    tags: [...tags],
    unsure,
  };
};

const choiceOf = (label: StudyLabel | null, turn: number): LabelDraft => {
  // The very first turn cannot continue from anything here.
  if (label === null) return turn === 0 ? { ...NOTHING, cursor: 'new-topic' } : NOTHING;
  const { parent, furtherParents, placement, tags, unsure } = label;
  const fixed = furtherParents.length > 0 && typeof parent === 'number' ? [parent, ...furtherParents.slice(0, -1)] : [];
  return { fixed, cursor: furtherParents.at(-1) ?? parent, placement, tags, unsure };
};

const same = (a: StudyLabel | null, b: StudyLabel | null): boolean => JSON.stringify(a) === JSON.stringify(b);

const heldBy = (events: readonly LabelEvent[], dialogues: readonly StudyDialogue[]): LabellingState['held'] => {
  const held = new Map(dialogues.map(({ id }) => [id, [] as (LabelEvent | undefined)[]]));
  for (const event of labelsOf(events)) {
    const turns = held.get(event.dialogue);
    if (turns !== undefined) turns[event.turn] = event;
  }
  return held;
};

/** How many labels a file lacks that was saved at this time: new ones and changed ones, however often. */
export const unsavedLabels = (
  { events, held }: Pick<LabellingState, 'events' | 'held'>,
  dialogues: readonly StudyDialogue[],
  saved: number,
): number => {
  const before = heldBy(
    events.filter(({ at }) => at <= saved),
    dialogues,
  );
  const isNew = (event: LabelEvent | undefined): boolean =>
    event !== undefined &&
    event.label !== null &&
    !same(event.label, before.get(event.dialogue)?.[event.turn]?.label ?? null);
  return [...held.values()].flat().filter(isNew).length;
};

/** The first turn without a label; null if all have one. */
export const firstUnlabelled = ({ held }: LabellingState, { id, turns }: StudyDialogue): number | null => {
  const at = turns.findIndex((_, turn) => (held.get(id)?.[turn]?.label ?? null) === null);
  return at === -1 ? null : at;
};

/** The labels of a dialogue's turns before `turn`. */
export const labelsBefore = ({ held }: LabellingState, { id }: StudyDialogue, turn: number): (StudyLabel | null)[] =>
  Array.from({ length: turn }, (_, at) => held.get(id)?.[at]?.label ?? null);

/** Whether the training is complete: until then, nothing else is labelled. */
const isTrained = (state: LabellingState, dialogues: readonly StudyDialogue[]): boolean =>
  dialogues.every((dialogue) => dialogue.part === 'work' || firstUnlabelled(state, dialogue) === null);

export const createLabelling = (source: LabellingSource): Labelling => {
  const { dialogues, mode, clock } = source;
  // In another version of the study, a dialogue may have been somebody else's, or of another part.
  const parts = new Map(dialogues.map(({ id, part }) => [id, part]));
  const own = workOf(source.person, source.events).filter(({ dialogue, phase }) => parts.get(dialogue) === phase);
  const store: Labelling['store'] = createStore(() => ({
    events: own,
    held: heldBy(own, dialogues),
    dialogue: 0,
    turn: 0,
    choice: NOTHING,
    offered: NOTHING,
    feedback: false,
    comment: null,
    done: false,
    remark: '',
    failure: null,
  }));
  const get = store.getState;
  const set = (change: Partial<LabellingState>) => store.setState({ remark: '', ...change });
  const here = (): StudyDialogue => dialogues[get().dialogue] as StudyDialogue;
  const held = () => get().held.get(here().id)?.[get().turn];
  const labels = () => labelsBefore(get(), here(), get().turn);
  const position = (): Position => ({ dialogue: here().id, turn: get().turn });
  const engine = (): EngineLabel | null => (mode === 'assisted' ? (here().engine?.[get().turn] ?? null) : null);

  /**
   * Milliseconds of work with each turn on screen since its last label or comment. Whoever sees there that another one is
   * wrong leaves it and comes back.
   */
  const spent = new Map<string, number>();
  /** How much of the clock’s time is in there. */
  let counted = 0;
  const keyOf = ({ dialogue, turn }: Position): string => JSON.stringify([dialogue, turn]);
  const countTime = () => {
    clock.touch();
    const worked = clock.worked();
    // At the end, no turn is on screen.
    if (!get().done) spent.set(keyOf(position()), (spent.get(keyOf(position())) ?? 0) + worked - counted);
    counted = worked;
  };

  /** Whether a placement key put the cursor where it is. */
  let suggested = false;
  const show = (dialogue: number, turn: number, remark = '') => {
    const of = dialogues[dialogue];
    if (of === undefined) return;
    suggested = false;
    if (dialogue !== get().dialogue || turn !== get().turn) leave();
    countTime();
    const label = get().held.get(of.id)?.[turn]?.label ?? null;
    const feedback = label !== null && of.part === 'training' && of.gold?.[turn] != null;
    const choice = choiceOf(label, turn);
    // A tab may have been closed while it was written.
    const comment = get().comment ?? (source.draft.read({ dialogue: of.id, turn }) || null);
    set({ dialogue, turn, choice, offered: choice, feedback, comment, done: false, remark });
    moved({ dialogue: of.id, turn });
  };
  const moved = (to: Position) =>
    void source.moved(to).catch((error: unknown) => set({ failure: errorMessage(error) }));

  const emit = (change: Pick<LabelEvent, 'label' | 'comment' | 'of'>, dialogue: StudyDialogue, turn: number) => {
    const { events } = get();
    const shown = dialogue.engine?.[turn];
    countTime();
    const key = keyOf({ dialogue: dialogue.id, turn });
    const onTurn = Math.round(spent.get(key) ?? 0);
    // What is undone or redone is not read again.
    if (change.of === undefined) spent.delete(key);
    const event: LabelEvent = {
      id: source.newId(),
      study: source.study,
      person: source.person,
      dialogue: dialogue.id,
      itemHash: itemHash(dialogue),
      turn,
      at: timeAfter(events, source.now()),
      worked: Math.round(clock.take()),
      mode,
      label: change.label,
      phase: dialogue.part,
      ...(change.comment === undefined || change.comment === '' ? {} : { comment: change.comment }),
      ...(change.of === undefined ? { onTurn } : { of: change.of }),
      ...(mode === 'assisted' && shown != null ? { shown } : {}),
    };
    counted = 0;
    const all = [...events, event];
    set({ events: all, held: heldBy(all, dialogues) });
    save(event);
  };

  let unsaved: readonly LabelEvent[] = [];
  const save = (event: LabelEvent) => {
    const sent = [...unsaved, event];
    source.save(sent).then(
      () => {
        unsaved = unsaved.filter((one) => !sent.includes(one));
        if (unsaved.length === 0 && get().failure !== null) store.setState({ failure: null });
      },
      (error: unknown) => {
        unsaved = unionOf(unsaved, sent);
        store.setState({ failure: errorMessage(error) });
      },
    );
  };

  /** Where to continue: the first turn without a label, starting with this dialogue; null if there is none. */
  const open = (from: number): readonly [number, number] | null => {
    const state = get();
    const order = dialogues.map((_, at) => (from + at) % dialogues.length);
    // Training comes first.
    const parts = isTrained(state, dialogues) ? order : order.filter((at) => dialogues[at]?.part === 'training');
    for (const at of parts) {
      const turn = firstUnlabelled(state, dialogues[at] as StudyDialogue);
      if (turn !== null) return [at, turn];
    }
    return null;
  };

  const writeComment = (comment: string | null) => {
    store.setState({ comment });
    source.draft.save(position(), comment ?? '');
  };
  const flag = (comment: string) => {
    const now = held();
    writeComment(null);
    if ((now?.comment ?? '') === comment.trim()) return;
    emit({ label: now?.label ?? null, comment: comment.trim() }, here(), get().turn);
    store.setState({ remark: comment.trim() === '' ? 'No longer flagged.' : 'Flagged.' });
  };
  const leave = () => {
    const { comment } = get();
    if (comment === null) return;
    if (comment.trim() === '') writeComment(null);
    else flag(comment);
  };

  const isHere = (dialogue: number, turn: number): boolean =>
    !get().done && dialogue === get().dialogue && turn === get().turn;
  const goOn = () => {
    const from = get().dialogue;
    const to = open(from);
    if (to === null) {
      leave();
      countTime();
      // Whoever comes back is where there is nothing left to label, not at the turn that was the last.
      moved({ dialogue: here().id, turn: 0 });
      return set({ done: true, remark: 'Everything is labelled.' });
    }
    const [dialogue, turn] = to;
    show(dialogue, turn, dialogue === from ? '' : `Dialogue ${dialogue + 1} of ${dialogues.length}.`);
  };

  const choose = (change: Partial<LabelDraft>) => set({ choice: { ...get().choice, ...change } });
  const pick = (cursor: Parent) => {
    suggested = false;
    const { fixed, placement } = get().choice;
    // The placement is that of the main parent, which a further one leaves as it is.
    const isFurther = typeof cursor === 'number' && fixed.length > 0;
    choose({ cursor, placement: isFurther ? placement : null, fixed: isFurther ? fixed : [] });
  };

  const step = (event: LabelEvent | undefined, label: Pick<LabelEvent, 'label' | 'comment'>, nothing: string) => {
    if (event === undefined) return set({ remark: nothing });
    const at = dialogues.findIndex(({ id }) => id === event.dialogue);
    const dialogue = dialogues[at];
    if (dialogue === undefined) return;
    emit({ ...label, of: event.id }, dialogue, event.turn);
    show(at, event.turn);
  };

  /** Where to begin: where the person was, unless a new version has more training, or all of it is labelled and they were done. */
  const begin = () => {
    const at = dialogues.findIndex(({ id }) => id === source.position?.dialogue);
    const dialogue = dialogues[at];
    if (dialogue === undefined || source.position === null) return goOn();
    if (dialogue.part === 'work' && !isTrained(get(), dialogues)) return goOn();
    const reach = firstUnlabelled(get(), dialogue);
    if (reach === null && source.position.turn === 0) return goOn();
    show(at, Math.min(source.position.turn, reach ?? Infinity));
  };
  if (dialogues.length > 0) begin();

  return {
    store,
    dialogues,
    mode,
    clock,
    moveCursor: (by) => {
      const { turn, choice } = get();
      if (turn === 0) return set({ remark: 'This is the first turn. Nothing here comes before it.' });
      const from = typeof choice.cursor === 'number' ? choice.cursor : by < 0 ? turn : -1;
      pick(clamp(from + by, 0, turn - 1));
    },
    pick,
    place: (placement) => {
      const { choice } = get();
      const parent = choice.fixed[0] ?? choice.cursor;
      const fits = parent !== null && areCompatible(parent, placement);
      if (fits && !suggested) return choose({ placement });
      const found = parentsFor(labels(), placement);
      // Pressing the same key again moves to the next candidate.
      const last = suggested && choice.placement === placement && parent !== null ? found.indexOf(parent) : -1;
      const cursor = found[(last + 1) % found.length];
      if (cursor === undefined) return set({ remark: NONE_FITS[placement] });
      choose({ cursor, placement, fixed: [] });
      suggested = true;
    },
    another: () => {
      const { fixed, cursor } = get().choice;
      if (typeof cursor !== 'number')
        return set({ remark: 'Choose the first turn it continues, then press M and choose another.' });
      if (!fixed.includes(cursor)) choose({ fixed: [...fixed, cursor] });
      store.setState({ remark: 'Which other turn does it continue?' });
    },
    toggleUnsure: () => choose({ unsure: !get().choice.unsure }),
    toggleTag: (tag) => {
      const { tags } = get().choice;
      choose({ tags: tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag] });
    },
    takeEngine: () => {
      const said = engine();
      if (said === null) return;
      suggested = false;
      choose({ fixed: [], cursor: said.parent, placement: said.placement });
    },
    link: () => {
      const { choice, turn, feedback } = get();
      const label = labelOf(choice, labels());
      if (label === null) return set({ remark: 'Choose the turn it continues first: ↑, a number, or N.' });
      const before = held();
      const isNew = !same(before?.label ?? null, label);
      const dialogue = here();
      if (isNew) emit({ label, ...(before?.comment === undefined ? {} : { comment: before.comment }) }, dialogue, turn);
      suggested = false;
      const teaches = dialogue.part === 'training' && dialogue.gold?.[turn] != null;
      if (teaches && (isNew || !feedback)) {
        const chosen = choiceOf(label, turn);
        return set({ choice: chosen, offered: chosen, feedback: true });
      }
      // Whoever reviews their labels goes through all of them.
      const at = get().dialogue;
      const following = turn + 1 < dialogue.turns.length ? ([at, turn + 1] as const) : ([at + 1, 0] as const);
      if (before?.label != null && following[0] < dialogues.length && open(at) === null) show(...following);
      else goOn();
    },
    startComment: () => store.setState({ comment: get().comment ?? held()?.comment ?? '' }),
    writeComment,
    flag,
    clear: () => {
      suggested = false;
      const now = held();
      if (now?.label == null) return choose({ ...NOTHING });
      emit({ label: null, ...(now.comment === undefined ? {} : { comment: now.comment }) }, here(), get().turn);
      set({ choice: NOTHING, offered: NOTHING, feedback: false, remark: 'The label was removed.' });
    },
    reset: () => {
      suggested = false;
      set({ choice: get().offered });
    },
    undo: () => {
      const { events } = get();
      const event = undoable(events).past.at(-1);
      step(event, event === undefined ? { label: null } : previousLabel(events, event), 'There is nothing to undo.');
    },
    redo: () => {
      const event = undoable(get().events).future.at(-1);
      step(
        event,
        { label: event?.label ?? null, ...(event?.comment === undefined ? {} : { comment: event.comment }) },
        'There is nothing to redo.',
      );
    },
    goTo: (at, turn) => {
      const dialogue = dialogues[at];
      if (dialogue === undefined)
        return set({ remark: at < 0 ? 'This is the first dialogue.' : 'This is the last dialogue.' });
      if (dialogue.part === 'work' && !isTrained(get(), dialogues)) {
        return set({ remark: 'The training comes first.' });
      }
      const reach = firstUnlabelled(get(), dialogue) ?? dialogue.turns.length - 1;
      const to = clamp(turn ?? reach, 0, reach);
      if (!isHere(at, to)) return show(at, to);
      // Showing it anew would discard what was picked.
      const isLabelled = held()?.label != null;
      if (turn !== undefined && turn < to) set({ remark: 'This is the first turn.' });
      else set({ remark: isLabelled ? 'This is the last turn.' : 'Label this turn first.' });
    },
    review: () => {
      const { dialogue, turn } = get();
      show(dialogue, turn + 1 < here().turns.length ? turn : 0);
    },
    nextUnlabelled: () => {
      const to = open(get().dialogue);
      if (to !== null && isHere(...to)) set({ remark: 'This is the next turn without a label.' });
      else goOn();
    },
    leave,
  };
};

const NONE_FITS: Readonly<Record<StudyPlacement, string>> = {
  'continue-branch': 'There is no turn before it.',
  'create-branch': 'No earlier turn of this topic has been continued yet.',
  'switch-branch': 'There is no other branch in this topic yet.',
  'switch-topic': 'There is no other topic yet.',
  'create-topic': '',
};

/** Pauses longer than this do not count as work, in milliseconds. */
const IDLE = 60_000;

/** Measures work time from activity: at most one minute of any pause counts. */
interface WorkClock {
  /** Records activity. */
  touch(): void;
  /** Call when the page is hidden, and when it is back: nothing in between counts, and what is read afterwards does. */
  shown(isShown: boolean): void;
  /** Milliseconds of work since the last `take`. */
  worked(): number;
  take(): number;
}

/** `now`: a monotonic clock, in milliseconds. */
export const createWorkClock = (now: () => number): WorkClock => {
  let last: number | null = now();
  let counted = 0;
  const touch = () => {
    const at = now();
    if (last !== null) counted += Math.min(at - last, IDLE);
    last = at;
  };
  return {
    touch,
    shown: (isShown) => {
      touch();
      if (!isShown) last = null;
    },
    worked: () => counted,
    take: () => {
      touch();
      const taken = counted;
      counted = 0;
      return taken;
    },
  };
};
