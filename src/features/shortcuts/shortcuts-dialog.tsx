import { useMemo, useState } from 'react';
import { useActions, useApp } from '../../ui/app-context.ts';
import { CANVAS_KEYS, CANVAS_POINTER } from '../../ui/canvas/canvas-keys.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import styles from '../../ui/parts/dialogs.module.css';
import { Checkbox, SearchField } from '../../ui/parts/fields.tsx';
import { GROUPS } from '../../ui/shell/commands/command.ts';
import type { CommandId } from '../../ui/shell/commands/default-keys.ts';
import { keysOf } from '../../ui/shell/commands/keymap.ts';
import { inWords, onMac } from '../../ui/shell/commands/keystroke.ts';
import { commands } from '../../ui/shell/commands/registry.ts';
import { setSingleKeys, useSingleKeys } from '../../ui/shell/single-keys.ts';
import { ShortcutRow } from './shortcut-row.tsx';
import rows from './shortcuts.module.css';

/** Keys that belong to a place and walk through it, as everywhere. */
const FIXED = [
  {
    title: 'In the message',
    shortcuts: [
      { keys: ['Enter'], does: 'Send' },
      { keys: ['Shift Enter'], does: 'New line' },
    ],
  },
  {
    title: 'In the outline',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Go through topics and turns' },
      { keys: ['←', '→'], does: 'Close and open what is under one' },
      { keys: ['Enter'], does: 'Select the turn; once more: go on from it' },
      { keys: ['F2'], does: 'Rename the topic' },
    ],
  },
  { title: 'On the canvas', shortcuts: [...CANVAS_KEYS, ...CANVAS_POINTER] },
];

/** Every command with its keys, which the person can change. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { setKeys, announce } = useActions();
  const own = useApp((state) => state.keys);
  const single = useSingleKeys();
  const [sought, setSought] = useState('');
  const [recording, setRecording] = useState<CommandId | null>(null);
  const mac = onMac();

  const words = sought.trim().toLowerCase();
  const groups = useMemo(
    () =>
      GROUPS.map((group) => ({
        group,
        listed: commands.filter((command) => {
          const keys = keysOf(command.id, own).map((stroke) => inWords(stroke, mac));
          const text = `${command.words} ${command.also ?? ''} ${command.group} ${keys.join(' ')}`.toLowerCase();
          return command.group === group && text.includes(words);
        }),
      })).filter(({ listed }) => listed.length > 0),
    [words, own, mac],
  );

  return (
    <Dialog
      title="Shortcuts"
      description="Choose a command’s keys to give it others."
      onClose={onClose}
      size="wide"
      actions={
        <Button
          disabled={Object.keys(own).length === 0}
          onClick={() => {
            setRecording(null);
            void setKeys({});
            announce('All keys are as they came.');
          }}
        >
          Reset all
        </Button>
      }
    >
      <SearchField label="Search commands and keys" value={sought} onChange={setSought} />
      <div className={rows.columns}>
        {groups.map(({ group, listed }) => (
          <section key={group} aria-label={group} className={rows.group}>
            <h3>{group}</h3>
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
        {words === '' &&
          FIXED.map(({ title, shortcuts }) => (
            <section key={title} aria-label={title} className={rows.group}>
              <h3>{title}</h3>
              <dl className={styles.keys}>
                {shortcuts.map(({ keys, does }) => (
                  <div key={does}>
                    <dt>{does}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      {groups.length === 0 && <p className={styles.note}>No command has these words.</p>}
      <Checkbox on={single} onChange={setSingleKeys}>
        Single keys such as / and ? work. Turn them off if you speak to your computer.
      </Checkbox>
    </Dialog>
  );
};
