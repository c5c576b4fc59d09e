import { CANVAS_KEYS } from '../canvas/canvas-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shortcutGroups } from '../shell/shortcuts.ts';
import { setSingleKeys, useSingleKeys } from '../shell/single-keys.ts';
import styles from './dialogs.module.css';

const groups = [...shortcutGroups, { title: 'On the canvas', shortcuts: CANVAS_KEYS }];

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const single = useSingleKeys();
  return (
    <Dialog title="Shortcuts" onClose={onClose} size="wide">
      <div className={styles.columns}>
        {groups.map(({ title, shortcuts }) => (
          <section key={title} className={styles.section}>
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
      <label className={styles.check}>
        <input type="checkbox" checked={single} onChange={(event) => setSingleKeys(event.target.checked)} />
        Single keys such as / and ? work. Turn them off if you speak to your computer.
      </label>
    </Dialog>
  );
};
