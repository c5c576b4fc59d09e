import type { ReactNode } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { TaskFailure } from './task-failure.tsx';
import { useTask } from './use-task.ts';

const WORDS = {
  Delete: { doing: 'Deleting', done: 'deleted' },
  Remove: { doing: 'Removing', done: 'removed' },
  Forget: { doing: 'Forgetting', done: 'forgotten' },
} as const;

interface Props {
  readonly name: string;
  readonly does: keyof typeof WORDS;
  readonly remove: () => Promise<unknown>;
  readonly onGone: () => void;
  /** What is said of it. */
  readonly children: ReactNode;
}

/** A row of a list that one can be rid of. */
export const RemovableRow = ({ name, does, remove, onGone, children }: Props) => {
  const { announce } = useActions();
  const { doing, done } = WORDS[does];
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
      <Button size="small" look="danger" aria-label={`${does} ${name}`} disabled={task.busy} onClick={() => void run()}>
        {task.busy ? `${doing}…` : does}
      </Button>
    </li>
  );
};
