import { useCallback, useMemo } from 'react';
import { contentOf, isSavedHere, type SavedSettings, type SettingsState } from '../../app/saved-settings.ts';
import type { Decision, Trace } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { counted, timeAgo } from '../../ui/parts/format.ts';
import { useInSteps } from '../../ui/parts/hooks.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { changedLinesWords, type DiffPiece, lineDiff } from '../../ui/parts/text-diff.ts';
import { type DraftEditor, settingDifferences } from './settings-draft.ts';
import styles from './versions-page.module.css';

export const VersionsPage = ({ drafting }: { drafting: DraftEditor }) => {
  const { versions, current } = useApp((state) => state.settings);
  const forest = useApp((state) => state.forest);
  const count = useCallback(() => turnsByVersion(forest, { versions }), [forest, versions]);
  const turns = useInSteps(count).result;
  return (
    <>
      <PageHead title="Versions">
        What you saved and what changed, newest first. Saving the same settings again gives the same version.
      </PageHead>
      <ol>
        {versions.toReversed().map((saved) => (
          <Version
            key={saved.version}
            saved={saved}
            current={saved.version === current}
            turns={turns?.get(saved.version) ?? 0}
            drafting={drafting}
          />
        ))}
        <li className={styles.version} data-current={current === 0}>
          <Head version={0} title="Default settings" current={current === 0} turns={turns?.get(0) ?? 0} when="" />
        </li>
      </ol>
    </>
  );
};

const Version = ({
  saved,
  current,
  turns,
  drafting: { shipped },
}: {
  saved: SavedSettings;
  current: boolean;
  turns: number;
  drafting: DraftEditor;
}) => {
  const { version, from, at } = saved;
  const settings = useApp((state) => state.settings);
  const origin = contentOf(settings, from);
  const changes = useMemo(
    () => (shipped === null ? [] : settingDifferences(origin, saved, shipped)),
    [origin, saved, shipped],
  );
  return (
    <li className={styles.version} data-current={current}>
      <Head
        version={version}
        title={`Version ${version}`}
        current={current}
        turns={turns}
        when={`${timeAgo(at, Date.now())}, ${originWords(settings, from)}`}
      />
      <ul className={styles.changes}>
        {changes.map(({ what, before, after, prompt }) => (
          <li key={what}>
            {prompt === null ? (
              <>
                {what} <s>{before}</s> <span aria-hidden>→</span> <b>{after}</b>
              </>
            ) : (
              <details>
                <summary>
                  Prompt: {what} <span>{changedLinesWords(lineDiff(before, after))}</span>
                </summary>
                <DiffView label={what} before={before} after={after} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
};

/** What a version was made from, and what its changes are therefore compared with. */
export const originWords = ({ versions }: Pick<SettingsState, 'versions'>, from: number): string => {
  if (from === 0) return 'from the default settings';
  return versions.some(({ version }) => version === from)
    ? `from version ${from}`
    : `from version ${from}, which could not be read: compared with the default settings`;
};

const Head = ({
  version,
  title,
  current,
  turns,
  when,
}: {
  version: number;
  title: string;
  current: boolean;
  turns: number;
  when: string;
}) => {
  const { goToSettings } = useActions();
  return (
    <div className={styles.head}>
      <b>{title}</b>
      <span className={styles.when}>
        {when}
        {turns > 0 && `${when === '' ? '' : ' · '}${counted(turns, 'turn')} of this conversation`}
      </span>
      {current ? (
        <span className={styles.inUse}>in use</span>
      ) : (
        <Button size="small" aria-label={`Use ${title.toLowerCase()}`} onClick={() => void goToSettings(version)}>
          Use
        </Button>
      )}
    </div>
  );
};

/** The settings that a decision was made with, as its trace names them; null without a trace. */
type NamedSettings = Pick<Trace, 'policy' | 'settings'>;

/** What has been read of decisions. Each reply adds to the forest every second, and not all of it is to be read again. */
const settingsRead = new WeakMap<Decision, NamedSettings | null>();

const settingsOf = (decision: Decision): NamedSettings | null => {
  const read = settingsRead.get(decision);
  if (read !== undefined) return read;
  const { trace } = decision;
  const named = trace === null ? null : { policy: trace.policy, settings: trace.settings };
  settingsRead.set(decision, named);
  return named;
};

/** Turns read in a step: as many as take a few milliseconds. */
const PART = 64;

/** Number of turns decided with each version that is saved here; counted in steps. */
export function* turnsByVersion(
  { nodes }: Forest,
  settings: Pick<SettingsState, 'versions'>,
): Generator<undefined, ReadonlyMap<number, number>> {
  const turns = new Map<number, number>();
  for (const [at, { decision }] of recordsOf(nodes).entries()) {
    if (at > 0 && at % PART === 0) yield;
    const named = settingsOf(decision);
    const version = named?.settings?.version;
    if (named === null || version === undefined || !isSavedHere(settings, named)) continue;
    turns.set(version, (turns.get(version) ?? 0) + 1);
  }
  return turns;
}

/** Lines of context around a difference. */
const AROUND = 2;

const SIGN = { same: ' ', added: '+', removed: '−' } as const;
const SAID = { same: '', added: 'added: ', removed: 'removed: ' } as const;

/** The differing lines, with some context. */
export const DiffView = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const kept = useMemo(() => near(lines), [lines]);
  return (
    <div className={styles.diff} role="group" aria-label={`${label}: ${changedLinesWords(lines)}`}>
      {kept.map((line, index) =>
        line === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className={styles.gap} aria-hidden>
            ⋯
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className={styles.line} data-kind={line.kind}>
            <span aria-hidden>{SIGN[line.kind]}</span>
            <code>
              <span className="visually-hidden">{SAID[line.kind]}</span>
              {line.text || ' '}
            </code>
          </div>
        ),
      )}
    </div>
  );
};

/** Keeps only lines near a difference; null marks a gap. */
const near = (lines: readonly DiffPiece[]): (DiffPiece | null)[] => {
  const wanted = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, at) => {
    if (wanted[at] === true) return [line];
    return at === 0 || wanted[at - 1] === true ? [null] : [];
  });
};
