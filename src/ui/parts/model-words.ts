import type { Progress, RoleState } from '../../app/model-control.ts';
import { Role } from '../../domain/decision.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { type Remedy, remediesOf } from '../../engine/model-failure.ts';
import { counted, percent } from './format.ts';

export const ROLES = Role.options;

/** What a role does, in one word for display. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  chat: 'Replies',
  decide: 'Decides',
  summarise: 'Summarises',
  embed: 'Embeds',
};

/** The progress, 0–1; null if unknown. */
export const shareOf = ({ phase, loaded, total }: Progress): number | null =>
  phase === 'preparing' || total === null || total <= 0 ? null : Math.min(1, loaded / total);

/** `not loaded` (also if cancelled), `loading 43 %`, `preparing`, `comparing 12 %`, `ready`, `busy`, `failed`, `refused (401)` */
export const stateWords = ({
  state,
  progress,
  failure = null,
}: Pick<RoleState, 'state' | 'progress'> & Partial<Pick<RoleState, 'failure'>>): string => {
  if (state === 'failed') {
    const { kind, status } = failure ?? {};
    if (kind === 'closed') return STATE_WORDS.idle;
    return kind === 'unauthorised' ? ['refused', status === undefined ? '' : ` (${status})`].join('') : 'failed';
  }
  if (progress === null) return STATE_WORDS[state];
  const share = shareOf(progress);
  return share === null ? PHASE_WORDS[progress.phase] : `${PHASE_WORDS[progress.phase]} ${percent(floored(share))}`;
};

const STATE_WORDS: Record<RoleState['state'], string> = {
  idle: 'not loaded',
  loading: 'loading',
  ready: 'ready',
  busy: 'busy',
  failed: 'failed',
};

const PHASE_WORDS: Record<Progress['phase'], string> = {
  downloading: 'loading',
  preparing: 'preparing',
  embedding: 'comparing',
};

/** Rounds down, so that 100 % only shows once it is done. */
const floored = (share: number): number => Math.floor(share * 100) / 100;

/** Where a model sends the conversation's text. */
export const leavesWords = (address: string): string => `Text of the conversation leaves this browser for ${address}.`;

/** Which model stays in use in place of the chosen one, and where it sends the text; null if there is none but the embedded one. */
export const previousWords = ({ previous, state }: RoleState): string | null => {
  if (previous === null) return null;
  const stays = `${previous.name} stays in use${state === 'loading' ? ' until this one is ready' : ''}.`;
  return previous.leavesFor === null ? stays : `${stays} ${leavesWords(previous.leavesFor)}`;
};

/** What happens while a role's model loads. */
export const meanwhileWords = (role: Role, model: RoleState): string => {
  const previous = previousWords(model);
  if (previous !== null) return previous;
  if (!model.missing) return 'The embedded model stays in use until this one is ready.';
  return role === 'chat'
    ? 'Messages wait until it is ready.'
    : 'The embedded model stands in for it until it is ready.';
};

/** How much has arrived, how fast, and the time left; what is unknown is left out. */
export const progressFacts = ({ phase, loaded, total, speed, timeLeft }: Progress): readonly string[] => {
  const left = timeLeft === null ? [] : [`${timeWords(timeLeft)} left`];
  switch (phase) {
    case 'preparing':
      return ['loading into memory', ...left];
    case 'embedding':
      return [total === null ? counted(loaded, 'turn') : `${loaded} of ${counted(total, 'turn')}`, ...left];
    case 'downloading':
      return [
        total === null ? bytesInWords(loaded) : `${bytesInWords(loaded)} of ${bytesInWords(total)}`,
        ...(speed === null ? [] : [`${bytesInWords(speed)}/s`]),
        ...left,
      ];
  }
};

/** `5 s`, `50 s`, `2 min`, `1 h 10 min`: no more precise than an estimate should look. */
export const timeWords = (seconds: number): string => {
  if (seconds < 10) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 50) return `${Math.ceil(seconds / 10) * 10} s`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `${minutes} min`;
  const rest = Math.round((minutes % 60) / 10) * 10;
  const hours = Math.floor(minutes / 60) + (rest === 60 ? 1 : 0);
  return rest === 0 || rest === 60 ? `${hours} h` : `${hours} h ${rest} min`;
};

/**
 * What can be done about a role's failure, most likely to help first; for embedded models, only retrying. Retrying is always
 * among it, because the person may have removed the cause.
 */
export const remediesFor = ({ choice, failure }: RoleState): readonly Remedy[] => {
  if (failure === null) return [];
  const remedies = choice.kind === 'embedded' ? [] : remediesOf(failure.kind);
  return remedies.includes('retry') ? remedies : [...remedies, 'retry'];
};

export const REMEDY_WORDS: Readonly<Record<Remedy, string>> = {
  retry: 'Try again',
  'smaller-model': 'Choose a smaller model',
  'another-model': 'Choose another model',
  embedded: 'Use the embedded model',
  'free-space': 'Free space',
  settings: 'Check the settings',
};

/** The page of Models where a remedy is found; null if it is carried out directly. */
export const remedyPage = (remedy: Remedy, role: Role, models: Readonly<Record<Role, RoleState>>) => {
  switch (remedy) {
    case 'retry':
    case 'embedded':
      return null;
    case 'smaller-model':
    case 'another-model':
      return role;
    case 'free-space':
      return 'kept';
    case 'settings': {
      const { choice } = models[models[role].choice.kind === 'same-as-chat' ? 'chat' : role];
      return choice.kind === 'model' && choice.key.startsWith('server:') ? 'server' : 'add';
    }
  }
};
