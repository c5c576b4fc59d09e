import {
  Copy,
  CornerDownRight,
  EyeOff,
  Flame,
  FoldVertical,
  GitBranch,
  Link2,
  type LucideIcon,
  MapPin,
  Pin,
  ScanText,
  Scissors,
  Sprout,
  StickyNote,
  Tag,
  TextQuote,
  Trash2,
} from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { useMedia } from '../parts/hooks.ts';
import { afterMenu, Menu, MenuItem, MenuSeparator, Submenu } from '../parts/menu.tsx';
import { useKeys } from './keymap.ts';
import { type TurnAction, type TurnActionId, turnActionList } from './turn-action-list.ts';
import styles from './turn-actions.module.css';

const ICONS: Record<TurnActionId, LucideIcon> = {
  'reply-from-here': CornerDownRight,
  'make-active': MapPin,
  refer: Link2,
  copy: Copy,
  move: ScanText,
  'own-topic': Sprout,
  'take-out': Scissors,
  'end-branch': FoldVertical,
  pin: Pin,
  hide: EyeOff,
  note: StickyNote,
  summary: TextQuote,
  'topic-title': Tag,
  'branch-title': GitBranch,
  delete: Trash2,
  purge: Flame,
};

/**
 * The actions on turns, as items of a `Menu`: one list for the chat, the outline and the canvas.
 *
 *     <Menu trigger={…}><TurnMenuItems nodeIds={[node.id]} /></Menu>
 */
export const TurnMenuItems = ({ nodeIds }: { nodeIds: readonly NodeId[] }) => {
  const actions = useActions();
  const state = useAppState();
  // What is possible depends on the forest and, of the remaining state, only on the moment shown.
  useApp(({ forest }) => forest);
  useApp(({ past }) => past);
  const keys = useKeys();
  // Touch devices have no keys.
  const touch = useMedia('(hover: none)');
  const groups = turnActionList(state(), actions, nodeIds);
  return groups.map((group, index) => (
    <Fragment key={group[0]?.id}>
      {index > 0 && <MenuSeparator />}
      {group.map((action) => (
        <Item key={action.id} action={action} keys={touch ? undefined : keys(action.id)} />
      ))}
    </Fragment>
  ));
};

const Item = ({ action, keys }: { action: TurnAction; keys: string | undefined }) => {
  const { id, words, hint, refusal, choices, run } = action;
  const Icon = ICONS[id];
  const icon = <Icon size={14} aria-hidden />;
  if (choices.length > 0 && refusal === null) {
    return (
      <Submenu icon={icon} label={`${words}…`}>
        {choices.map((choice) => (
          <Choice key={choice.words} words={choice.words} hint={hint} refusal={choice.refusal} run={choice.run} />
        ))}
      </Submenu>
    );
  }
  return <Choice words={words} hint={hint} refusal={refusal} run={run} icon={icon} keys={keys} />;
};

interface ChoiceProps extends Pick<TurnAction, 'words' | 'hint' | 'refusal' | 'run'> {
  readonly icon?: React.ReactNode;
  readonly keys?: string | undefined;
}

/** Unavailable items stay reachable, so that everybody can learn why. */
const Choice = ({ words, hint, refusal, run, icon, keys }: ChoiceProps) => {
  const { announce } = useActions();
  const under = refusal ?? hint;
  return (
    <MenuItem
      icon={icon}
      aria-disabled={refusal !== null || undefined}
      onSelect={(event) => {
        if (refusal === null) return afterMenu(run);
        event.preventDefault();
        announce(refusal);
      }}
      {...(keys === undefined ? {} : { detail: keys })}
    >
      <span className={styles.words}>{words}</span>
      {under !== null && <span className={styles.under}>{under}</span>}
    </MenuItem>
  );
};

/** A point on the page, in pixels from the top left of the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly nodeIds: readonly NodeId[];
  readonly label: string;
  readonly at: MenuPlace;
  readonly onClose: () => void;
}

/**
 * The turn menu at a point: under the pointer, or next to the focused element. Open while mounted; closes by itself once
 * none of its turns is on screen any more.
 */
export const TurnMenuAt = ({ nodeIds, label, at, onClose }: Props) => {
  const [opener] = useState(() => document.activeElement);
  const isAbout = useApp((state) => nodeIds.some((id) => shownForest(state).nodes[id] !== undefined));
  useEffect(() => {
    if (!isAbout) onClose();
  }, [isAbout, onClose]);
  if (!isAbout) return null;
  return (
    <Menu
      open
      label={label}
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        // If the chosen action has not taken the focus, it goes back to where it was.
        setTimeout(() => {
          const lost = document.activeElement === document.body || document.activeElement === null;
          if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        });
      }}
      trigger={<span className={styles.place} style={{ left: at.x, top: at.y }} aria-hidden />}
    >
      <TurnMenuItems nodeIds={nodeIds} />
    </Menu>
  );
};
