import { useEffect, useMemo, useRef, useState } from 'react';
import { folded, textFilter } from '../../app/search-words.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { CANVAS_KEYS, CANVAS_POINTER, canvasCommandOf as onCanvas } from '../../ui/canvas/canvas-keys.ts';
import { COMMAND_GROUPS, type Command } from '../../ui/commands/command.ts';
import type { CommandId } from '../../ui/commands/default-keys.ts';
import { useFeatures } from '../../ui/commands/feature.ts';
import { setSingleKeys, useKeymap, useSingleKeys } from '../../ui/commands/keymap.ts';
import { isCharacter, keystrokeLabel, onMac, strokeOf, whyNotKey } from '../../ui/commands/keystroke.ts';
import { Button } from '../../ui/parts/button.tsx';
import { isComposing } from '../../ui/parts/composing.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Checkbox, SearchField } from '../../ui/parts/fields.tsx';
import { Heading, Hint, Key } from '../../ui/parts/text.tsx';
import { commandsOf } from '../../ui/shell/commands/registry.ts';
import styles from './shortcuts-dialog.module.css';

/** Navigation keys of specific areas; these cannot be changed. */
const FIXED = [
  {
    title: 'In the message',
    shortcuts: [
      { keys: ['Enter'], action: 'Send' },
      { keys: ['Shift Enter'], action: 'New line' },
      { keys: ['↑'], action: 'In an empty field: edit the last message' },
    ],
  },
  {
    title: 'In the outline',
    shortcuts: [
      { keys: ['↑', '↓'], action: 'Move through topics and turns' },
      { keys: ['←', '→'], action: 'Close and open what is under one' },
      { keys: ['Enter'], action: 'Select the turn; press again to continue from it' },
      { keys: ['F2'], action: 'Rename the topic' },
    ],
  },
  {
    title: 'While presenting',
    shortcuts: [
      { keys: ['→', '←'], action: 'Next scene, previous scene' },
      { keys: ['Home', 'End'], action: 'First scene, last scene' },
      { keys: ['+', '-'], action: 'Larger text, smaller text' },
      { keys: ['F'], action: 'Full screen' },
      { keys: ['N'], action: 'Show your notes' },
      { keys: ['P'], action: 'Ring around the pointer' },
      { keys: ['E'], action: 'Edit the scenes' },
    ],
  },
  { title: 'On the canvas', shortcuts: [...CANVAS_KEYS, ...CANVAS_POINTER] },
];

/** Every command with its keys, which the user can change. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { changeKeys, announce } = useActions();
  const features = useFeatures();
  const keymap = useKeymap();
  const own = useApp((state) => state.keys);
  const single = useSingleKeys();
  const [sought, setSought] = useState('');
  const [recording, setRecording] = useState<CommandId | null>(null);
  const mac = onMac();

  const groups = useMemo(() => {
    const isFound = textFilter(sought);
    const keysOf = (command: Command): string =>
      keymap
        .keysOf(command.id, own)
        .map((stroke) => keystrokeLabel(stroke, mac))
        .join(' ');
    const commands = commandsOf(features);
    // Keys pressed together are sought as they are written: `ctrl o` is not any Ctrl with any O.
    const keys = folded(sought.trim());
    const byKeys = keys.includes(' ') ? commands.filter((command) => folded(keysOf(command)).includes(keys)) : [];
    const byWords = ({ words, also = '', group }: Command, held: string) =>
      isFound(`${words} ${also} ${group} ${held}`);
    const found = byKeys.length > 0 ? byKeys : commands.filter((command) => byWords(command, keysOf(command)));
    return COMMAND_GROUPS.map((group) => ({
      group,
      listed: found.filter((command) => command.group === group),
    })).filter(({ listed }) => listed.length > 0);
  }, [sought, features, keymap, own, mac]);

  return (
    <Dialog
      title="Shortcuts"
      description="Choose a command’s keys to change them."
      onClose={onClose}
      size="wide"
      actions={
        <Button
          disabled={Object.keys(own).length === 0}
          onClick={({ currentTarget }) => {
            // It has nothing left to reset, and a disabled button loses the focus.
            currentTarget.closest<HTMLElement>('[role="dialog"]')?.focus();
            setRecording(null);
            void changeKeys(() => ({}));
            announce('All keys were reset to their defaults.');
          }}
        >
          Reset all
        </Button>
      }
    >
      <SearchField
        label="Search commands and keys"
        value={sought}
        onChange={setSought}
        // What is typed there is no command's new keys.
        onFocus={() => setRecording(null)}
      />
      <div className={styles.columns}>
        {groups.map(({ group, listed }) => (
          <section key={group} aria-label={group} className={styles.group}>
            <Heading>{group}</Heading>
            <ul>
              {listed.map((command) => (
                <ShortcutRow
                  key={command.id}
                  command={command}
                  recording={recording === command.id}
                  onRecord={(on) => setRecording(on ? command.id : null)}
                />
              ))}
            </ul>
          </section>
        ))}
        {sought.trim() === '' &&
          FIXED.map(({ title, shortcuts }) => (
            <section key={title} aria-label={title} className={styles.group}>
              <Heading>{title}</Heading>
              <dl className={styles.keys}>
                {shortcuts.map(({ keys, action }) => (
                  <div key={action}>
                    <dt>{action}</dt>
                    <dd>
                      {keys.map((key) => (
                        <Key key={key}>{key}</Key>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <div role="status">{groups.length === 0 && <Hint>No commands match these words.</Hint>}</div>
      <Checkbox on={single} onChange={setSingleKeys}>
        Single keys such as / and ? work. Turn them off if you use voice control.
      </Checkbox>
    </Dialog>
  );
};

interface Props {
  readonly command: Command;
  /** Whether it is recording new keys. */
  readonly recording: boolean;
  readonly onRecord: (on: boolean) => void;
}

