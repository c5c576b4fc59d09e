import { MessageSquare, Search } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { withinSpell } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { disabledReason } from '../../ui/commands/command.ts';
import { useFeatures } from '../../ui/commands/feature.ts';
import { Finder, FinderOption } from '../../ui/commands/finder.tsx';
import { useKeys } from '../../ui/commands/keymap.ts';
import { counted } from '../../ui/parts/format.ts';
import { useInSteps } from '../../ui/parts/hooks.ts';
import { Ellipsis, Key, Marked, TopicDot } from '../../ui/parts/text.tsx';
import { goToTurn } from '../../ui/shell/commands/go-commands.ts';
import { chooseCommand, commandsOf, recentCommands } from '../../ui/shell/commands/registry.ts';
import styles from './palette.module.css';
import { type PaletteGroup, type PaletteRow, paletteGroups, refusalNow, turnsFound } from './palette-rows.ts';

/** Finds every command, turn and conversation by a few of its letters. */
export const CommandPalette = ({ onClose }: { onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  const features = useFeatures();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const conversation = useApp(({ phase, conversationId }) => `${phase} ${conversationId}`);
  // A snapshot from when it opened: a streaming reply must not move the rows. Opening another conversation may.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const opened = useMemo(state, [conversation]);
  const listed = useMemo(
    () =>
      commandsOf(features)
        .filter(({ id }) => id !== 'palette')
        .map((command) => ({
          command,
          words: command.wordsNow?.(opened) ?? command.words,
          refusal: disabledReason(command, opened),
        })),
    [features, opened],
  );
  const sought = useDeferredValue(query);
  const findTurns = useCallback(() => turnsFound(sought, shownForest(opened)), [sought, opened]);
  const { result: turns, isDone } = useInSteps(findTurns);
  const groupsFor = (text: string, found: readonly Node[] | null) =>
    paletteGroups(text, listed, recentCommands(), opened, found ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they are made of
  const groups = useMemo(() => groupsFor(sought, turns), [sought, listed, opened, turns]);
  const rows = rowsOf(groups);
  const at = Math.min(active, rows.length - 1);
  const id = useId();
  const optionId = (index: number) => `${id}-${index}`;
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another query has another list
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, sought]);

  const choose = (index: number, how: 'keys' | 'pointer'): (() => void) | 'later' | null => {
    // If the user types on and presses Enter, they mean the typed text, not the list that lags behind it.
    const isShown = how === 'pointer' || (sought === query && isDone);
    const found = isShown ? null : withinSpell(turnsFound(query, shownForest(opened)), () => performance.now());
    const row = (isShown ? rows : rowsOf(groupsFor(query, found?.result ?? null)))[index];
    // Turns still to be found come before what is listed after the commands.
    if (!isShown && found === null && row?.kind !== 'command') return 'later';
    const reach = { actions, state };
    switch (row?.kind) {
      case undefined:
        return null;
      case 'command': {
        const refusal = refusalNow(row, state());
        if (refusal !== null) {
          actions.announce(refusal);
          return null;
        }
        return () => chooseCommand(row.command.id, features, reach);
      }
      case 'turn':
        return () => goToTurn(reach, row.node.id);
      case 'conversation':
        return () => void actions.openConversation(row.meta.id);
      case 'search':
        return () => actions.session({ dialog: 'search', with: row.query });
    }
  };

  let index = 0;
  return (
    <Finder
      command="palette"
      title="Commands"
      placeholder="Search commands, turns and conversations"
      query={query}
      onQuery={(next) => {
        setQuery(next);
        setActive(0);
      }}
      listId={id}
      activeId={at >= 0 ? optionId(at) : undefined}
      count={rows.length}
      active={at}
      onActive={setActive}
      isReady={sought === query && isDone}
      choose={choose}
      onClose={onClose}
      status={sought === '' || !isDone ? '' : counted(rows.length, 'result')}
      foot={
        <>
          <span>↑↓ navigate</span>
          <span>Enter run</span>
          <span>Esc close</span>
        </>
      }
    >
      {(pick) => (
        <div ref={list} id={id} role="listbox" aria-label="Commands" className={styles.list}>
          {groups.map(({ heading, rows: own }) => (
            <div key={heading} role="group" aria-label={heading}>
              <p className={styles.heading} aria-hidden>
                {heading}
              </p>
              {own.map((row) => {
                const mine = index++;
                return (
                  <PaletteOption
                    key={row.key}
                    id={optionId(mine)}
                    row={row}
                    selected={mine === at}
                    onPoint={() => setActive(mine)}
                    onPick={() => pick(mine)}
                  />
                );
              })}
            </div>
          ))}
        </div>
      )}
    </Finder>
  );
};

const rowsOf = (groups: readonly PaletteGroup[]): readonly PaletteRow[] => groups.flatMap(({ rows }) => rows);

interface Props {
  readonly id: string;
  readonly row: PaletteRow;
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

const PaletteOption = ({ row, ...rest }: Props) => {
  // The rows stay where they were, but what they say must hold.
  const refusal = useApp((state) => refusalNow(row, state));
  return (
    <FinderOption {...rest} className={styles.option} aria-disabled={refusal !== null || undefined}>
      <Words row={row} refusal={refusal} />
    </FinderOption>
  );
};

const Words = ({ row, refusal }: { row: PaletteRow; refusal: string | null }) => {
  const keys = useKeys();
  switch (row.kind) {
    case 'command': {
      const held = keys(row.command.id);
      return (
        <>
          <span className={styles.words}>
            <Marked text={row.words} marks={row.marks} />
            {refusal !== null && <span className={styles.refusal}>{refusal}</span>}
          </span>
          {held !== undefined && <Key muted>{held}</Key>}
        </>
      );
    }
    case 'turn':
      return (
        <>
          <TopicDot order={row.order} />
          <span className={styles.does}>Go to turn {row.node.number}: </span>
          <Ellipsis>{row.node.message}</Ellipsis>
          <span className={styles.detail} dir="auto">
            {row.topic}
          </span>
        </>
      );
    case 'conversation':
      return (
        <>
          <MessageSquare size={14} aria-hidden />
          <span className={styles.does}>Open </span>
          <Ellipsis>{row.meta.title || 'Untitled'}</Ellipsis>
          <span className={styles.detail}>{counted(row.meta.turns, 'turn')}</span>
        </>
      );
    case 'search':
      return (
        <>
          <Search size={14} aria-hidden />
          <span className={styles.words}>
            <span>
              Search all conversations for “<bdi>{row.query}</bdi>”
            </span>
          </span>
        </>
      );
  }
};
