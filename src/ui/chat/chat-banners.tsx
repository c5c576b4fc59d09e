import { History, Languages, Pause, Play, StepForward, X } from 'lucide-react';
import { useState } from 'react';
import { parsedJson } from '../../domain/expectation.ts';
import { GLOSSED } from '../../engine/ports.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { spokenName, spokenNames } from '../parts/format.ts';
import { createStored, useEmbedderLanguages } from '../parts/hooks.ts';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { Ellipsis } from '../parts/text.tsx';
import styles from './chat-banners.module.css';

/** Pauses between turns, in milliseconds. */
const SPEEDS = [
  { pause: 2500, label: 'Slow' },
  { pause: 900, label: 'Normal' },
  { pause: 250, label: 'Fast' },
  { pause: 0, label: 'No pause' },
];

const nearest = (pause: number) =>
  SPEEDS.reduce((best, speed) => (Math.abs(speed.pause - pause) < Math.abs(best.pause - pause) ? speed : best));

/** A dialogue being played: its progress and controls. */
export const ReplayBar = () => {
  const actions = useActions();
  const replay = useApp((state) => state.replay);
  if (replay === null) return null;
  const { dialogue, played, running, pause } = replay;
  const turns = dialogue.turns.length;
  const speed = nearest(pause);
  return (
    <div role="group" aria-label="Replay" className={styles.bar}>
      <IconButton
        look="primary"
        className={styles.play ?? ''}
        label={running ? 'Pause' : 'Play'}
        icon={running ? Pause : Play}
        onClick={running ? actions.pauseReplay : actions.resumeReplay}
      />
      <div className={styles.progress}>
        <p className={styles.words}>
          <Ellipsis as="b" fit>
            {dialogue.title}
          </Ellipsis>
          <span>
            {played} of {turns}
          </span>
        </p>
        <ProgressBar label="Turns played" max={turns} value={played} />
      </div>
      <IconButton label="Play one turn" icon={StepForward} disabled={running} onClick={actions.stepReplay} />
      <Menu
        align="end"
        side="top"
        trigger={
          <button type="button" className={styles.speed} aria-label={`Speed: ${speed.label}`}>
            {speed.label}
          </button>
        }
      >
        {SPEEDS.map((one) => (
          <MenuChoice key={one.pause} chosen={one === speed} onChoose={() => actions.setReplayPause(one.pause)}>
            {one.label}
          </MenuChoice>
        ))}
      </Menu>
      <IconButton label="End the replay and keep what is there" icon={X} onClick={actions.stopReplay} />
    </div>
  );
};

/** Shown while travelling in time: the past is read-only. */
export const PastBar = () => {
  const { travel, branchOff, restore } = useActions();
  const count = useApp((state) => state.past?.count ?? null);
  const turns = useApp((state) => state.past?.forest.turnCount ?? 0);
  if (count === null) return null;
  return (
    <div className={`${styles.bar} ${styles.past}`}>
      <History size={16} aria-hidden />
      <p className={styles.moment}>
        The forest as it was {turns === 0 ? 'before the first turn' : `at turn ${turns}`}. Nothing can be changed here.
      </p>
      <Button size="small" look="primary" onClick={() => travel(null)}>
        Back to now
      </Button>
      <div className={styles.choices}>
        <Button size="small" onClick={() => void branchOff(count)}>
          Start a new conversation from here
        </Button>
        <Button size="small" onClick={() => void restore(count)}>
          Restore this
        </Button>
      </div>
    </div>
  );
};

/** Tells the user, once per conversation, that the embedder does not know its language. */
export const LanguageLine = () => {
  const conversationId = useApp((state) => state.conversationId);
  const past = useApp((state) => state.past !== null);
  // Each conversation has its own notice.
  return past ? null : <UnknownLanguage key={conversationId} conversationId={conversationId} />;
};

const UnknownLanguage = ({ conversationId }: { conversationId: string }) => {
  const { session } = useActions();
  const { embedder, languages, beyond } = useEmbedderLanguages();
  const [gone, setGone] = useState(() => isLanguageNoted(conversationId));
  if (gone || beyond === null || languages === null) return null;
  return (
    <div role="note" aria-label="Language" className={styles.language}>
      <Languages size={14} aria-hidden />
      <p>
        {embedder} only understands {spokenNames(languages)}.{' '}
        {GLOSSED.has(beyond)
          ? `Your ${spokenName(beyond)} is translated word by word for comparison, so similarity is approximate.`
          : `It can hardly tell which ${spokenName(beyond)} texts are alike, so shared words and the shape of the conversation decide.`}{' '}
        <button type="button" className={styles.link} onClick={() => session({ dialog: 'models', with: 'embed' })}>
          Choose another embedder
        </button>
      </p>
      <IconButton
        size="small"
        label="Do not show this again in this conversation"
        icon={X}
        onClick={() => {
          noteLanguage(conversationId);
          setGone(true);
        }}
      />
    </div>
  );
};

const MAX_NOTED = 200;

/** The conversations whose language the user has been told about on this device. */
const noted = createStored('coppice-language-noted', (text): readonly string[] => {
  const ids = parsedJson(text ?? '[]');
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
});

const isLanguageNoted = (conversationId: string): boolean => noted.get().includes(conversationId);

const noteLanguage = (conversationId: string): void =>
  noted.set([conversationId, ...noted.get().filter((id) => id !== conversationId)].slice(0, MAX_NOTED));
