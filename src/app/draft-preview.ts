import type { Role } from '../domain/decision.ts';
import { byNumber, emptyForest, type Forest, type Reply } from '../domain/forest.ts';
import { pendingTurn, replyOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { errorMessage, ModelFailure } from '../engine/model-failure.ts';
import { LatestTask, once } from '../engine/tasks.ts';
import { draftText } from './attachments.ts';
import { type AppPorts, type Kernel, reportingErrors, reportUnexpected } from './kernel.ts';
import { engineSettings } from './saved-settings.ts';
import type { AppState, DraftPreview } from './state.ts';

/** Milliseconds after the last keystroke: `INSTANT` if everything needed is in memory, `UNHURRIED` if a language model is asked. */
const INSTANT = 120;
const UNHURRIED = 1000;
/** The pause grows with the conversation, since building a context takes longer: one millisecond for this many turns. */
const TURNS_A_MS = 20;

/** Keeps `preview` up to date as the user types. Nothing is sent, and further typing aborts the previous request. */
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
    const now = whatCounts(state, ports);
    if (of !== null && sameAs(of, now)) return;
    of = now;
    stop.abort();
    stop = new AbortController();
    clearTimeout(timer);
    if (now.text === '') {
      const { preview } = state;
      if (preview === null) return;
      // The preview of a sent message stays visible until its place is known.
      show(preview.shown !== null && preview.text === now.placing ? { ...preview, phase: 'sent' } : null);
      return;
    }
    const instant = now.asked === '';
    const phase = now.leaves || now.consult !== undefined ? 'on-request' : 'waiting';
    const asks = now.leavesUnnamed ? 'the models' : instant ? null : now.asked;
    const { preview } = state;
    // Further typing does not redraw a preview that says the same.
    if (preview?.phase !== phase || preview.asks !== asks) {
      show({ text: now.text, phase, asks, shown: preview?.shown ?? null, why: null });
    }
    if (phase === 'waiting')
      timer = setTimeout(() => void ask(now.text, asks), instant ? pauseFor(now.forest.turnCount) : UNHURRIED);
  };

  return {
    /** Starts following what is typed. */
    start: (): void => {
      store.subscribe(follow);
      follow();
    },
    actions: {
      /** Asks the decider where the draft would go, when that is not asked automatically; shows the answer as `preview`. */
      previewDraft: reportingErrors(kernel, 'Previewing the message', async () => {
        const { preview } = store.getState();
        if (preview !== null && of !== null) await ask(of.text, preview.asks);
      }),
    },
  };
};

const pauseFor = (turns: number): number => Math.min(UNHURRIED, INSTANT + turns / TURNS_A_MS);

/** What a preview depends on. Nothing is previewed while a message is being answered or the user is viewing the past. */
const whatCounts = (state: AppState, ports: AppPorts) => {
  const { session, forest, past, turn, settings, learning } = state;
  const { chat, decide, embed, summarise, consult } = ports.models();
  const { asksToRecall = false } = engineSettings(settings).policy;
  const readers: { readonly role: Role; readonly name: string }[] = [];
  if (decide.instant !== true || consult !== undefined)
    readers.push({ role: 'decide', name: (consult ?? decide).name });
  if (asksToRecall && summarise.write !== undefined) readers.push({ role: 'summarise', name: summarise.name });
  const named = readers.map(({ role }) => role);
  const leaves = mayLeave(['decide', 'embed', ...(asksToRecall ? (['summarise'] as const) : [])], state, ports);
  const pending = past === null ? pendingTurn(forest) : null;
  return {
    text: past === null && pending === null && !isAnswered(turn) ? draftText(session) : '',
    /** The message that is being placed. */
    placing: pending?.message ?? null,
    attached: session.attached,
    target: session.target,
    forest,
    // The models that answer, not those chosen: the one before answers until the chosen one is ready.
    decide,
    embed,
    summarise,
    consult,
    /** The names of the language models that read the draft; empty if none does. */
    asked: [...new Set(readers.map(({ name }) => name))].join(' and '),
    // What stands in for a model that is not loaded is made anew each time.
    chat: chat.prepare === undefined ? chat : chat.name,
    settings: settings.current,
    // The decider is the same one, whatever it has learned.
    learned: learning.learned,
    leaves,
    /** Whether only a model that is not among `asked` may be on a server, such as the embedder. */
    leavesUnnamed: leaves && !mayLeave(named, state, ports),
  };
};

