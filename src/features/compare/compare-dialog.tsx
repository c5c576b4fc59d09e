import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { samples } from '../../app/samples.ts';
import type { NodeId } from '../../domain/forest.ts';
import { sizeOf } from '../../domain/table.ts';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import { asSentence } from '../../engine/model-failure.ts';
import { useActions, useApp, useAppState, usePart } from '../../ui/app-context.ts';
import { ReplayBar } from '../../ui/chat/chat-banners.tsx';
import { SampleCard } from '../../ui/chat/welcome.tsx';
import { AS_OF_NOW } from '../../ui/commands/command.ts';
import { fallbackWords } from '../../ui/inspector/decision-words.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { Loaded } from '../../ui/parts/lazy-parts.tsx';
import { ABOUT_POLICY, POLICY_GROUPS, policyLook } from '../../ui/parts/policies.tsx';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Note } from '../../ui/parts/text.tsx';
import { goToTurn } from '../../ui/shell/commands/go-commands.ts';
import styles from './compare-dialog.module.css';
import { AT_ONCE, type CompareRun, createCompareRun, MAX_POLICIES, MIN_POLICIES } from './compare-run.ts';
import { CostTable, TokensPerTurn } from './cost-table.tsx';
import { ExportMenu } from './export-menu.tsx';
import {
  completeIn,
  fallbacksIn,
  missingWords,
  policiesToRun,
  resultWords,
  type TurnComparison,
  turnComparisons,
  workWords,
} from './turn-comparisons.ts';
import { ComparisonNotes, TurnView } from './turn-view.tsx';

const DESCRIPTION =
  'The same conversation under several memories at once: what each would have sent to the model, turn by turn, and what that costs.';

/** Compares policies on the open conversation. Results are kept while the dialog is closed. */
export const CompareDialog = ({ onClose }: { onClose: () => void }) => {
  const { closeNotice } = useActions();
  const part = usePart();
  const state = useAppState();
  useEffect(() => {
    // The notice leads to this dialog.
    if (state().notice?.action?.label === 'Compare') closeNotice();
  }, [state, closeNotice]);
  return (
    <Dialog title="Compare" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={() => part(createCompareRun)}>{(run) => <Compare run={run} onClose={onClose} />}</Loaded>
    </Dialog>
  );
};

/** The chart, the costs, and each policy's view of one turn. */
export const Compare = ({ run, onClose }: { run: CompareRun; onClose: () => void }) => {
  const actions = useActions();
  const state = useAppState();
  useEffect(() => run.look(), [run]);
  const forest = useApp(({ forest: now }) => now);
  const isPast = useApp(({ past }) => past !== null);
  const names = useStore(run.store, (one) => one.names);
  const known = useStore(run.store, (one) => one.known);
  const rows = useMemo(() => turnComparisons(forest, known), [forest, known]);
  // Defaults to the newest turn until the person chooses one, so that a replay underneath can be watched.
  const [chosenId, setChosenId] = useState<NodeId | null>(null);
  const chosen = rows.findIndex(({ nodeId }) => nodeId === chosenId);
  const at = chosen === -1 ? rows.length - 1 : chosen;
  const choose = (index: number) => setChosenId(rows[index]?.nodeId ?? null);
  const row = rows[at];
  const paneAt = usePaneAt(run, rows, chosen === -1 ? null : chosen);
  const go = (nodeId: NodeId) => {
    onClose();
    goToTurn({ actions, state }, nodeId);
  };

  return (
    <div className={styles.page}>
      {isPast && <Note>{AS_OF_NOW}</Note>}
      {sizeOf(forest.nodes) === 0 ? (
        <>
          <ReplayBar />
          <EmptyComparison />
        </>
      ) : (
        <>
          <CompareHead run={run} rows={rows} />
          <ReplayBar />
          {row === undefined && <Coming run={run} />}
          {row !== undefined && (
            <>
              <TokensPerTurn rows={rows} names={names} at={at} onChoose={choose} />
              <CostTable run={run} rows={rows} at={at} />
              <TurnView run={run} names={names} rows={rows} at={paneAt} onChoose={choose} onGo={go} />
            </>
          )}
          <ComparisonNotes run={run} unit={row?.unit ?? null} />
        </>
      )}
    </div>
  );
};

