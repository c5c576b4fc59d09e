import { useMemo, useState } from 'react';
import type { Node } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import type { Reference } from '../../domain/reference.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { referRefusals, searchable } from './picker-rows.ts';
import styles from './turn-picker.module.css';
import { type Pick, TurnPicker } from './turn-picker.tsx';

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
