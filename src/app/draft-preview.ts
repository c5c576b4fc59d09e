import { emptyForest, type Forest } from '../domain/forest.ts';
import { pendingTurn } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { errorMessage, ModelFailure } from '../engine/model-failure.ts';
import { once } from '../engine/tasks.ts';
import { draftText } from './attachments.ts';
import { guarded, type Kernel, reportUnexpected } from './kernel.ts';
import type { AppState, DraftPreview } from './state.ts';

/** Milliseconds after the last keystroke: where nothing but what is in memory is asked, and where a language model is. */
const INSTANT = 120;
const UNHURRIED = 1000;
/** Building a context takes longer the longer the conversation is: then it waits for a longer pause, a millisecond for so many turns. */
const TURNS_A_MS = 20;

/** Keeps `preview` right as the person types. Nothing is sent, and what is typed on ends what was asked before. */
export const createDraftPreview = (kernel: Kernel) => {
  const { store, ports } = kernel;
  let stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let of: ReturnType<typeof whatCounts> | null = null;

  const show = (preview: DraftPreview | null) => store.setState({ preview });

  const ask = async (text: string, asks: string | null): Promise<void> => {
    const { signal } = stop;
    const before = store.getState().preview?.shown ?? null;
    show({ text, phase: 'asking', asks, shown: before, why: null });
    try {
      const { target, attached } = store.getState().session;
      const shown = await kernel.engine.preview(text, target, signal, attached);
      if (!signal.aborted) show(shown && { text, phase: 'shown', asks, shown, why: null });
    } catch (error) {
      if (signal.aborted) return;
      const why = errorMessage(error);
      show({ text, phase: 'failed', asks, shown: null, why });
    }
  };

  const follow = (): void => {
    const state = store.getState();
    const now = whatCounts(state);
    if (of !== null && sameAs(of, now)) return;
    of = now;
    stop.abort();
    stop = new AbortController();
    clearTimeout(timer);
    if (now.text === '') {
      const { preview } = state;
      if (preview === null) return;
      // What was expected of a message stays in sight until it is known.
      show(preview.shown !== null && preview.text === now.placing ? { ...preview, phase: 'sent' } : null);
      return;
    }
    const { decide, consult } = ports.models();
    const instant = decide.instant === true && consult === undefined;
    const asks = instant ? null : (consult ?? decide).name;
    const phase = mayLeave(state) || consult !== undefined ? 'on-request' : 'waiting';
    const { preview } = state;
    // Typing on redraws nothing that says the same.
    if (preview?.phase !== phase || preview.asks !== asks) {
      show({ text: now.text, phase, asks, shown: preview?.shown ?? null, why: null });
    }
    if (phase === 'waiting')
      timer = setTimeout(() => void ask(now.text, asks), instant ? pauseFor(now.forest.turnCount) : UNHURRIED);
  };

  return {
    /** Begins to follow what is typed. */
    start: (): void => {
      store.subscribe(follow);
      follow();
    },
    actions: {
      /** Asks, of whoever decides, what would become of the draft where that is not asked unasked; shows it as `preview`. */
      previewDraft: guarded(kernel, 'Previewing the message', async () => {
        const { preview } = store.getState();
        if (preview !== null && of !== null) await ask(of.text, preview.asks);
      }),
    },
  };
};

const pauseFor = (turns: number): number => Math.min(UNHURRIED, INSTANT + turns / TURNS_A_MS);

/** What a preview depends on. Nothing is previewed while a message is answered or the person is in the past. */
const whatCounts = ({ session, forest, past, turn, models }: AppState) => {
  const pending = past === null ? pendingTurn(forest) : null;
  return {
    text: past === null && pending === null && !isAnswered(turn) ? draftText(session) : '',
    /** The message that is finding its place. */
    placing: pending?.message ?? null,
    attached: session.attached,
    target: session.target,
    forest,
    decide: models.decide.name,
    embed: models.embed.name,
    chat: models.chat.name,
  };
};

const isAnswered = (turn: AppState['turn']): boolean => turn !== null && turn.phase !== 'summarising';

const sameAs = (a: ReturnType<typeof whatCounts>, b: ReturnType<typeof whatCounts>): boolean =>
  (a.text === '' && b.text === '' && a.placing === b.placing) ||
  (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);

/** A model on a server would read the draft: of keys of models only theirs begin so. Its chat role only counts, here. */
const mayLeave = ({ models: { decide, embed, chat } }: AppState): boolean =>
  [decide, embed].some((role) => {
    const { choice } = role.choice.kind === 'same-as-chat' ? chat : role;
    return choice.kind === 'model' && choice.key.startsWith('server:');
  });

/**
 * Keeps `nextTokens` right: counted anew when a turn has ended, or the active node, system prompt,
 * tokenizer or the engine's settings are others.
 */
export const keepCounting = (kernel: Kernel): void => {
  const { store } = kernel;
  let counted = { ...emptyForest(), unit: '', settings: 0 };
  const unit = () => kernel.ports.models().chat.tokens.name;
  // Whatever is edited may change what the next message is sent.
  const steps = ({ past }: Forest['history']) => past.at(-1)?.id;
  const stands = ({ active, replySettings, history }: Forest) =>
    active === counted.active &&
    replySettings === counted.replySettings &&
    steps(history) === steps(counted.history) &&
    unit() === counted.unit &&
    store.getState().settings.current === counted.settings;

  const count = async () => {
    const { forest, turn } = store.getState();
    if (turn !== null || stands(forest)) return;
    counted = { ...forest, unit: unit(), settings: store.getState().settings.current };
    const nextTokens = await kernel.engine.nextTokens();
    if (stands(store.getState().forest)) store.setState({ nextTokens });
  };
  const recount = () =>
    void count().catch((error) => {
      // The model that counts is gone, which its state says; the next thing that happens counts anew.
      if (error instanceof ModelFailure) counted = { ...counted, unit: '' };
      else reportUnexpected(kernel, 'Counting tokens', error);
    });
  store.subscribe(recount);
  recount();
};

/** Keeps `language` right: what the person's last messages are in. What tells it is not needed before there is one. */
export const followLanguage = (kernel: Kernel): void => {
  const { store } = kernel;
  const load = once(() => import('../engine/text/spoken-language.ts'));
  let heard = '';

  const listen = async (): Promise<void> => {
    const { conversationId, forest } = store.getState();
    const now = `${conversationId} ${forest.turnCount}`;
    if (now === heard) return;
    heard = now;
    if (forest.turnCount === 0) return store.setState({ language: null });
    const { languageSpoken, MESSAGES_HEARD } = await load();
    if (heard === now) store.setState({ language: languageSpoken(lastMessages(forest, MESSAGES_HEARD)) });
  };
  const follow = () => void listen().catch((error) => reportUnexpected(kernel, 'Detecting the language', error));
  store.subscribe(follow);
  follow();
};

const lastMessages = (forest: Forest, count: number): string[] =>
  [recordsOf(forest.nodes), recordsOf(forest.pending)]
    .flatMap((turns) => turns.filter(({ number }) => number > forest.turnCount - count))
    .sort((a, b) => a.number - b.number)
    .map(({ message }) => message);
