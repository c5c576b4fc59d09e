import { ArrowLeft, FileUp, Play, TriangleAlert } from 'lucide-react';
import { type DragEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import type { Dialogue, Imported, ImportFailure } from '../../engine/ports.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import styles from './import-dialog.module.css';

interface Parsed {
  readonly name: string;
  readonly imported: Imported;
}

/** From a file or pasted text to a dialogue to replay, or a conversation to open. Changes nothing before that. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  const [parsed, setParsed] = useState<Parsed | null>(null);
  const [failure, setFailure] = useState<{ name: string; failure: ImportFailure } | null>(null);

  const give = (name: string, text: string) => {
    const result = actions.parse(name, text);
    setParsed(result.ok ? { name, imported: result.imported } : null);
    setFailure(result.ok ? null : { name, failure: result.failure });
  };
  const back = () => setParsed(null);

  return (
    <Dialog
      title="Import"
      description="A dialogue to replay through the engine, or a conversation that Coppice exported."
      onClose={onClose}
    >
      {parsed === null && <GiveFile failure={failure} onText={give} onRefused={setFailure} />}
      {parsed?.imported.kind === 'dialogues' && (
        <ChooseDialogue
          name={parsed.name}
          dialogues={parsed.imported.dialogues}
          onBack={back}
          onReplay={(dialogue) => {
            const { backTo } = state().session;
            onClose();
            void actions.replay(dialogue, { running: true, dialog: backTo });
          }}
        />
      )}
      {parsed?.imported.kind === 'conversation' && (
        <OpenConversation name={parsed.name} conversation={parsed.imported} onBack={back} onOpened={onClose} />
      )}
    </Dialog>
  );
};

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

/** A conversation as Coppice exported it, to open as a new one. */
export const OpenConversation = ({
  name,
  conversation,
  onBack,
  onOpened,
}: {
  name: string;
  conversation: Imported & { kind: 'conversation' };
  onBack: () => void;
  onOpened: () => void;
}) => {
  const { adopt } = useActions();
  const { title, entries } = conversation;
  const turns = entries.filter((entry) => entry.event.type === 'message-sent').length;
  return (
    <>
      <ChosenFile name={name} holds="a Coppice conversation" onBack={onBack} />
      <div className={styles.dialogue}>
        <div>
          <b>{title || 'Untitled'}</b>
          <small>
            {counted(turns, 'turn')} · {counted(entries.length, 'entry', 'entries')} of history
          </small>
        </div>
        <Button
          look="primary"
          onClick={() => {
            onOpened();
            void adopt(conversation);
          }}
        >
          Open
        </Button>
      </div>
    </>
  );
};

/** Which file was chosen and what is in it, with the way back to choosing another. */
export const ChosenFile = ({ name, holds, onBack }: { name: string; holds: string; onBack: () => void }) => (
  <div className={styles.chosen}>
    <Button look="quiet" size="small" onClick={onBack}>
      <ArrowLeft size={14} aria-hidden />
      Another file
    </Button>
    <p>
      <b>{name}</b>, {holds}
    </p>
  </div>
);

interface Refused {
  readonly name: string;
  readonly failure: ImportFailure;
}

/** Text dropped, chosen or pasted. */
export const GiveFile = ({
  failure,
  onText,
  onRefused,
}: {
  failure: Refused | null;
  onText: (name: string, text: string) => void;
  onRefused: (refused: Refused) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const id = useId();

  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onText(file.name, await file.text());
    } catch {
      const message =
        'The browser could not read it. Check that it still exists and may be read, then choose it again.';
      onRefused({ name: file.name, failure: { kind: 'broken', line: null, message } });
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };

  return (
    <>
      {failure !== null && <Failure {...failure} />}
      <div
        role="group"
        aria-label="Drop a file"
        className={styles.drop}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp size={22} strokeWidth={1.5} aria-hidden />
        <p>Drop a .json or .jsonl file here</p>
        <Button onClick={() => input.current?.click()}>Choose a file</Button>
        <input
          ref={input}
          type="file"
          aria-label="File"
          tabIndex={-1}
          accept=".json,.jsonl,.ndjson,.txt,application/json"
          className="visually-hidden"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <label className={styles.label} htmlFor={id}>
        Or paste it
      </label>
      <textarea
        id={id}
        className={styles.paste}
        rows={5}
        spellCheck={false}
        placeholder='[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]'
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div className={styles.foot}>
        <p>
          Messages with role and content, as an array, as lines, or under “messages”; or conversation_id with
          user_turns, one a line.
        </p>
        <Button look="primary" disabled={pasted.trim() === ''} onClick={() => onText('Pasted dialogue', pasted)}>
          Read it
        </Button>
      </div>
    </>
  );
};

const Failure = ({ name, failure: { line, message } }: Refused) => (
  <div role="alert" className={styles.failure}>
    <TriangleAlert size={16} aria-hidden />
    <div>
      <b>
        {name} was not understood{line === null ? '' : `, line ${line}`}.
      </b>
      <p>{message}</p>
      <p>Nothing has been changed.</p>
    </div>
  </div>
);
