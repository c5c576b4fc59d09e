import { useMemo } from 'react';
import type { Node, Target } from '../../domain/forest.ts';
import { outermost, subtree } from '../../domain/queries.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import { previewWords, turnsNamed } from '../../ui/parts/turn-words.ts';
import { moveRefusals, searchable } from './picker-rows.ts';
import { type Pick, TurnPicker } from './turn-picker.tsx';
import { usePreview } from './use-preview.ts';

/** Moves turns, each with all under it, under a turn that is found by its words. */
export const MoveDialog = ({ nodes, onClose }: { nodes: readonly Node[]; onClose: () => void }) => {
  const actions = useActions();
  const forest = useApp((state) => state.forest);
  const moving = useMemo(
    () =>
      outermost(
        forest,
        nodes.map(({ id }) => id),
      ),
    [forest, nodes],
  );
  const rows = useMemo(() => searchable(forest, moveRefusals(forest, moving)), [forest, moving]);
  const onlyRoots = moving.every((id) => forest.nodes[id]?.parentId === null);
  const under = moving.reduce((sum, id) => sum + subtree(forest, id).length, 0) - moving.length;

  return (
    <TurnPicker
      title={`Move ${turnsNamed(forest, moving)}`}
      description={under === 0 ? 'Under which turn?' : `With the ${counted(under, 'turn')} under it. Under which turn?`}
      rows={rows}
      newTopic={{ refusal: onlyRoots ? 'It begins a topic already.' : null }}
      onClose={onClose}
      onPick={(pick) => {
        onClose();
        void actions.moveTurns(moving, targetOf(pick));
      }}
      about={(pick) => <Preview moving={moving} pick={pick} key="preview" />}
      picks={(pick, possible) => (
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!possible} onClick={pick}>
            Move
          </Button>
        </>
      )}
    />
  );
};

const targetOf = (pick: Pick): Target =>
  pick === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: pick.node.id };

const Preview = ({ moving, pick }: { moving: readonly string[]; pick: Pick | undefined }) => {
  const forest = useApp((state) => state.forest);
  // Those that hang there already stay, and would refuse the whole.
  const parentId = pick?.node.id ?? null;
  const going = moving.filter((id) => forest.nodes[id]?.parentId !== parentId);
  const possible = pick !== undefined && (pick?.refusal ?? null) === null && going.length > 0;
  const preview = usePreview(going, possible ? targetOf(pick) : null);
  if (!possible) return <p>{pick?.refusal ?? ''}</p>;
  return <p>{preview === null ? 'Working out what it would do to the context…' : previewWords(forest, preview)}</p>;
};