/** Shown before the first turn has been compared. */
const Coming = ({ run }: { run: CompareRun }) => {
  const running = useStore(run.store, (state) => state.running);
  return running && <Note>The first turns are being processed. Memories read them one at a time…</Note>;
};

/** If more turns than this arrive at once, not every one is shown side by side: that would only delay the rest. */
const MANY = 3;

/** The turn shown side by side; null while many are being compared and none is chosen. */
const usePaneAt = (run: CompareRun, rows: readonly TurnComparison[], chosen: number | null): number | null => {
  const many = useStore(run.store, ({ running, missing }) => running && missing > MANY);
  const last = useRef<NodeId | null>(null);
  if (chosen !== null) return chosen;
  if (!many) last.current = rows.at(-1)?.nodeId ?? null;
  const at = rows.findIndex(({ nodeId }) => nodeId === last.current);
  return at === -1 ? null : at;
};

/** The result in one sentence, what is compared, and the progress. */
const CompareHead = ({ run, rows }: { run: CompareRun; rows: readonly TurnComparison[] }) => {
  const names = useStore(run.store, (state) => state.names);
  const missing = useStore(run.store, (state) => state.missing);
  const running = useStore(run.store, (state) => state.running);
  const playing = useApp(({ replay }) => replay?.running === true);
  const says = resultWords(rows, names, missing);
  const work = workWords(rows, names);
  return (
    <div className={styles.head}>
      <div className={styles.line}>
        {/* Said at the end: until then it changes several times a second. */}
        <div className={styles.result} role="status" aria-live={running || playing ? 'off' : 'polite'}>
          {says !== null && <h3>{says}</h3>}
          {says !== null && (
            <p>
              {work} All policies were given the same turns and replies. The quality of their answers is not measured
              here.
            </p>
          )}
        </div>
        <div className={styles.tools}>
          <ChoosePolicies run={run} />
          <ExportMenu run={run} rows={rows} />
        </div>
      </div>
      <RunProgress run={run} rows={rows} />
      <Failures run={run} rows={rows} />
    </div>
  );
};

const RunProgress = ({ run, rows }: { run: CompareRun; rows: readonly TurnComparison[] }) => {
  const names = useStore(run.store, (state) => state.names);
  const failed = useStore(run.store, (state) => state.failed);
  const running = useStore(run.store, (state) => state.running);
  const missing = useStore(run.store, (state) => state.missing);
  const failure = useStore(run.store, (state) => state.failure);
  const stopped = useStore(run.store, (state) => state.stopped);
  const placing = useStore(run.store, (state) => state.placing);
  const done = completeIn(rows, policiesToRun(names, failed)).length;
  // During a replay underneath, turns come and go: a progress bar for each would only flicker.
  const isPlacing = placing !== null && (missing > 1 || placing.of > AT_ONCE);
  if (isPlacing || (running && missing > 1)) {
    const compared = { value: done === 0 ? null : done, max: done + missing };
    const progress = isPlacing ? { value: placing.turns, max: placing.of } : compared;
    return (
      <div className={styles.going}>
        <ProgressBar label="Comparing policies" {...progress} />
        <span>
          {isPlacing
            ? `${placing.policy} is placing turns again, ${count(placing.turns)} of ${count(placing.of)}`
            : `${count(missing)} turns to go`}
        </span>
        <Button size="small" onClick={run.stop}>
          Stop
        </Button>
      </div>
    );
  }
  if (running || missing === 0 || failure !== null) return null;
  return (
    <div className={styles.going}>
      <span>
        {missingWords(missing, stopped)} This may take a while. You can stop at any time and keep the results so far.
      </span>
      <Button size="small" look="primary" onClick={run.start}>
        {stopped || done > 0 ? 'Continue' : `Compare ${counted(missing, 'turn')}`}
      </Button>
    </div>
  );
};

