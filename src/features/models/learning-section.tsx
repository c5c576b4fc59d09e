import { Download } from 'lucide-react';
import type { Learning } from '../../app/state.ts';
import type { Learned } from '../../engine/place/lessons.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Reasons } from '../../ui/inspector/section.tsx';
import { Button } from '../../ui/parts/button.tsx';
import styles from '../../ui/parts/dialogs.module.css';
import { download } from '../../ui/parts/download.ts';
import { Checkbox } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';

/** What the decider learns from the person: whether, from how much, what, and how to end or keep it. */
export const LearningSection = () => {
  const { letLearn, pauseLearning, forgetLessons, lessonsFile, announce } = useActions();
  const learning = useApp((state) => state.learning);
  const unlearned = learning.learned === null ? null : unlearnedWords(learning.learned);
  const none = learning.corrections + learning.confirmations === 0;
  const save = async () => {
    const file = await lessonsFile();
    if (file === null) return;
    download(file.name, file.text);
    announce(`Saved as ${file.name}.`);
  };
  return (
    <section className={styles.learning} aria-label="Learns from your corrections">
      <Checkbox role="switch" on={learning.on} aria-checked={learning.on} onChange={(on) => void letLearn(on)}>
        Learns from your corrections
      </Checkbox>
      {learning.on && (
        <Checkbox on={learning.paused} onChange={(paused) => void pauseLearning(paused)}>
          Pause learning
        </Checkbox>
      )}
      <p className={styles.note}>{lessonWords(learning)}</p>
      {learning.learned !== null && learning.learned.reasons.length > 0 && (
        <>
          <h4>What it has learned</h4>
          <Reasons reasons={learning.learned.reasons} />
        </>
      )}
      {unlearned !== null && <p className={styles.note}>{unlearned}</p>}
      <div className={styles.row}>
        <Button size="small" disabled={none} onClick={() => void save()}>
          <Download size={14} aria-hidden />
          Export lessons
        </Button>
        <Button size="small" look="danger" disabled={none} onClick={() => void forgetLessons()}>
          Reset
        </Button>
      </div>
    </section>
  );
};

const lessonWords = ({ on, paused, corrections, confirmations, learned }: Learning): string => {
  const kept = `${counted(corrections, 'correction')} and ${counted(confirmations, 'confirmation')}`;
  if (corrections + confirmations === 0) {
    if (on && paused) return 'Labels are kept, nothing is learned.';
    return on
      ? 'No lessons yet. “Change” and “That is right” under a message make one each. They stay in this browser.'
      : 'Off, and no lessons are kept. Corrections still move turns and are kept as labels.';
  }
  if (on && paused) {
    return `Labels are kept, nothing is learned. What it learned before, from ${kept}, still counts.`;
  }
  if (!on) return `Off. ${kept} are kept and do not count until it is on again.`;
  if (learned === null || learned.reasons.length > 0) return `From ${kept}. They stay in this browser.`;
  return `From ${kept}. No common pattern yet: wording counts once two turns share it.`;
};

/** How many corrections taught nothing, and why, in a line; null where all of them are learned. */
export const unlearnedWords = ({ corrections: { of, missed }, share }: Learned): string | null => {
  if (missed === 0) return null;
  const why = 'too little in them distinguishes them from messages that belong elsewhere';
  const held = share < 1 ? ', or learning it would spoil decisions on messages of other kinds' : '';
  return `${missed} of ${counted(of, 'correction')} ${missed === 1 ? 'is' : 'are'} not learned: ${why}${held}.`;
};
