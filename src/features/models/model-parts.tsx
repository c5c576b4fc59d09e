import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import type { Offer, RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { ROLE_WORDS, shareOf } from '../../ui/parts/model-words.ts';
import { ProgressRing } from '../../ui/parts/progress.tsx';
import { Hint } from '../../ui/parts/text.tsx';
import forms from './forms.module.css';
import styles from './models.module.css';
import { sameChoice } from './offer-list.ts';
import { useChoose, useTask } from './use-models.ts';

/** Short facts on one subdued line. */
export const FactsLine = ({ facts }: { facts: readonly string[] }) =>
  facts.length > 0 && (
    <p className={styles.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );

/** A labelled text field with a hint below it. */
export const LabelledField = ({
  label,
  hint,
  onValue,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string;
  hint?: ReactNode;
  onValue: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div className={forms.input}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        {...rest}
        onChange={({ target }) => onValue(target.value)}
      />
      {hint !== undefined && (
        <Hint id={`${id}-hint`} className={styles.note}>
          {hint}
        </Hint>
      )}
    </div>
  );
};

const WORDS = {
  Delete: { doing: 'Deleting', done: 'deleted' },
  Remove: { doing: 'Removing', done: 'removed' },
  Forget: { doing: 'Forgetting', done: 'forgotten' },
} as const;

interface RemovableRowProps {
  readonly name: string;
  readonly action: keyof typeof WORDS;
  readonly remove: () => Promise<unknown>;
  readonly onGone: () => void;
  /** Description of the item. */
  readonly children: ReactNode;
}

/** A list row that can be removed. */
export const RemovableRow = ({ name, action, remove, onGone, children }: RemovableRowProps) => {
  const { announce } = useActions();
  const { doing, done } = WORDS[action];
  const task = useTask(`${doing} ${name}`);
  const run = async () => {
    if (!(await task.run(remove))) return;
    announce(`${name} was ${done}.`);
    onGone();
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        <p>{children}</p>
        <TaskFailure message={task.failure} />
      </div>
      <Button
        size="small"
        look="danger"
        aria-label={`${action} ${name}`}
        disabled={task.busy}
        onClick={() => void run()}
      >
        {task.busy ? `${doing}…` : action}
      </Button>
    </li>
  );
};

/** A role's state as a dot, or as a ring while something is in progress. The words are next to it. */
export const StateMark = ({ model: { state, progress } }: { model: RoleState }) =>
  state !== 'failed' && (state === 'loading' || progress !== null) ? (
    <ProgressRing share={progress === null ? null : shareOf(progress)} />
  ) : (
    <span className={styles.dot} data-state={state} aria-hidden />
  );

/** Why something failed, shown where it was requested. */
export const TaskFailure = ({ message }: { message: string | null }) =>
  message !== null && (
    <p role="alert" className={styles.failure}>
      <TriangleAlert size={14} aria-hidden />
      {message}
    </p>
  );

/** Asks what to use a newly added model for. */
export const AssignRole = ({ offer }: { offer: Offer }) => (
  <div role="group" aria-label={`Use ${offer.name} for`} className={forms.useFor}>
    <span>
      <b>{offer.name}</b> is in the list. Use it for
    </span>
    {offer.roles.map((role) => (
      <UseForRole key={role} role={role} offer={offer} />
    ))}
    {offer.unfit !== null && <Hint className={styles.note}>{offer.unfit}</Hint>}
  </div>
);

const UseForRole = ({ role, offer }: { role: Role; offer: Offer }) => {
  const { session } = useActions();
  const choose = useChoose(role);
  const used = useApp((app) => sameChoice(app.models[role].choice, { kind: 'model', key: offer.key }));
  return (
    <Button
      size="small"
      aria-pressed={used}
      onClick={() => {
        if (!used) choose({ kind: 'model', key: offer.key });
        session({ dialog: 'models', with: role });
      }}
    >
      {ROLE_WORDS[role].toLowerCase()}
    </Button>
  );
};