const Failures = ({ run, rows }: { run: CompareRun; rows: readonly TurnComparison[] }) => {
  const { session } = useActions();
  const failed = useStore(run.store, (state) => state.failed);
  const names = useStore(run.store, (state) => state.names);
  const failure = useStore(run.store, (state) => state.failure);
  const failing = names.filter((name) => failed.has(name));
  const fallbacks = useMemo(
    () => names.flatMap((name) => fallbacksIn(rows, name).map((one) => ({ name, words: fallbackWords(one) }))),
    [names, rows],
  );
  if (failing.length === 0 && fallbacks.length === 0 && failure === null) return null;
  return (
    <div className={styles.failed} role="alert">
      {failure !== null && <p>Could not compare the policies: {asSentence(failure)}</p>}
      {failing.map((name) => (
        <p key={name}>
          <b>{name}</b> could not continue its memory: {asSentence(failed.get(name) ?? '')} The others continued.
        </p>
      ))}
      {fallbacks.map(({ name, words }) => (
        <p key={`${name} ${words}`}>
          <b>{name}</b>: {words}
        </p>
      ))}
      <p>
        Choose available models, then try again.
        <Button size="small" onClick={() => session({ dialog: 'models' })}>
          Open Models
        </Button>
        <Button size="small" onClick={run.retry}>
          Try again
        </Button>
      </p>
    </div>
  );
};

/** Chooses what to compare, with one line on each available policy. */
const ChoosePolicies = ({ run }: { run: CompareRun }) => {
  const names = useStore(run.store, (state) => state.names);
  const change = (name: string, on: boolean) => {
    const wanted = on ? [...names, name] : names.filter((one) => one !== name);
    run.choose(ALL_POLICIES.map((policy) => policy.name).filter((one) => wanted.includes(one)));
  };
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={`Choose policies, ${names.length} chosen`}>
          Choose policies
          <ChevronDown size={14} aria-hidden />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.choice}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Policies to compare"
        >
          <p className={styles.rule}>
            {names.length >= MAX_POLICIES
              ? `You’ve chosen ${MAX_POLICIES}, the most you can compare at once. Remove one to choose another.`
              : `Choose ${MIN_POLICIES} to ${MAX_POLICIES}. ${names.length} chosen.`}
          </p>
          {POLICY_GROUPS.map((group) => (
            <fieldset key={group.title} className={styles.group}>
              <legend>{group.title}</legend>
              {group.names.map((name) => {
                const on = names.includes(name);
                return (
                  <label key={name} className={styles.policy}>
                    <input
                      type="checkbox"
                      checked={on}
                      disabled={on ? names.length <= MIN_POLICIES : names.length >= MAX_POLICIES}
                      aria-label={name}
                      aria-describedby={`about-${name}`}
                      onChange={({ target }) => change(name, target.checked)}
                    />
                    <span className={styles.name}>
                      {name} <Swatch {...policyLook(name)} />
                    </span>
                    <span id={`about-${name}`} className={styles.about}>
                      {ABOUT_POLICY[name]}
                    </span>
                  </label>
                );
              })}
            </fieldset>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};

/** Shown before the first turn: what can be done right here. */
const EmptyComparison = () => {
  const { session } = useActions();
  const coming = useApp(({ replay, turn }) => replay !== null || turn !== null);
  if (coming) return <p className={styles.coming}>Waiting for the first turn…</p>;
  return (
    <div className={styles.nothing}>
      <h3>No messages yet</h3>
      <p>
        A model can read only so much. The policies here differ in how much of a long conversation they send:
        everything, the last turns, the path through a tree, or what a memory recalls. Play a sample under up to{' '}
        {MAX_POLICIES} of them at once and watch them diverge.
      </p>
      <ul className={styles.samples}>
        {samples.map((sample, index) => (
          <SampleCard key={sample.id} sample={sample} index={index} within="compare" />
        ))}
      </ul>
      <p className={styles.own}>
        <Button onClick={() => session({ dialog: 'import', backTo: 'compare' })}>Import a dialogue</Button>
        <span>or close this dialog and write a message.</span>
      </p>
    </div>
  );
};
