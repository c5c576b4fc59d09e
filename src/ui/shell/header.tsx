import { Ellipsis, PanelLeft, Plus, Redo2, Undo2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { FeatureCommandId } from '../../app/features.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { perform } from '../commands/command.ts';
import type { ButtonPlace, FeatureButton } from '../commands/feature.ts';
import { useFeatures } from '../commands/feature.ts';
import { useKeys } from '../commands/keymap.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { COMPACT, CROWDED, NARROW, PHONE, UPRIGHT, useMedia } from '../parts/hooks.ts';
import { ConversationName, useConversationList } from './conversations.tsx';
import styles from './header.module.css';
import { FoldButtons } from './panes.tsx';
import { ModelPills, PhonePill, StoragePill, TokenMeter } from './pills.tsx';
import { ThemeSwitch } from './theme.tsx';

export const Header = () => {
  const actions = useActions();
  const phone = useMedia(PHONE);
  const keys = useKeys();
  const { shown, folded } = useButtons();
  const { stays, shown: listed, toggle } = useConversationList();
  return (
    <header className={styles.header}>
      <IconButton
        label="Conversations"
        icon={PanelLeft}
        aria-expanded={listed}
        {...(listed && { 'aria-controls': stays ? 'pane-list' : 'conversations' })}
        data-opens-conversations
        onClick={toggle}
      />
      <Logo />
      <ConversationName />
      <span className={styles.space} />
      {!phone && <TokenMeter />}
      <StoragePill />
      {phone ? <PhonePill /> : <ModelPills />}
      {phone && <UndoButtons />}
      <CommandButtons of={shown('search')} />
      <IconButton
        label="New conversation"
        icon={Plus}
        keys={keys('new-conversation')}
        onClick={() => void actions.newConversation()}
      />
      <CommandButtons of={shown('files')} />
      <CommandButtons of={shown('compare')} />
      <div className={styles.icons}>
        {folded('studies') ? <More /> : <CommandButtons of={shown('studies')} />}
        {!folded('preferences') && <ThemeSwitch />}
        <CommandButtons of={shown('preferences')} />
        <CommandButtons of={shown('help')} />
      </div>
      {!phone && <FoldButtons />}
    </header>
  );
};

interface CommandButton extends FeatureButton {
  readonly id: FeatureCommandId;
  readonly press: () => void;
}

/** The features' buttons: those shown in their place, and those that no longer fit there. */
const useButtons = () => {
  const features = useFeatures();
  const actions = useActions();
  const state = useAppState();
  const narrower = {
    never: false,
    [CROWDED]: useMedia(CROWDED),
    [NARROW]: useMedia(NARROW),
    [COMPACT]: useMedia(COMPACT),
    [UPRIGHT]: useMedia(UPRIGHT),
    [PHONE]: useMedia(PHONE),
  };
  const all = features
    .flatMap(({ commands }) => Object.entries(commands))
    .flatMap(([id, command]): CommandButton[] => {
      const press = () => perform(command, { actions, state });
      return command.button === undefined ? [] : [{ ...command.button, id: id as FeatureCommandId, press }];
    });
  const folded = (place: ButtonPlace): boolean => narrower[FOLDS[place]];
  return {
    folded,
    shown: (place: ButtonPlace) => all.filter((button) => button.place === place && !folded(place)),
    more: all.filter(({ place }) => (place === 'phone-menu' ? narrower[PHONE] : place === 'menu' || folded(place))),
  };
};

/** The width below which a place is folded into the menu. */
const FOLDS = {
  search: PHONE,
  files: UPRIGHT,
  compare: NARROW,
  studies: CROWDED,
  help: CROWDED,
  preferences: COMPACT,
  menu: 'never',
  'phone-menu': 'never',
} as const satisfies Record<ButtonPlace, string>;

const CommandButtons = ({ of, words = false }: { of: readonly CommandButton[]; words?: boolean }) => {
  const keys = useKeys();
  return of.map(({ id, label, icon, press }) =>
    icon === undefined || words ? (
      <Button key={id} look={words ? 'quiet' : 'outline'} onClick={press}>
        {label}
      </Button>
    ) : (
      <IconButton key={id} label={label} icon={icon} keys={keys(id)} onClick={press} />
    ),
  );
};

/** The menu for what does not fit in the header. */
const More = () => {
  const { more, folded } = useButtons();
  const compact = folded('preferences');
  const asIcons = ({ place }: CommandButton) => compact && (place === 'preferences' || place === 'help');
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label="More" icon={Ellipsis} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={styles.more} align="end" sideOffset={6} collisionPadding={8} aria-label="More">
          <CommandButtons of={more.filter((button) => !asIcons(button))} words />
          {compact && (
            <div className={styles.moreIcons}>
              <ThemeSwitch />
              <CommandButtons of={more.filter(asIcons)} />
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};

const Logo = () => (
  <h1 className={styles.logo}>
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M4 17.5h12M10 17V9M10 13.5C6.5 13 5.5 10.5 5.5 7M10 11.5c3.5-.4 4.5-3 4.5-6M10 9c0-2.5-.6-4.3-1.6-6" />
    </svg>
    <span className={styles.logoName}>Coppice</span>
  </h1>
);

/** For the chat and inspector panes on a phone, where the timeline with its own buttons is on another pane. */
const UndoButtons = () => {
  const keys = useKeys();
  const { undo, redo } = useActions();
  const withTimeline = useApp((state) => state.session.pane === 'forest');
  const travelling = useApp((state) => state.past !== null);
  const canUndo = useApp((state) => state.forest.history.past.length > 0);
  const canRedo = useApp((state) => state.forest.history.future.length > 0);
  if (withTimeline) return null;
  return (
    <>
      <IconButton
        label="Undo"
        icon={Undo2}
        keys={keys('undo')}
        idle={travelling || !canUndo}
        onClick={() => void undo()}
      />
      <IconButton
        label="Redo"
        icon={Redo2}
        keys={keys('redo')}
        idle={travelling || !canRedo}
        onClick={() => void redo()}
      />
    </>
  );
};
