import { X } from 'lucide-react';
import type { Forest, Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import inlineCss from './inline.module.css';
import css from './references-section.module.css';
import { referencesTo } from './references-to.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';
import { TurnLink } from './turn-link.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What a turn brings along from off its path, and what brings it along. */
export const ReferencesSection = ({ forest, node }: Props) => {
  const { select, session } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  const from = referencesTo(forest, node.id);
  return (
    <Section title="References">
      {node.references.length === 0 && <p className={styles.note}>To none.</p>}
      <ul className={styles.list} aria-label="To other turns">
        {node.references.map((reference) => (
          <ReferenceRow key={reference.to} forest={forest} node={node} reference={reference} readOnly={readOnly} />
        ))}
      </ul>
      {from.length > 0 && (
        <p className={inlineCss.links}>
          Referred to by
          {from.map(({ id }) => (
            <TurnLink key={id} forest={forest} nodeId={id} />
          ))}
        </p>
      )}
      {!readOnly && (
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            select(node.id);
            session({ dialog: 'refer' });
          }}
        >
          Refer to another turn…
        </Button>
      )}
    </Section>
  );
};

interface RowProps extends Props {
  readonly reference: Node['references'][number];
  readonly readOnly: boolean;
}

const ReferenceRow = ({ forest, node, reference, readOnly }: RowProps) => {
  const { addReference, removeReference } = useActions();
  const { to, as, by } = reference;
  const number = forest.nodes[to]?.number ?? '';
  return (
    <li className={css.row}>
      <span className={css.words}>
        <TurnLink forest={forest} nodeId={to} /> {forest.nodes[to]?.message.slice(0, 120)}
        {by === 'engine' && <span className={inlineCss.quiet}> · found by the engine</span>}
      </span>
      <select
        aria-label={`What is sent of turn ${number}`}
        className={css.as}
        value={as}
        disabled={readOnly}
        onChange={(event) => void addReference(node.id, to, event.target.value === 'path' ? 'path' : 'summary')}
      >
        <option value="path">in full</option>
        <option value="summary">summary</option>
      </select>
      {!readOnly && (
        <IconButton
          size="small"
          label={`Remove the reference to turn ${number}`}
          icon={X}
          onClick={() => void removeReference(node.id, to)}
        />
      )}
    </li>
  );
};
