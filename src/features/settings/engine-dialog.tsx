import { GitCommitVertical, MessageSquareText, Route, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { PROMPT_NAMES } from '../../app/saved-settings.ts';
import { type Prompts, SHIPPED_SETTINGS } from '../../engine/settings.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import { PagedDialog, type PageGroup, PageHead } from '../../ui/parts/paged-dialog.tsx';
import { ABOUT_POLICY, POLICY_GROUPS } from '../../ui/parts/policies.tsx';
import { FIELDS } from '../../ui/parts/setting-fields.ts';
import { Muted } from '../../ui/parts/text.tsx';
import styles from './engine-dialog.module.css';
import { ParametersPage } from './parameters-page.tsx';
import { PromptPage } from './prompt-page.tsx';
import {
  canReset,
  type DraftEditor,
  inUseWords,
  PROMPT_TITLES,
  resetFailure,
  unsavedWords,
  useDraft,
} from './settings-draft.ts';
import { VersionsPage } from './versions-page.tsx';

const DESCRIPTION =
  'How turns are placed and what is sent. Each save creates a version, and every trace names the version it was made with.';

type EnginePage = 'policy' | 'parameters' | keyof Prompts | 'versions';

/** The engine's policy, parameters and prompts, with all their versions. */
export const EngineDialog = ({ onClose }: { onClose: () => void }) => {
  const { announce } = useActions();
  const [page, setPage] = useState<EnginePage>('policy');
  const drafting = useDraft();
  const groups = usePages(drafting);
  const close = () => {
    if (drafting.changes > 0) announce(unsavedWords(drafting.changes));
    onClose();
  };
  return (
    <PagedDialog
      title="Engine"
      description={DESCRIPTION}
      onClose={close}
      groups={groups}
      page={page}
      onPage={(to) => to !== null && setPage(to)}
      actions={<DialogFooter page={page} drafting={drafting} onWrong={setPage} />}
    >
      <Page key={page} page={page} drafting={drafting} />
    </PagedDialog>
  );
};

const Page = ({ page, drafting }: { page: EnginePage; drafting: DraftEditor }) => {
  switch (page) {
    case 'policy':
      return <PolicyPage drafting={drafting} />;
    case 'parameters':
      return <ParametersPage drafting={drafting} />;
    case 'versions':
      return <VersionsPage drafting={drafting} />;
    default:
      return <PromptPage name={page} drafting={drafting} />;
  }
};

/** The current version, unsaved changes, and the actions on them. */
const DialogFooter = ({
  page,
  drafting,
  onWrong,
}: {
  page: EnginePage;
  drafting: DraftEditor;
  onWrong: (page: EnginePage) => void;
}) => {
  const { changeSettings } = useActions();
  const settings = useApp((state) => state.settings);
  const { changes, wrong, change, now } = drafting;
  const refused = Object.keys(wrong);
  const shipped = settings.current === 0;

  const save = () => {
    const [first] = refused;
    if (first === undefined) {
      void changeSettings(change).then((isSaved) => isSaved && drafting.discard());
      return;
    }
    onWrong(PROMPT_NAMES.find((name) => name === first) ?? 'parameters');
    // Its page is rendered by the next frame.
    requestAnimationFrame(() => document.getElementById(`engine-${first}`)?.focus());
  };
  const inUse = `${inUseWords(settings)} from the next message`;
  const words =
    changes === 0
      ? inUse
      : `${counted(changes, 'change')} not saved${refused.length === 0 ? '' : `, ${counted(refused.length, 'of them', 'of them')} cannot be`}`;
  const noReset = resetFailure(now, drafting.failure);
  const isShipped = Object.keys(now.parameters).length + Object.keys(now.prompts).length === 0 && shipped;
  return (
    <div className={styles.foot}>
      <p role="status" data-unsaved={changes > 0}>
        {words}
      </p>
      {/* Not in the status, which is read out whole with every change. A prompt’s page says it by itself. */}
      {noReset !== null && !PROMPT_NAMES.some((name) => name === page) && <p>{noReset}</p>}
      <Button
        look="quiet"
        disabled={!canReset(now, drafting.shipped) || (isShipped && changes === 0)}
        onClick={isShipped ? drafting.discard : drafting.resetAll}
      >
        Reset all
      </Button>
      <Button disabled={changes === 0} onClick={drafting.discard}>
        Discard
      </Button>
      <Button look="primary" disabled={changes === 0} onClick={save}>
        Save
      </Button>
    </div>
  );
};

const usePages = ({ now, draft, change, wrong }: DraftEditor): readonly PageGroup<EnginePage>[] => {
  const { current, versions } = useApp((state) => state.settings);
  const own = Object.keys(now.parameters).length;
  const touched = FIELDS.some(({ name }) => wrong[name] !== undefined || change.parameters?.[name] !== undefined);
  const mark = (unsaved: boolean) => unsaved && <span className={styles.unsaved}>not saved</span>;
  return [
    {
      items: [
        {
          page: 'policy',
          icon: Route,
          title: 'Policy',
          words: draft.policy ?? now.policy,
          mark: mark(change.policy !== undefined),
        },
        {
          page: 'parameters',
          icon: SlidersHorizontal,
          title: 'Parameters',
          words: own === 0 ? 'default' : `${own} changed`,
          mark: mark(touched),
        },
      ],
    },
    {
      label: 'Prompts',
      items: PROMPT_NAMES.map((name) => ({
        page: name,
        icon: MessageSquareText,
        title: PROMPT_TITLES[name],
        words: now.prompts[name] === undefined ? 'default' : 'yours',
        mark: mark(wrong[name] !== undefined || change.prompts?.[name] !== undefined),
      })),
    },
    {
      items: [
        {
          page: 'versions',
          icon: GitCommitVertical,
          title: 'Versions',
          words:
            current > 0 ? `${current} in use` : versions.length === 0 ? 'default' : `default, ${versions.length} saved`,
        },
      ],
    },
  ];
};

const PolicyPage = ({ drafting: { draft, now, edit } }: { drafting: DraftEditor }) => {
  const chosen = draft.policy ?? now.policy;
  return (
    <>
      <PageHead title="Policy">
        What is sent to the chat model for a turn. Only context-agent-without-rag and context-agent-code also place
        turns by rules of their own.
      </PageHead>
      <div role="radiogroup" aria-label="Policy" className={styles.groups}>
        {POLICY_GROUPS.map(({ title, names }, at) => (
          <fieldset key={title} className={styles.choices} aria-describedby={at === 1 ? 'policy-memories' : undefined}>
            <legend>{title}</legend>
            {at === 1 && (
              <Muted id="policy-memories" className={styles.note}>
                Each keeps its own memory of the whole conversation, independent of the forest. Without a language model
                for summaries, texts are condensed to their most typical sentences. With one, it writes the summaries,
                lists the facts and rates the importance of what was said.
              </Muted>
            )}
            {names.map((name) => (
              <label key={name} className={styles.choice} data-chosen={name === chosen}>
                <input
                  type="radio"
                  name="policy"
                  aria-describedby={`policy-${name}`}
                  checked={name === chosen}
                  onChange={() => edit({ policy: name })}
                />
                <span>
                  <b>{name}</b>
                  {name === SHIPPED_SETTINGS.policy.name && <small>default</small>}
                  <span id={`policy-${name}`}>{ABOUT_POLICY[name] ?? ''}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
};
