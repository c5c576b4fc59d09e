import { CornerDownRight, GitBranch, Shuffle, Sprout } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node, Target } from '../../domain/forest.ts';
import { useActions, useAppState } from '../app-context.ts';
import { similarity } from '../parts/format.ts';
import { Menu, MenuHeading, MenuItem, MenuSeparator, Submenu } from '../parts/menu.tsx';
import { TopicDot } from '../parts/text.tsx';
import { correctionTargets } from './correction-targets.ts';
import { type PickerItem, TargetPicker } from './target-picker.tsx';

/** Rows of a submenu before the rest is left to the picker with its search. */
const ROWS = 10;

interface Props {
  readonly node: Node;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  readonly trigger: ReactNode;
}

/** The person's corrections of where a turn went. */
export const CorrectionMenu = ({ node, trigger, ...state }: Props) => {
  const [picking, setPicking] = useState<'turn' | 'topic' | null>(null);
  return (
    <>
      <Menu trigger={trigger} align="end" {...state}>
        <Corrections node={node} onPick={setPicking} />
      </Menu>
      {picking !== null && <Picker node={node} what={picking} onClose={() => setPicking(null)} />}
    </>
  );
};

const useCorrections = (node: Node) => {
  const { correct } = useActions();
  const forest = shownForest(useAppState()());
  const to = (target: Target) => () => void correct(node.id, target);
  return {
    ...correctionTargets(forest, node),
    under: (id: string) => to({ kind: 'under', nodeId: id }),
    anew: to({ kind: 'new-topic' }),
  };
};

const Corrections = ({ node, onPick }: { node: Node; onPick: (what: 'turn' | 'topic') => void }) => {
  const { here, forks, newTopic, topics, under, anew } = useCorrections(node);
  return (
    <>
      <MenuHeading>Turn {node.number} belongs elsewhere</MenuHeading>
      <MenuItem
        icon={<CornerDownRight size={14} />}
        disabled={here === null}
        onSelect={here === null ? undefined : under(here.id)}
        {...(here === null ? {} : { detail: <span aria-hidden>after turn {here.number}</span> })}
      >
        Continue here
      </MenuItem>
      <Submenu icon={<GitBranch size={14} />} label="New branch from…" disabled={forks.length === 0}>
        {forks.slice(0, ROWS).map((fork) => (
          <MenuItem
            key={fork.node.id}
            onSelect={under(fork.node.id)}
            icon={<span>{fork.node.number}</span>}
            aria-label={`Turn ${fork.node.number}: ${fork.node.message}`}
            {...(fork.similarity === null ? {} : { detail: similarity(fork.similarity) })}
          >
            {fork.node.message}
          </MenuItem>
        ))}
        {forks.length > ROWS && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => onPick('turn')}>Another turn…</MenuItem>
          </>
        )}
      </Submenu>
      <MenuItem icon={<Sprout size={14} />} disabled={!newTopic} onSelect={anew}>
        New topic
      </MenuItem>
      <Submenu icon={<Shuffle size={14} />} label="Other topic…" disabled={topics.length === 0}>
        {topics.slice(0, ROWS).map((tree) => (
          <MenuItem key={tree.id} icon={<TopicDot order={tree.order} />} onSelect={under(tree.activeId)}>
            {tree.title}
          </MenuItem>
        ))}
        {topics.length > ROWS && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => onPick('topic')}>Another topic…</MenuItem>
          </>
        )}
      </Submenu>
    </>
  );
};

const Picker = ({ node, what, onClose }: { node: Node; what: 'turn' | 'topic'; onClose: () => void }) => {
  const { forks, topics, under } = useCorrections(node);
  const items: PickerItem[] =
    what === 'turn'
      ? forks.map((fork) => ({ id: fork.node.id, lead: `Turn ${fork.node.number}`, text: fork.node.message }))
      : topics.map((tree) => ({ id: tree.activeId, lead: null, text: tree.title }));
  return (
    <TargetPicker
      title={what === 'turn' ? 'New branch from' : 'Other topic'}
      items={items}
      onChoose={(id) => {
        onClose();
        under(id)();
      }}
      onClose={onClose}
    />
  );
};
