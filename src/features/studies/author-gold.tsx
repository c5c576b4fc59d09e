import { useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { AnnotateView } from './annotate-view.tsx';
import { type LabelEvent, labelsOf } from './label-events.ts';
import { createLabelling, createWorkClock } from './labelling.ts';
import { itemHash, type Study, type StudyDialogue, type StudyLabel } from './study.ts';
import type { StudyShelf } from './study-shelf.ts';

/** Not a person's name: the author's labels do not count as an annotator's. */
const AUTHOR = 'gold';

/** The author labels a dialogue as others will; the result is its gold. */
export const AuthorGold = ({
  shelf,
  study,
  dialogue,
  onGold,
  onBack,
}: {
  shelf: StudyShelf;
  study: Study;
  dialogue: StudyDialogue;
  onGold: (labels: (StudyLabel | null)[]) => void;
  onBack: () => void;
}) => {
  const [labelling] = useState(() => {
    const { gold: _, engine: __, ...bare } = dialogue;
    const events = (dialogue.gold ?? []).flatMap((label, turn) =>
      label === null ? [] : [goldEvent(study, dialogue, turn, label)],
    );
    return createLabelling({
      study: study.id,
      mode: 'blind',
      person: AUTHOR,
      dialogues: [{ ...bare, part: 'work' }],
      events,
      position: {
        dialogue: dialogue.id,
        turn: events.length === dialogue.turns.length ? 0 : dialogue.turns.length - 1,
      },
      clock: createWorkClock(shelf.elapsed),
      now: shelf.now,
      newId: shelf.newId,
      save: async (saved) => {
        events.push(...saved);
        const held = labelsOf(events);
        onGold(dialogue.turns.map((__, turn) => held.find((one) => one.turn === turn)?.label ?? null));
      },
      moved: async () => undefined,
      draft: { read: () => '', save: () => undefined },
    });
  });
  return (
    <AnnotateView
      labelling={labelling}
      title={`Gold: ${dialogue.name}`}
      tags={study.tags}
      guidelines={study.guidelines}
      back={{ label: 'Back to the study', go: onBack }}
      saving={null}
      end={
        <>
          <h3>Every turn has a gold label.</h3>
          <Button look="primary" onClick={onBack}>
            Back to the study
          </Button>
        </>
      }
    />
  );
};

const goldEvent = (study: Study, dialogue: StudyDialogue, turn: number, label: StudyLabel): LabelEvent => ({
  id: `gold-${turn}`,
  study: study.id,
  person: AUTHOR,
  dialogue: dialogue.id,
  itemHash: itemHash(dialogue),
  turn,
  at: turn,
  worked: 0,
  mode: 'blind',
  label,
  phase: 'work',
});
