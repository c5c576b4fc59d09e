import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { childrenOf, nodeOf, tipOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Switcher } from './switcher.tsx';

const NONE: readonly string[] = [];

/** Where several messages go on from the same turn, as after an edit: goes to the end of another one's branch. */
export const SiblingSwitch = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { activate } = useActions();
  const state = useAppState();
  const { parentId } = node;
  const siblings = useApp((app) => (parentId === null ? NONE : childrenOf(shownForest(app), parentId)));
  if (siblings.length < 2) return null;
  const choose = (index: number) => {
    const forest = shownForest(state());
    const sibling = siblings[index];
    if (sibling !== undefined) void activate(tipOf(forest, nodeOf(forest, sibling)).id);
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