const isAnswered = (turn: AppState['turn']): boolean => turn !== null && turn.phase !== 'summarising';

const sameAs = (a: ReturnType<typeof whatCounts>, b: ReturnType<typeof whatCounts>): boolean =>
  (a.text === '' && b.text === '' && a.placing === b.placing) ||
  (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);

/**
 * Whether a model on a server might read what these roles are asked, such as a draft: only the keys of server models start
 * with `server:`. While the chosen model loads and after it failed, the one before answers, unless that was the embedded
 * one, and may be on a server. The chat model is only used to count tokens of a draft.
 */
export const mayLeave = (roles: readonly Role[], { models }: AppState, ports: AppPorts): boolean =>
  roles.some((role) => {
    const { choice, state } = models[role];
    const { choice: wanted } = choice.kind === 'same-as-chat' ? models.chat : { choice };
    if (wanted.kind === 'model' && wanted.key.startsWith('server:')) return true;
    return (state === 'loading' || state === 'failed') && ports.models()[role] !== ports.embedded[role];
  });

/**
 * Keeps `nextTokens` up to date: recounts when a turn has ended, or when the active node, system prompt, tokenizer,
 * the chat model's window, whether it sees pictures, the models of a memory, or engine settings have changed.
 */
export const keepCounting = (kernel: Kernel): void => {
  const { store } = kernel;
  let counted = { ...emptyForest(), unit: '', settings: 0 };
  const latest = new LatestTask();
  const unit = () => {
    const { chat, embed, summarise } = kernel.ports.models();
    // A memory is made by these two, and made anew by others: better now than when a message waits for it.
    const { remember } = engineSettings(store.getState().settings).policy;
    const makers = remember === undefined ? '' : `${embed.name} ${summarise.name}`;
    return `${chat.tokens.name} ${chat.window} ${chat.sees === true} ${makers}`;
  };
  // Any edit may change what is sent with the next message.
  const steps = ({ past }: Forest['history']) => past.at(-1)?.id;
  const stands = (forest: Forest) =>
    forest.active === counted.active &&
    isSameReply(lastReply(forest), lastReply(counted)) &&
    forest.replySettings === counted.replySettings &&
    steps(forest.history) === steps(counted.history) &&
    unit() === counted.unit &&
    store.getState().settings.current === counted.settings;

  const count = async () => {
    const { forest, turn } = store.getState();
    if (turn !== null) {
      // It may go on with a reply to an earlier turn.
      counted = { ...counted, unit: '' };
      // The turn must not wait for a language model that a memory asks.
      return latest.cancel();
    }
    // Another tab is replying.
    if (lastReply(forest)?.state === 'streaming' || stands(forest)) return;
    const own = { ...forest, unit: unit(), settings: store.getState().settings.current };
    counted = own;
    const nextTokens = await latest.run((signal) => kernel.engine.nextTokens(signal));
    if (nextTokens === null) {
      if (counted === own) counted = { ...own, unit: '' };
    } else if (stands(store.getState().forest)) store.setState({ nextTokens });
  };
  const recount = () =>
    void count().catch((error) => {
      // The model that counts is gone, which its state shows; the next change triggers a recount.
      if (error instanceof ModelFailure) counted = { ...counted, unit: '' };
      else reportUnexpected(kernel, 'Counting tokens', error);
    });
  store.subscribe(recount);
  recount();
};

/** The chosen reply of the active turn. */
const lastReply = ({ active, nodes }: Pick<Forest, 'active' | 'nodes'>): Reply | null => {
  const node = active === null ? undefined : nodes[active.nodeId];
  return node === undefined ? null : replyOf(node);
};

/** Compares what a reply is known by: a log that is very long reads it anew each time. */
const isSameReply = (a: Reply | null, b: Reply | null): boolean =>
  a?.id === b?.id && a?.state === b?.state && a?.text.length === b?.text.length;

/** Keeps `language` up to date: the language of the user's latest messages. The detector is not loaded before the first message. */
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
    .sort(byNumber)
    .map(({ message }) => message);
