import { useEffect, useMemo, useState } from 'react';
import type { MovePreview } from '../../app/edits.ts';
import type { Reference, Target } from '../../domain/decision.ts';
import type { Node, NodeId } from '../../domain/forest.ts';
import { outermost, pathTo, subtree } from '../../domain/queries.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { previewWords, turnsNamed } from '../../ui/parts/turn-words.ts';
import { moveRefusals, referRefusals, searchable } from './picker-rows.ts';
import styles from './turn-picker.module.css';
import { type Pick, TurnPicker } from './turn-picker.tsx';

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
      newTopic={{ refusal: onlyRoots ? 'It already begins a topic.' : null }}
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

/** How long a row is looked at before its preview is worked out; milliseconds. */
const PAUSE = 120;

/** What moving turns to a place would do to the context; null while it is not known, or there is no such place. */
const usePreview = (nodeIds: readonly NodeId[], to: Target | null): MovePreview | null => {
  const { previewMove } = useActions();
  const [known, setKnown] = useState<{ key: string; preview: MovePreview } | null>(null);
  const key = JSON.stringify([nodeIds, to]);

  useEffect(() => {
    const [ids, target] = JSON.parse(key) as [NodeId[], Target | null];
    if (target === null) return;
    let wanted = true;
    const timer = setTimeout(() => {
      // A preview that cannot be worked out is none; the move itself says what is wrong.
      previewMove(ids, target).then(
        (preview) => wanted && setKnown({ key, preview }),
        () => wanted && setKnown(null),
      );
    }, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, previewMove]);

  return known?.key === key ? known.preview : null;
};

const WAYS = [
  { value: 'path' as const, label: 'In full' },
  { value: 'summary' as const, label: 'Summary' },
];

/** Brings a turn of any topic into the context of another. */
export const ReferDialog = ({ node, onClose }: { node: Node; onClose: () => void }) => {
  const actions = useActions();
  const forest = useApp((state) => state.forest);
  const [as, setAs] = useState<Reference['as']>('path');
  const rows = useMemo(() => searchable(forest, referRefusals(forest, node.id)), [forest, node.id]);

  const words = (pick: Pick | undefined): string => {
    if (pick === undefined || pick === null || pick.refusal !== null) return pick?.refusal ?? '';
    const path = pathTo(forest, pick.node.id).length;
    const now = node.references.find(({ to }) => to === pick.node.id);
    const before = now === undefined ? '' : ' It refers to it already; this changes how.';
    return as === 'path'
      ? `Sent in full: ${counted(path, 'turn')}, from the first of its topic to this one.${before}`
      : `Sent as one sentence: the summary of turn ${pick.node.number}.${before}`;
  };

  return (
    <TurnPicker
      title={`Refer from turn ${node.number}`}
      description="To which turn? It is sent along wherever this one is on the path."
      rows={rows}
      onClose={onClose}
      onPick={(pick) => {
        onClose();
        if (pick !== null) void actions.addReference(node.id, pick.node.id, as);
      }}
      about={(pick) => (
        <div className={styles.ways}>
          <p>{words(pick)}</p>
          <Segmented label="What is sent of it" options={WAYS} value={as} onChange={setAs} />
        </div>
      )}
      picks={(pick, possible) => (
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={!possible} onClick={pick}>
            Refer
          </Button>
        </>
      )}
    />
  );
};
