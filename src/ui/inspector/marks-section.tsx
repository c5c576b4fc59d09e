import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import styles from './marks-section.module.css';
import { Section } from './section.tsx';

/** Whether a turn is always sent, or never. */
export const MarksSection = ({ node }: { node: Node }) => {
  const { pinTurn, hideTurns } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  return (
    <Section title="In the context">
      <Switch
        label="Pinned"
        hint="In full in every context."
        on={node.pinned}
        disabled={readOnly}
        onChange={(on) => void pinTurn(node.id, on)}
      />
      <Switch
        label="Hidden"
        hint="In no context: no model sees it. Goes before pinned."
        on={node.hidden}
        disabled={readOnly}
        onChange={(on) => void hideTurns([node.id], on)}
      />
    </Section>
  );
};

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

const Switch = ({ label, hint, on, disabled, onChange }: SwitchProps) => (
  <label className={styles.switch}>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={on}
      aria-checked={on}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label} <span className={styles.hint}>{hint}</span>
    </span>
  </label>
);
