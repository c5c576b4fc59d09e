import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { Prompts } from '../../engine/settings.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import styles from './setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';

type Asked = 'topic' | 'branch';
const LABELS: Readonly<Record<Asked, string>> = { topic: 'Topic question', branch: 'Branch question' };

/** What a language model that decides is told. Nothing is summarised anew, so the other prompts say nothing here. */
export const PromptFields = ({ run }: { run: WhatIfRun }) => {
  const { shippedPrompts } = useActions();
  const prompts = useWhatIf(run, ({ question }) => question.prompts);
  const [shipped, setShipped] = useState<Prompts | null>(null);
  const { embedded } = run.choices();
  const decider = useWhatIf(run, ({ question }) => question.decider);
  const reads = decider === 'chosen' && !embedded;
  useEffect(() => {
    // Without them the fields begin empty.
    if (reads) shippedPrompts().then(setShipped, () => undefined);
  }, [reads, shippedPrompts]);
  if (!reads) return null;
  return (
    <details className={styles.more}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        Prompts
        {Object.keys(prompts).length > 0 && <i>{Object.keys(prompts).length} set</i>}
      </summary>
      {(['topic', 'branch'] as const).map((name) => (
        <PromptField key={name} run={run} name={name} shipped={shipped?.[name] ?? ''} />
      ))}
    </details>
  );
};

const PromptField = ({ run, name, shipped }: { run: WhatIfRun; name: Asked; shipped: string }) => {
  const id = useId();
  const prompts = useWhatIf(run, ({ question }) => question.prompts);
  const own = prompts[name];
  const set = (text: string | null) => {
    const { [name]: _, ...rest } = prompts;
    run.ask({ prompts: text === null || text.trim() === '' ? rest : { ...rest, [name]: text } });
  };
  if (own === undefined) {
    return (
      <div className={styles.prompt}>
        <span>{LABELS[name]}: as it is</span>
        <Button size="small" onClick={() => set(shipped === '' ? 'You decide.' : shipped)}>
          Ask otherwise
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{LABELS[name]}</label>
      <textarea id={id} rows={6} value={own} onChange={({ target }) => set(target.value)} />
      <Button size="small" look="quiet" onClick={() => set(null)}>
        As it is
      </Button>
    </div>
  );
};
