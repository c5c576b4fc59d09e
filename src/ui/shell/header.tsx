import {
  ChartNoAxesColumn,
  ChartSpline,
  Ellipsis,
  FlaskConical,
  Keyboard,
  PanelLeft,
  Plus,
  Search,
  Settings,
  SlidersHorizontal,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useKeys } from './commands/use-keys.ts';
import { ConversationName } from './conversation-name.tsx';
import { FoldButtons } from './fold-buttons.tsx';
import styles from './header.module.css';
import { Logo } from './logo.tsx';
import { ModelPills, PhonePill } from './model-pills.tsx';
import { StoragePill } from './storage-pill.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TokenMeter } from './token-meter.tsx';
import { UndoButtons } from './undo-buttons.tsx';
import { COMPACT, CROWDED, NARROW, PHONE, useMedia } from './use-media.ts';

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
