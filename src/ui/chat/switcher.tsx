import { ChevronLeft, ChevronRight } from 'lucide-react';
import { startTransition, useOptimistic } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { childrenOf, endOf, nodeOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import styles from './turn.module.css';

/** Steps through several items, `‹ 2/3 ›`. */
const Switcher = ({
  label,
  what,
  at,
  of,
  disabled,
  onChoose,
}: {
  label: string;
  /** The name of one item, e.g. `Reply`. */
  what: string;
  /** Index of the one shown, from 0. */
  at: number;
  of: number;
  disabled: boolean;
  onChoose: (index: number) => Promise<void> | undefined;
}) => {
  // Each press counts, even while what the one before chose is still being stored and thus not shown.
  const [pressed, setPressed] = useOptimistic<{ readonly from: number; readonly to: number } | null>(null);
  const chosen = pressed?.from === at ? pressed.to : at;
  const choose = (index: number) =>
    startTransition(async () => {
      setPressed({ from: at, to: index });
      await onChoose(index);
    });
  return (
    <span role="group" aria-label={label} className={styles.switcher}>
      <IconButton
        size="small"
        label={`Previous ${what.toLowerCase()}`}
        icon={ChevronLeft}
        disabled={disabled}
        idle={chosen <= 0}
        onClick={() => choose(chosen - 1)}
      />
      <span>
        {chosen + 1}/{of}
      </span>
      <IconButton
        size="small"
        label={`Next ${what.toLowerCase()}`}
        icon={ChevronRight}
        disabled={disabled}
        idle={chosen >= of - 1}
        onClick={() => choose(chosen + 1)}
      />
    </span>
  );
};

const NONE: readonly string[] = [];

/** Where several messages continue from the same turn, as after an edit: goes to the end of another one's branch. */
export const SiblingSwitch = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { activate } = useActions();
  const state = useAppState();
  const { parentId } = node;
  const siblings = useApp((app) => (parentId === null ? NONE : childrenOf(shownForest(app), parentId)));
  if (siblings.length < 2) return null;
  const choose = (index: number) => {
    const forest = shownForest(state());
    const sibling = siblings[index];
    return sibling === undefined ? undefined : activate(endOf(forest, nodeOf(forest, sibling)).id);
  };
  return (
    <Switcher
      label="Branches from the same turn"
      what="Branch"
      at={siblings.indexOf(node.id)}
      of={siblings.length}
      disabled={readOnly}
      onChoose={choose}
    />
  );
};

/** Switches between the replies of a turn, one of which is active. */
export const ReplySwitch = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { chooseReply } = useActions();
  const at = node.replies.findIndex((reply) => reply.id === node.replyId);
  const choose = (index: number) => {
    const reply = node.replies[index];
    return reply === undefined ? undefined : chooseReply(node.id, reply.id);
  };
  return (
    <Switcher label="Replies" what="Reply" at={at} of={node.replies.length} disabled={readOnly} onChoose={choose} />
  );
};
