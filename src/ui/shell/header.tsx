import {
  ChartNoAxesColumn,
  ChartSpline,
  Ellipsis,
  FlaskConical,
  Keyboard,
  PanelLeft,
  Plus,
  Redo2,
  Search,
  Settings,
  SlidersHorizontal,
  Undo2,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { COMPACT, CROWDED, NARROW, PHONE, useMedia } from '../parts/hooks.ts';
import { useKeys } from './commands/use-keys.ts';
import { ConversationName } from './conversations.tsx';
import styles from './header.module.css';
import { FoldButtons } from './panes.tsx';
import { ModelPills, PhonePill, StoragePill, TokenMeter } from './pills.tsx';
import { ThemeSwitch } from './theme.tsx';

export const Header = () => {
  const actions = useActions();
  const phone = useMedia(PHONE);
  const compact = useMedia(COMPACT);
  const narrow = useMedia(NARROW);
  const crowded = useMedia(CROWDED);
  const keys = useKeys();
  const listed = useApp((state) => state.session.dialog === 'conversations');
  return (
    <header className={styles.header}>
      <IconButton
        label="Conversations"
        icon={PanelLeft}
        aria-expanded={listed}
        data-opens-conversations
        onClick={() => actions.session({ dialog: listed ? null : 'conversations' })}
      />
      <Logo />
      <ConversationName />
      <span className={styles.space} />
      {!phone && <TokenMeter />}
      <StoragePill />
      {phone ? <PhonePill /> : <ModelPills />}
      {phone && <UndoButtons />}
      {!phone && (
        <IconButton
          label="Search"
          icon={Search}
          keys={keys('search')}
          onClick={() => actions.session({ dialog: 'search' })}
        />
      )}
      <IconButton
        label="New conversation"
        icon={Plus}
        keys={keys('new-conversation')}
        onClick={() => void actions.newConversation()}
      />
      {!phone && <FileButtons />}
      {!narrow && <Button onClick={() => actions.session({ dialog: 'compare' })}>Compare</Button>}
      <div className={styles.icons}>
        {crowded ? <More /> : <Studies />}
        {!compact && <Preferences />}
        {!crowded && <ShortcutsButton />}
      </div>
      {!phone && <FoldButtons />}
    </header>
  );
};

const FileButtons = () => {
  const { session } = useActions();
  return (
    <>
      <Button onClick={() => session({ dialog: 'import' })}>Import</Button>
      <Button onClick={() => session({ dialog: 'export' })}>Export</Button>
      <Button onClick={() => session({ dialog: 'models', modelsPage: null })}>Models</Button>
    </>
  );
};

/** What researchers look at. */
const Studies = () => {
  const { session } = useActions();
  return (
    <>
      <IconButton label="Engine" icon={SlidersHorizontal} onClick={() => session({ dialog: 'engine-settings' })} />
      <IconButton label="Analysis" icon={ChartSpline} onClick={() => session({ dialog: 'analysis' })} />
      <IconButton label="What if" icon={FlaskConical} onClick={() => session({ dialog: 'what-if' })} />
      <IconButton label="Evaluate" icon={ChartNoAxesColumn} onClick={() => session({ dialog: 'evaluate' })} />
    </>
  );
};

const ShortcutsButton = () => {
  const { session } = useActions();
  const keys = useKeys();
  return (
    <IconButton
      label="Shortcuts"
      icon={Keyboard}
      keys={keys('shortcuts')}
      onClick={() => session({ dialog: 'shortcuts' })}
    />
  );
};

const Preferences = () => {
  const { session } = useActions();
  const keys = useKeys();
  return (
    <>
      <ThemeSwitch />
      <IconButton
        label="Settings"
        icon={Settings}
        keys={keys('settings')}
        onClick={() => session({ dialog: 'settings' })}
      />
    </>
  );
};

/** Where the header is too narrow for all of it. */
const More = () => {
  const { session } = useActions();
  const phone = useMedia(PHONE);
  const compact = useMedia(COMPACT);
  const narrow = useMedia(NARROW);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label="More" icon={Ellipsis} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={styles.more} align="end" sideOffset={6} collisionPadding={8} aria-label="More">
          {phone && <Button onClick={() => session({ dialog: 'search' })}>Search</Button>}
          <Button onClick={() => session({ dialog: 'palette' })}>Commands</Button>
          {phone && <FileButtons />}
          {phone && <Button onClick={() => session({ dialog: 'history' })}>History</Button>}
          {narrow && <Button onClick={() => session({ dialog: 'compare' })}>Compare</Button>}
          <Button onClick={() => session({ dialog: 'engine-settings' })}>Engine</Button>
          <Button onClick={() => session({ dialog: 'analysis' })}>Analysis</Button>
          <Button onClick={() => session({ dialog: 'what-if' })}>What if</Button>
          <Button onClick={() => session({ dialog: 'evaluate' })}>Evaluate</Button>
          {compact ? (
            <div className={styles.moreIcons}>
              <Preferences />
              <ShortcutsButton />
            </div>
          ) : (
            <Button onClick={() => session({ dialog: 'shortcuts' })}>Shortcuts</Button>
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

/** For a phone's chat and inspector, where the timeline with its own is on another pane. */
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
        disabled={travelling || !canUndo}
        onClick={() => void undo()}
      />
      <IconButton
        label="Redo"
        icon={Redo2}
        keys={keys('redo')}
        disabled={travelling || !canRedo}
        onClick={() => void redo()}
      />
    </>
  );
};
