import { TriangleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { RoleState } from '../../app/model-control.ts';
import { type AppState, shownForest } from '../../app/state.ts';
import { baselineOf, type Context } from '../../domain/context.ts';
import type { Role } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { contextOf, isUnsent, nodeOf, replyOf } from '../../domain/queries.ts';
import type { Remedy } from '../../engine/model-failure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button, Buttons } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import {
  previousWords,
  progressFacts,
  REMEDY_WORDS,
  ROLE_WORDS,
  ROLES,
  remediesFor,
  remedyPage,
  shareOf,
  stateWords,
} from '../parts/model-words.ts';
import { ProgressRing } from '../parts/progress.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './pills.module.css';

/** Always shows the chat model and the decider; another model only while there is something to report. */
export const ModelPills = () => (
  <>
    <ModelPill of="chat" />
    <ModelPill of="decide" />
    <ModelPill of="embed" quiet />
    <ModelPill of="summarise" quiet />
    <ModelPill of="consult" quiet />
  </>
);

/** For when there is room for only one: the role that needs attention most, else one that works. */
export const PhonePill = () => {
  const role = useApp(mostNotable);
  return <ModelPill key={role} of={role} />;
};

const mostNotable = ({ models, consult }: AppState): Role | 'consult' => {
  for (const state of ['failed', 'loading', 'busy'] as const) {
    const role = ROLES.find((one) => models[one].state === state && (one === 'chat' || state !== 'busy'));
    if (role !== undefined) return role;
  }
  return ROLES.find((role) => models[role].progress !== null) ?? (consult?.state === 'loading' ? 'consult' : 'chat');
};

/** `consult`: the model asked when the decider is unsure; a failure of it is reported as a problem. */
const ModelPill = ({ of: role, quiet = false }: { of: Role | 'consult'; quiet?: boolean }) => {
  const { session } = useActions();
  const model = useApp((app) => (role === 'consult' ? app.consult : app.models[role]));
  if (model === null) return null;
  const { name, state, progress, choice } = model;
  if (state === 'failed') return role === 'consult' ? null : <FailedPill role={role} model={model} />;
  if (quiet && (choice.kind === 'same-as-chat' || (state !== 'loading' && progress === null))) return null;
  const [task, page] = role === 'consult' ? ['When unsure, ask', 'decide' as const] : [ROLE_WORDS[role], role];
  const words = stateWords(model);
  const same = choice.kind === 'same-as-chat' ? ['same as chat'] : [];
  const said = [`${task}: ${name}`, ...same, words, ...(progress === null ? [] : progressFacts(progress))].join(', ');
  const under = state === 'loading' || progress !== null;
  const share = progress === null ? null : shareOf(progress);
  return (
    <Tooltip text={said}>
      <button
        type="button"
        className={styles.pill}
        data-role={role}
        data-same={choice.kind === 'same-as-chat' || undefined}
        aria-label={said}
        onClick={() => session({ dialog: 'models', with: page })}
      >
        {under ? <ProgressRing share={share} /> : <span className={styles.state} data-state={state} aria-hidden />}
        <span className={styles.pillName}>{choice.kind === 'same-as-chat' ? `also ${task.toLowerCase()}` : name}</span>
        {under && share !== null && <span className={styles.share}>{Math.floor(share * 100)} %</span>}
      </button>
    </Tooltip>
  );
};

/** A model that failed: opens to say why and what to do, with one button that does it. */
const FailedPill = ({ role, model }: { role: Role; model: RoleState }) => {
  const { session } = useActions();
  const remedy = useRemedy(role);
  const [first] = remediesFor(model);
  const previous = previousWords(model);
  const words = stateWords(model);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className={styles.pill}
          data-tone="danger"
          aria-label={`${ROLE_WORDS[role]}: ${model.name}, ${words}`}
        >
          <span className={styles.state} data-state="failed" aria-hidden />
          <span className={styles.pillName}>{model.name}</span>
          {words}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.why}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={`${model.name} ${words}`}
        >
          <b>
            {model.name} {words}
          </b>
          <p>{model.failure?.message ?? 'No reason given.'}</p>
          {previous !== null && <p>{previous}</p>}
          <Buttons>
            {first !== undefined && (
              <Popover.Close asChild>
                <Button look="primary" onClick={() => remedy(first)}>
                  {REMEDY_WORDS[first]}
                </Button>
              </Popover.Close>
            )}
            <Popover.Close asChild>
              <Button look="quiet" onClick={() => session({ dialog: 'models', with: role })}>
                Open Models
              </Button>
            </Popover.Close>
          </Buttons>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};

