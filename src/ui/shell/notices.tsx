import { TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RoleState } from '../../app/model-control.ts';
import { type AppState, coveringDialog } from '../../app/state.ts';
import { GIVEN, type Node } from '../../domain/forest.ts';
import { answerTo, replyOf } from '../../domain/queries.ts';
import { asSentence } from '../../engine/model-failure.ts';
import { useActions, useApp } from '../app-context.ts';
import { whyOf, whyWords } from '../chat/placement-words.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useDialogOpen } from '../parts/dialog.tsx';
import { ROLE_WORDS, ROLES, shareOf, stateWords } from '../parts/model-words.ts';
import styles from './notices.module.css';

/** How long a notice without an action stays, in milliseconds; longer while it is hovered or focused. */
const STAYS = 5_000;

/**
 * The newest confirmation; besides, for screen readers only, the progress of the turn and the models. The status
 * element is always mounted so that changes are announced, and marked live so that no open dialog hides it from them.
 */
export const Toast = () => {
  const { closeNotice } = useActions();
  const notice = useApp((state) => state.notice);
  const progress = useApp(progressWords);
  const news = useModelNews(progress !== null);
  const [held, setHeld] = useState(false);
  // Under a dialog it waits until that is closed; screen readers still hear it at once.
  const asked = useApp(({ session }) => coveringDialog(session) !== null);
  const covered = useDialogOpen() || asked;
  const shown = covered ? null : notice;
  const stays = notice?.action != null && notice.action.passes !== true;

  // A focused button that is gone has sent no blur.
  useEffect(() => {
    if (shown === null) setHeld(false);
  }, [shown]);

  useEffect(() => {
    if (notice === null || held || covered || stays) return;
    const timer = setTimeout(closeNotice, STAYS);
    return () => clearTimeout(timer);
  }, [notice, held, covered, stays, closeNotice]);

  return (
    <div
      data-toast
      role="region"
      aria-label="Notices"
      className={styles.place}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={shown === null ? 'visually-hidden' : styles.toast}>
        {/* Each part is announced by itself: a notice neither stands in the way of progress nor has it said again as it goes. */}
        <span role="status" aria-live="polite" aria-atomic={false}>
          {/* By the notice: the same words said again are a change, too. */}
          <span key={notice?.id}>{notice?.text}</span>
          <span className="visually-hidden">{progress ?? news}</span>
        </span>
        {shown?.action != null && (
          <Button
            size="small"
            className={styles.action ?? ''}
            onClick={() => {
              // First: the action may have a notice of its own.
              closeNotice();
              shown.action?.run();
            }}
          >
            {shown.action.label}
          </Button>
        )}
        {shown !== null && (
          <IconButton size="small" className={styles.close ?? ''} label="Close notice" icon={X} onClick={closeNotice} />
        )}
      </div>
    </div>
  );
};

/** What went wrong and what to do about it, until dismissed or solved. */
export const Problems = () => {
  const { dismiss } = useActions();
  const problems = useApp((state) => state.problems);
  const list = useRef<HTMLDivElement>(null);
  const newest = problems.at(-1)?.id;
  // The newest is the last, and where there are many they are scrolled.
  useEffect(() => {
    if (newest !== undefined) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [newest]);
  return (
    <div ref={list} className={styles.problems}>
      {problems.map(({ id, title, advice, action }) => (
        <div key={id} role="alert" className={styles.problem}>
          <TriangleAlert size={16} aria-hidden />
          <p>
            <b>{title}</b> {advice}
          </p>
          {action !== null && (
            <Button size="small" onClick={action.run}>
              {action.label}
            </Button>
          )}
          <IconButton size="small" label="Dismiss" icon={X} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
};

/**
 * The models' news until a turn's progress is announced: stale news would be read out again afterwards. What comes while
 * progress is announced is said once that ends.
 */
const useModelNews = (spokenOver: boolean): string | null => {
  const models = useApp((state) => state.models);
  const last = useRef(models);
  const [news, setNews] = useState<string | null>(null);
  useEffect(() => {
    const said = modelNews(last.current, models);
    last.current = models;
    if (said !== null) setNews(said);
  }, [models]);
  useEffect(() => {
    if (spokenOver) setNews(null);
  }, [spokenOver]);
  return news;
};

/** A download is announced at every quarter. */
const STEPS = 4;

/**
 * What a screen reader should announce about the models after a change; null for nothing. Kept sparse: when a model
 * starts, at every quarter, when it is ready and when it fails. The embedded models load silently.
 */
export const modelNews = (before: AppState['models'], now: AppState['models']): string | null => {
  const said = ROLES.flatMap((role) => {
    const words = newsOf(before[role], now[role]);
    return words === null ? [] : [now[role].state === 'failed' ? `${ROLE_WORDS[role]}: ${words}` : words];
  });
  return said.length === 0 ? null : [...new Set(said)].join(' ');
};

const newsOf = (before: RoleState, now: RoleState): string | null => {
  if (now.state === 'failed') {
    const { kind, message = '' } = now.failure ?? {};
    if (before.state === 'failed' && before.failure?.message === now.failure?.message) return null;
    // What was cancelled did not fail; its message names it.
    return kind === 'closed' ? message : `${now.name} failed. ${message}`.trim();
  }
  if (now.choice.kind === 'embedded') return null;
  const was = before.name === now.name ? stepOf(before) : null;
  const is = stepOf(now);
  if (is !== null) {
    if (is === was) return null;
    return is > 0 ? `${now.name}: ${is * (100 / STEPS)} %.` : `${now.name}: ${stateWords({ ...now, progress: null })}.`;
  }
  return was === null || now.state === 'idle' ? null : `${now.name} is ready.`;
};

/** Completed quarters; null while nothing is in progress. */
const stepOf = ({ state, progress }: RoleState): number | null => {
  if (progress === null) return state === 'loading' ? 0 : null;
  return Math.min(STEPS - 1, Math.floor((shareOf(progress) ?? 0) * STEPS));
};

/** The running turn's progress for screen readers: its place once known, and its end. */
export const progressWords = ({ turn, forest }: Pick<AppState, 'turn' | 'forest'>): string | null => {
  const node = turn === null ? undefined : forest.nodes[turn.nodeId];
  if (turn === null || node === undefined) return null;
  if (turn.phase === 'summarising') return endWords(node);
  return `Turn ${node.number}: ${whyWords(whyOf(forest, node))}.`;
};

/** How a turn's reply ended. */
const endWords = (node: Node): string => {
  const reply = replyOf(node);
  const { number } = node;
  if (reply?.state === 'failed')
    return `Turn ${number}: the reply failed. ${asSentence(reply.failure ?? 'No reason was given')}`;
  if (reply?.state === 'stopped') return `Turn ${number}: the reply was stopped.`;
  const isEmpty = reply !== null && reply.model !== GIVEN && answerTo(node).trim() === '';
  return isEmpty ? `Turn ${number}: the reply is empty.` : `Turn ${number} has a reply.`;
};
