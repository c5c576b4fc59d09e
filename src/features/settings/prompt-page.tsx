import { useEffect, useState } from 'react';
import type { ModelChoice } from '../../app/model-control.ts';
import type { AppState } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { clamp } from '../../domain/numbers.ts';
import type { Prompts } from '../../engine/settings.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Heading } from '../../ui/parts/text.tsx';
import styles from './prompt-page.module.css';
import { type DraftEditor, PROMPT_TITLES, promptsFailure } from './settings-draft.ts';
import { DiffView } from './versions-page.tsx';

const ABOUT: Readonly<Record<keyof Prompts, string>> = {
  topic:
    'The instructions a language model gets before it says which topic a message belongs to. The topics, the last turn and the message follow.',
  branch:
    'The instructions a language model gets before it says where in a topic a message continues. The turns so far, the places and the message follow.',
  summary:
    'The instructions a language model gets before it summarises a turn in one sentence. What was said just before, if anything, and the turn follow.',
  title:
    'The instructions a language model gets before it titles a topic. The topic’s first turn follows, and its second once there is one.',
};

/** An answer in another form is rejected, and the shipped fallback is used. */
const FORM: Partial<Record<keyof Prompts, string>> = {
  topic: 'Keep the answer format: JSON with action (continue, switch, create) and target.',
  branch: 'Keep the answer format: JSON with action (continue, create, switch) and target.',
};

export const PromptPage = ({ name, drafting }: { name: keyof Prompts; drafting: DraftEditor }) => {
  const { draft, now, shipped, failure, wrong, edit } = drafting;
  if (shipped === null) {
    return (
      <>
        <PageHead title={PROMPT_TITLES[name]}>{ABOUT[name]}</PageHead>
        {failure === null ? (
          <p className={styles.note}>Loading…</p>
        ) : (
          <p role="alert" className={styles.wrong}>
            {promptsFailure(failure)}
          </p>
        )}
      </>
    );
  }
  const text = draft.prompts[name] ?? now.prompts[name] ?? shipped[name];
  const own = text !== shipped[name];
  const set = (next: string) => edit({ prompts: { ...draft.prompts, [name]: next } });
  const refused = wrong[name];
  const id = `engine-${name}`;
  return (
    <>
      <PageHead title={PROMPT_TITLES[name]}>{ABOUT[name]}</PageHead>
      <ReadBy name={name} />
      <textarea
        id={id}
        className={styles.text}
        aria-label={`Prompt: ${PROMPT_TITLES[name]}`}
        aria-invalid={refused !== undefined}
        aria-describedby={refused === undefined ? undefined : `${id}-wrong`}
        spellCheck={false}
        rows={clamp(text.split('\n').length + 1, 6, 22)}
        value={text}
        onChange={({ target }) => set(target.value)}
      />
      <div className={styles.under}>
        <p className={refused === undefined ? styles.note : styles.wrong} id={`${id}-wrong`}>
          {refused ?? FORM[name] ?? ''}
        </p>
        {own && (
          <Button size="small" onClick={() => set(shipped[name])}>
            Reset to default
          </Button>
        )}
      </div>
      {own && refused === undefined && (
        <section className={styles.diff}>
          <Heading level={4}>Changes from the default</Heading>
          <DiffView label={`${PROMPT_TITLES[name]}, compared with the default`} before={shipped[name]} after={text} />
        </section>
      )}
    </>
  );
};

/** Which model currently reads the prompt, with a link to choose one. */
const ReadBy = ({ name }: { name: keyof Prompts }) => {
  const { models: control, session } = useActions();
  const models = useApp((state) => state.models);
  const [consult, setConsult] = useState<ModelChoice | null>(null);
  useEffect(() => {
    let gone = false;
    // If this fails, assume none is chosen: Models reports the problem.
    control.settings().then(
      (settings) => !gone && setConsult(settings.consult),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [control]);
  const { words, read, page } = readersOf(name, models, consult);
  return (
    <p className={styles.readBy} data-read={read}>
      <span>{words}</span>
      <Button look="quiet" size="small" onClick={() => session({ dialog: 'models', with: page })}>
        {read ? 'Models' : 'Choose a model…'}
      </Button>
    </p>
  );
};

/** Who currently reads a prompt. */
export interface Readers {
  /** A sentence. */
  readonly words: string;
  /** Whether a language model reads it now, or will once it is loaded. */
  readonly read: boolean;
  /** Where to choose it. */
  readonly page: Role;
}

/** `consult`: the model that is asked when the embedded decider is unsure; null for none. */
export const readersOf = (prompt: keyof Prompts, models: AppState['models'], consult: ModelChoice | null): Readers => {
  const page = prompt === 'topic' || prompt === 'branch' ? ('decide' as const) : ('summarise' as const);
  const job = page === 'decide' ? 'decides' : prompt === 'summary' ? 'summarises' : 'gives titles';
  const role = models[page];
  if (isEmbedded(role.choice, models)) {
    if (page === 'decide' && consult !== null && !isEmbedded(consult, models)) {
      return {
        words:
          'Read by the model that is asked when the embedded decider is unsure. The embedded decider is not a language model and reads no prompt.',
        read: true,
        page,
      };
    }
    return { words: `Not in use now: the embedded model ${job}, and it is not a language model.`, read: false, page };
  }
  if (role.state === 'ready' || role.state === 'busy') return { words: `Read by ${role.name}.`, read: true, page };
  const when = role.state === 'failed' ? 'It failed' : 'It is not loaded yet';
  const meanwhile =
    role.previous === null
      ? `the embedded model ${job} and reads no prompt`
      : `${role.previous.name} ${job} and reads it`;
  return { words: `Will be read by ${role.name}. ${when}. Meanwhile, ${meanwhile}.`, read: true, page };
};

/** Whether a choice is the shipped model, or the chat model where that is the shipped one. */
const isEmbedded = ({ kind }: ModelChoice, { chat }: AppState['models']): boolean =>
  kind === 'embedded' || (kind === 'same-as-chat' && chat.choice.kind === 'embedded');