/** A command and its keys; pressing it starts recording new ones. */
const ShortcutRow = ({ command, recording, onRecord }: Props) => {
  const own = useApp((state) => state.keys);
  const keymap = useKeymap();
  const mac = onMac();
  const main = useRef<HTMLButtonElement>(null);
  const held = keymap.keysOf(command.id, own).map((stroke) => keystrokeLabel(stroke, mac));
  return (
    <li className={styles.row} data-recording={recording}>
      <button
        ref={main}
        type="button"
        className={styles.command}
        aria-expanded={recording}
        aria-label={`${command.words}: ${held.length === 0 ? 'no keys' : held.join(' or ')}. Change the keys`}
        onClick={() => onRecord(!recording)}
      >
        <span>{command.words}</span>
        <span className={styles.held} data-own={own[command.id] !== undefined}>
          {held.length === 0 ? (
            <span className={styles.none}>–</span>
          ) : (
            held.map((keys) => <Key key={keys}>{keys}</Key>)
          )}
        </span>
      </button>
      {recording && (
        <Recorder
          command={command}
          onDone={() => {
            onRecord(false);
            main.current?.focus();
          }}
        />
      )}
    </li>
  );
};

const Recorder = ({ command, onDone }: { command: Command; onDone: () => void }) => {
  const { changeKeys, announce } = useActions();
  const commands = commandsOf(useFeatures());
  const keymap = useKeymap();
  const own = useApp((state) => state.keys);
  const single = useSingleKeys();
  /** Keys that were pressed but not assigned: another command has them, or they cannot be used. */
  const [pressed, setPressed] = useState<string | null>(null);
  const mac = onMac();

  const give = (stroke: string) => {
    void changeKeys((now) => keymap.withKey(now, command.id, stroke));
    announce(`${command.words}: ${keystrokeLabel(stroke, mac)}.`);
    onDone();
  };
  useRecorder((stroke) => {
    const holder = keymap.commandWith(stroke, own);
    const free = whyNotKey(stroke) === null && (holder === null || holder === command.id);
    if (free && !takenOnCanvas(stroke)) give(stroke);
    else setPressed(stroke);
  }, onDone);

  const refusal = pressed === null ? null : whyNotKey(pressed);
  const holder = pressed === null ? null : keymap.commandWith(pressed, own);
  const holderWords = holder === command.id ? null : commands.find(({ id }) => id === holder)?.words;
  return (
    <div className={styles.recorder}>
      <p role="status">
        {pressed === null && 'Press the new keys. Esc cancels.'}
        {pressed !== null && (
          <>
            <Key>{keystrokeLabel(pressed, mac)}</Key>{' '}
            {refusal ??
              (holderWords === undefined || holderWords === null
                ? 'does something else while the canvas has focus.'
                : `belongs to “${holderWords}”.`)}
          </>
        )}
        {pressed !== null && refusal === null && isCharacter(pressed) && !single && ' Single keys are off.'}
      </p>
      <div className={styles.ways}>
        {pressed !== null && refusal === null && (
          <Button size="small" look="primary" onClick={() => give(pressed)}>
            {holderWords == null ? 'Use anyway' : 'Reassign'}
          </Button>
        )}
        {keymap.keysOf(command.id, own).length > 0 && (
          <Button
            size="small"
            onClick={() => {
              void changeKeys((now) => keymap.withNoKey(now, command.id));
              onDone();
            }}
          >
            No keys
          </Button>
        )}
        {own[command.id] !== undefined && (
          <Button
            size="small"
            onClick={() => {
              void changeKeys((now) => keymap.withDefault(now, command.id));
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

/** Characters that the canvas handles itself while focused. */
const takenOnCanvas = (stroke: string): boolean =>
  stroke.length === 1 &&
  onCanvas({ key: stroke.toLowerCase(), ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }) !== null;

/**
 * Captures every keystroke before anything else while mounted, so that recorded keys have no effect. Escape cancels; Tab,
 * Enter and Space without modifiers still work on buttons.
 */
const useRecorder = (onStroke: (stroke: string) => void, onCancel: () => void): void => {
  const latest = useRef({ onStroke, onCancel });
  latest.current = { onStroke, onCancel };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const stroke = strokeOf(event);
      const walks = stroke === 'Tab' || stroke === 'Shift+Tab';
      const onButton = (stroke === 'Enter' || stroke === 'Space') && event.target instanceof HTMLButtonElement;
      if (isComposing(event) || walks || onButton) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (stroke === 'Escape') latest.current.onCancel();
      else if (stroke !== null && !event.repeat) latest.current.onStroke(stroke);
    };
    // On the window in the capture phase, before the dialog's own Escape handler.
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  }, []);
};
