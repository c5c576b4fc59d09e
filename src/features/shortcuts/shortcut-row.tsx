import { useState } from 'react';
import { useActions, useApp } from '../../ui/app-context.ts';
import { commandOf as onCanvas } from '../../ui/canvas/canvas-keys.ts';
import { Button } from '../../ui/parts/button.tsx';
import type { Command } from '../../ui/shell/commands/command.ts';
import { commandWith, isOwn, keysOf, withDefault, withKey, withNoKey } from '../../ui/shell/commands/keymap.ts';
import { inWords, isCharacter, onMac, whyNotKey } from '../../ui/shell/commands/keystroke.ts';
import { commands } from '../../ui/shell/commands/registry.ts';
import { useSingleKeys } from '../../ui/shell/single-keys.ts';
import styles from './shortcuts.module.css';
import { useRecorder } from './use-recorder.ts';

interface Props {
  readonly command: Command;
  /** Its new keys are being pressed. */
  readonly recording: boolean;
  readonly onRecord: (on: boolean) => void;
}

/** A command and its keys; pressed, it waits for others. */
export const ShortcutRow = ({ command, recording, onRecord }: Props) => {
  const own = useApp((state) => state.keys);
  const mac = onMac();
  const held = keysOf(command.id, own).map((stroke) => inWords(stroke, mac));
  return (
    <li className={styles.row} data-recording={recording}>
      <button
        type="button"
        className={styles.command}
        aria-expanded={recording}
        aria-label={`${command.words}: ${held.length === 0 ? 'no keys' : held.join(' or ')}. Change the keys`}
        onClick={() => onRecord(!recording)}
      >
        <span>{command.words}</span>
        <span className={styles.held} data-own={isOwn(own, command.id)}>
          {held.length === 0 ? (
            <span className={styles.none}>–</span>
          ) : (
            held.map((keys) => <kbd key={keys}>{keys}</kbd>)
          )}
        </span>
      </button>
      {recording && <Recorder command={command} onDone={() => onRecord(false)} />}
    </li>
  );
};

const Recorder = ({ command, onDone }: { command: Command; onDone: () => void }) => {
  const { setKeys, announce } = useActions();
  const own = useApp((state) => state.keys);
  const single = useSingleKeys();
  /** Keys that were pressed but not given yet: another command has them, or nobody can. */
  const [pressed, setPressed] = useState<string | null>(null);
  const mac = onMac();

  const give = (stroke: string) => {
    void setKeys(withKey(own, command.id, stroke));
    announce(`${command.words}: ${inWords(stroke, mac)}.`);
    onDone();
  };
  useRecorder((stroke) => {
    const holder = commandWith(stroke, own);
    const free = whyNotKey(stroke) === null && (holder === null || holder === command.id);
    if (free && !takenOnCanvas(stroke)) give(stroke);
    else setPressed(stroke);
  }, onDone);

  const refusal = pressed === null ? null : whyNotKey(pressed);
  const holder = pressed === null ? null : commandWith(pressed, own);
  const holderWords = holder === command.id ? null : commands.find(({ id }) => id === holder)?.words;
  return (
    <div className={styles.recorder}>
      <p role="status">
        {pressed === null && 'Press the new keys. Esc leaves them as they are.'}
        {pressed !== null && (
          <>
            <kbd>{inWords(pressed, mac)}</kbd>{' '}
            {refusal ??
              (holderWords === undefined || holderWords === null
                ? 'means something else while the canvas has the focus.'
                : `belongs to “${holderWords}”.`)}
          </>
        )}
        {pressed !== null && refusal === null && isCharacter(pressed) && !single && ' Single keys are off.'}
      </p>
      <div className={styles.ways}>
        {pressed !== null && refusal === null && (
          <Button size="small" look="primary" onClick={() => give(pressed)}>
            {holderWords == null ? 'Use them all the same' : 'Take them from it'}
          </Button>
        )}
        {keysOf(command.id, own).length > 0 && (
          <Button
            size="small"
            onClick={() => {
              void setKeys(withNoKey(own, command.id));
              onDone();
            }}
          >
            No keys
          </Button>
        )}
        {isOwn(own, command.id) && (
          <Button
            size="small"
            onClick={() => {
              void setKeys(withDefault(own, command.id));
              onDone();
            }}
          >
            Reset
          </Button>
        )}
        <Button size="small" look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
};

/** Characters that the canvas takes for itself while it has the focus. */
const takenOnCanvas = (stroke: string): boolean =>
  stroke.length === 1 &&
  onCanvas({ key: stroke.toLowerCase(), ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }) !== null;
