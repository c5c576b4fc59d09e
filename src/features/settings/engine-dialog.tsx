import { useEffect, useRef, useState } from 'react';
import { PROMPT_NAMES } from '../../app/saved-settings.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { counted } from '../../ui/parts/format.ts';
import styles from './engine.module.css';
import { EngineNav, type EnginePage } from './engine-nav.tsx';
import { ParametersPage } from './parameters-page.tsx';
import { PolicyPage } from './policy-page.tsx';
import { PromptPage } from './prompt-page.tsx';
import { type Drafting, useDraft } from './use-draft.ts';
import { VersionsPage } from './versions-page.tsx';

const DESCRIPTION =
  'How turns are placed and what is sent. What you save is a version, and every trace names the one it was made with.';

/** The engine's policy, parameters and prompts, and all versions of them. */
export const EngineDialog = ({ onClose }: { onClose: () => void }) => {
  const { announce } = useActions();
  const [page, setPage] = useState<EnginePage>('policy');
  const drafting = useDraft();
  const beside = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top
  useEffect(() => {
    beside.current?.scrollTo({ top: 0 });
  }, [page]);

  const close = () => {
    if (drafting.changes > 0) {
      announce(`${counted(drafting.changes, 'change')} not saved. They wait in Engine until the page is closed.`);
    }
    onClose();
  };
  return (
    <Dialog
      title="Engine"
      description={DESCRIPTION}
      onClose={close}
      size="pages"
      actions={<Foot drafting={drafting} onWrong={setPage} />}
    >
      <div className={styles.pages}>
        <EngineNav page={page} drafting={drafting} onGo={setPage} />
        <div ref={beside} className={styles.page} role="region" aria-labelledby="engine-page">
          <Page key={page} page={page} drafting={drafting} />
        </div>
      </div>
    </Dialog>
  );
};

const Page = ({ page, drafting }: { page: EnginePage; drafting: Drafting }) => {
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

/** What is in use and what is not saved, and what can be done about it. */
const Foot = ({ drafting, onWrong }: { drafting: Drafting; onWrong: (page: EnginePage) => void }) => {
  const { changeSettings } = useActions();
  const { current, versions } = useApp((state) => state.settings);
  const { changes, wrong, change, now } = drafting;
  const refused = Object.keys(wrong);
  const shipped = current === 0;

  const save = () => {
    const [first] = refused;
    if (first === undefined) {
      void changeSettings(change).then(drafting.discard);
      return;
    }
    onWrong(PROMPT_NAMES.find((name) => name === first) ?? 'parameters');
    // Its page is there by the next frame.
    requestAnimationFrame(() => document.getElementById(`engine-${first}`)?.focus());
  };
  const inUse = `${shipped ? 'As shipped' : `Version ${current} of ${versions.length}`} is in use, from the next message on`;
  const words =
    changes === 0
      ? inUse
      : `${counted(changes, 'change')} not saved${refused.length === 0 ? '' : `, ${counted(refused.length, 'of them', 'of them')} cannot be`}`;
  const isShipped = Object.keys(now.parameters).length + Object.keys(now.prompts).length === 0 && shipped;
  return (
    <div className={styles.foot}>
      <p role="status" data-unsaved={changes > 0}>
        {words}
      </p>
      <Button
        look="quiet"
        disabled={isShipped && changes === 0}
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