/** Carries out a remedy for a role, or opens the page for it. If it fails again, the role's state says so. */
export const useRemedy = (role: Role): ((remedy: Remedy) => void) => {
  const { models, session, reportModelFailure } = useActions();
  const state = useAppState();
  return (remedy) => {
    const page = remedyPage(remedy, role, state().models);
    if (page !== null) return session({ dialog: 'models', with: page });
    const done = remedy === 'retry' ? models.retry(role) : models.choose(role, { kind: 'embedded' });
    done.catch((error: unknown) => {
      if (state().models[role].state !== 'failed') reportModelFailure('Loading the model', error);
    });
  };
};

const UNSAVED_WORDS: Readonly<Record<NonNullable<AppState['storage']['stopped']> | 'never', string>> = {
  full: 'The browser’s storage is full, so closing the tab loses what is new. Save the conversation as a file first.',
  failed: 'Saving has stopped, so closing the tab loses what is new. Save the conversation as a file first.',
  never:
    'This browser does not store data for this page, so closing the tab loses the conversation. Save it as a file first.',
};

/** Shown for as long as nothing can be stored. */
export const StoragePill = () => {
  const { session } = useActions();
  const { kind, stopped } = useApp((state) => state.storage);
  if (kind !== 'memory') return null;
  return (
    <Tooltip text={UNSAVED_WORDS[stopped ?? 'never']}>
      <button
        type="button"
        className={styles.pill}
        data-tone="warn"
        aria-label="not saved"
        onClick={() => session({ dialog: 'settings' })}
      >
        <TriangleAlert size={13} aria-hidden />
        <span className={styles.unsaved}>not saved</span>
      </button>
    </Tooltip>
  );
};

/** The context of a reply, and whether it was sent: not if the reply was imported or a what-if built the context. */
interface LastContext {
  readonly context: Context;
  readonly sent: boolean;
}

/** The newest context on the active path; replies of imported dialogues have none. Asked for at every change of the state. */
export const lastContext = (state: AppState): LastContext | null => {
  const forest = shownForest(state);
  const known = lastContexts.get(forest);
  if (known !== undefined) return known;
  const found = newestContext(forest);
  lastContexts.set(forest, found);
  return found;
};

const lastContexts = new WeakMap<Forest, LastContext | null>();

const newestContext = (forest: Forest): LastContext | null => {
  for (let id = forest.active?.nodeId ?? null; id !== null; ) {
    const node = nodeOf(forest, id);
    const context = contextOf(node);
    if (context !== null) return { context, sent: !isUnsent({ model: replyOf(node)?.model ?? null, context }) };
    id = node.parentId;
  }
  return null;
};

/** What a turn sent, next to what a plain chat would have sent, in sentences. */
export const sentWords = ({ context, sent }: LastContext): string => {
  const { tokens, fullHistoryTokens: whole, unit } = context;
  const plain = baselineOf(context);
  const words =
    tokens > plain
      ? `${count(tokens)} tokens, more than the ${count(plain)} of a plain chat, because summaries and headings also cost tokens`
      : `${count(tokens)} of the ${count(plain)} tokens that a plain chat would have sent`;
  const all = whole > plain ? ` All turns together have ${count(whole)}, more than the model can read.` : '';
  const begin = sent ? 'Sent with the last turn:' : 'Not sent: the last turn’s context has';
  return `${begin} ${words}.${all} Counted by ${unit}.`;
};

/** What the last turn sent, next to what a plain chat would have sent. */
export const TokenMeter = () => {
  const { showInspector } = useActions();
  const last = useApp(lastContext);
  if (last === null) return null;
  const { context } = last;
  const { tokens } = context;
  const plain = baselineOf(context);
  const share = plain === 0 ? 1 : Math.min(1, tokens / plain);
  const over = tokens > plain;
  return (
    <Tooltip text={sentWords(last)}>
      <button type="button" className={styles.meter} onClick={() => showInspector('context')}>
        <span className={styles.bar} aria-hidden>
          <span style={{ width: `${share * 100}%` }} data-over={over} />
        </span>
        {count(tokens)} of {count(plain)} tokens
      </button>
    </Tooltip>
  );
};
