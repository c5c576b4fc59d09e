import { useState } from 'react';
import type { Offer } from '../../app/model-control.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import styles from './models.module.css';
import rows from './rows.module.css';
import { TaskFailure } from './task-failure.tsx';
import { UseFor } from './use-for.tsx';
import { useTask } from './use-task.ts';

/** So few are found at a glance. */
const FEW = 8;

/** The models of a server that answered, to pick from. */
export const ServerModels = ({
  baseUrl,
  names,
  offers,
  onAdded,
}: {
  baseUrl: string;
  names: readonly string[];
  /** What is in the lists already. */
  offers: readonly Offer[];
  onAdded: () => void;
}) => {
  const { models } = useActions();
  const [sought, setSought] = useState('');
  const [added, setAdded] = useState<Offer | null>(null);
  const task = useTask('Adding the model');
  const add = async (model: string) => {
    await task.run(async () => setAdded(await models.addOwn({ runtime: 'server', baseUrl, model })));
    onAdded();
  };
  const inLists = new Set(offers.filter(({ leavesFor }) => leavesFor === baseUrl).map(({ name }) => name));
  const shown = names.filter((name) => name.toLowerCase().includes(sought.toLowerCase().trim()));
  return (
    <section className={styles.block} aria-labelledby="models-of-server">
      <h4 id="models-of-server">
        {names.length === 0 ? 'It answers, and has no model yet' : `It has ${counted(names.length, 'model')}`}
      </h4>
      {added !== null && <UseFor offer={added} />}
      <TaskFailure message={task.failure} />
      {names.length > FEW && <SearchField label="Find a model of the server" value={sought} onChange={setSought} />}
      <ul aria-label="Models of the server" className={rows.rows}>
        {shown.map((name) => (
          <li key={name}>
            <b>{name}</b>
            {inLists.has(name) ? (
              <span className={rows.quiet}>in your lists</span>
            ) : (
              <Button size="small" aria-label={`Add ${name}`} disabled={task.busy} onClick={() => void add(name)}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
