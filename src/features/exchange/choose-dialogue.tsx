import { Play } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Dialogue } from '../../engine/ports.ts';
import { Button } from '../../ui/parts/button.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { ChosenFile } from './chosen-file.tsx';
import styles from './import.module.css';

/** Rows drawn at once; searching narrows further. */
const ROWS = 100;

/** The dialogues of a file, to replay one of them. */
export const ChooseDialogue = ({
  name,
  dialogues,
  onBack,
  onReplay,
}: {
  name: string;
  dialogues: readonly Dialogue[];
  onBack: () => void;
  onReplay: (dialogue: Dialogue) => void;
}) => {
  const [sought, setSought] = useState('');
  const words = useDeferredValue(sought.trim().toLowerCase());
  const found = useMemo(
    () => dialogues.filter(({ title, turns }) => `${title} ${turns[0]?.message ?? ''}`.toLowerCase().includes(words)),
    [dialogues, words],
  );
  return (
    <>
      <ChosenFile name={name} holds={counted(dialogues.length, 'dialogue')} onBack={onBack} />
      {dialogues.length > 5 && <SearchField label="Search the dialogues" value={sought} onChange={setSought} />}
      <ul aria-label="Dialogues" className={styles.dialogues}>
        {found.slice(0, ROWS).map((dialogue) => (
          <li key={dialogues.indexOf(dialogue)} className={styles.dialogue}>
            <div>
              <b>{dialogue.title}</b>
              <p>{dialogue.turns[0]?.message}</p>
              <small>
                {counted(dialogue.turns.length, 'turn')} · {repliesOf(dialogue)}
              </small>
            </div>
            <Button
              look={dialogues.length === 1 ? 'primary' : 'outline'}
              aria-label={dialogues.length === 1 ? 'Replay' : `Replay ${dialogue.title}`}
              onClick={() => onReplay(dialogue)}
            >
              <Play size={12} fill="currentColor" aria-hidden />
              Replay
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {found.length === 0
          ? 'No dialogue has these words.'
          : found.length > ROWS && `The first ${ROWS} of ${count(found.length)}: search to find the others.`}
      </p>
    </>
  );
};

const repliesOf = ({ turns }: Dialogue): string => {
  const given = turns.filter((turn) => turn.reply !== null).length;
  if (given === turns.length) return 'replies given';
  return given === 0 ? 'no replies: the chat model answers' : `${given} replies given, the chat model answers the rest`;
};
