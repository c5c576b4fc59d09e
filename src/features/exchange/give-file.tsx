import { FileUp, TriangleAlert } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import type { ImportFailure } from '../../engine/ports.ts';
import { Button } from '../../ui/parts/button.tsx';
import styles from './import.module.css';

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
