import type { RoleState } from '../../app/model-control.ts';
import type { AppState, ModelsPage } from '../../app/state.ts';
import type { Prompts } from '../../engine/settings.ts';

/** Who reads a prompt as things stand. */
export interface Readers {
  /** A sentence. */
  readonly words: string;
  /** Whether a language model reads it now, or as soon as it is here. */
  readonly read: boolean;
  /** Where that is chosen. */
  readonly page: ModelsPage;
}

/** `consult`: whether a language model is asked where the embedded decider is unsure. */
export const readersOf = (prompt: keyof Prompts, models: AppState['models'], consult: boolean): Readers => {
  const page = prompt === 'topic' || prompt === 'branch' ? ('decide' as const) : ('summarise' as const);
  const job = page === 'decide' ? 'decides' : prompt === 'summary' ? 'summarises' : 'gives titles';
  const role = models[page];
  if (role.choice.kind === 'embedded' || isEmbeddedChat(role, models)) {
    if (page === 'decide' && consult) {
      return {
        words:
          'Read by the model that is asked where the embedded decider is unsure. The embedded decider itself is no language model and reads no prompt.',
        read: true,
        page,
      };
    }
    return { words: `Nobody reads it now: what ships ${job}, and is no language model.`, read: false, page };
  }
  if (role.state === 'ready' || role.state === 'busy') return { words: `Read by ${role.name}.`, read: true, page };
  const when = role.state === 'failed' ? 'It failed' : 'It is not here yet';
  return {
    words: `To be read by ${role.name}. ${when}: what ships ${job} meanwhile, and reads no prompt.`,
    read: true,
    page,
  };
};

/** The chat model is to do it, and is what ships. */
const isEmbeddedChat = (role: RoleState, models: AppState['models']): boolean =>
  role.choice.kind === 'same-as-chat' && models.chat.choice.kind === 'embedded';
