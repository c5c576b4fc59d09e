import type { Cue } from '../../engine/place/cues.ts';

type Cues = ReadonlyMap<Cue, string>;

/** The message asks what a stranger could be asked as well; weighing a choice of one's own is another matter. */
export const asksInGeneral = (cues: Cues): boolean => cues.has('asks in general') && !cues.has('weighs a choice');

/** The message asks how the world is, and not for a detail of what was just spoken of. */
export const asksForKnowledge = (cues: Cues): boolean => cues.has('asks for knowledge') && !cues.has('weighs a choice');

/** The message does something: it instructs, decides or changes. */
export const isAct = (cues: Cues): boolean =>
  (cues.has('instructs') || cues.has('decides') || cues.has('revises')) && !asksInGeneral(cues);

/** The message gives the assistant something to make. */
export const setsTask = (cues: Cues): boolean => cues.has('assigns a role') || (cues.has('sets a task') && isAct(cues));
