import { ChevronDown, Eye, Paperclip, SendHorizontal, SlidersHorizontal, Square, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { draftText } from '../../app/attachments.ts';
import { type AppState, type DraftPreview, shownForest } from '../../app/state.ts';
import type { Target } from '../../domain/decision.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { disabledInPast } from '../commands/command.ts';
import { useKeys } from '../commands/keymap.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { isComposing, stayWhileComposing } from '../parts/composing.ts';
import { useFilePicker } from '../parts/fields.tsx';
import { count } from '../parts/format.ts';
import { TOUCH, useMedia } from '../parts/hooks.ts';
import { lazyPart } from '../parts/lazy-parts.tsx';
import { Ellipsis, TopicDot } from '../parts/text.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { useVoice } from '../voice/voice-settings.ts';
import styles from './composer.module.css';
import { previewedPlaceWords, targetWords } from './placement-words.ts';
import { settingsWords } from './reply-settings-form.ts';

const loadAttachments = () => import('../attachments/attachments.tsx');
const DraftAttachments = lazyPart(async () => (await loadAttachments()).DraftAttachments);
const PastedOffer = lazyPart(async () => (await loadAttachments()).PastedOffer);
// None of these are needed for the first paint.
const PlacePicker = lazyPart(async () => (await import('./place-picker.tsx')).PlacePicker);
const DictateButton = lazyPart(async () => (await import('../voice/dictation.tsx')).DictateButton);
const PersonaMenu = lazyPart(async () => (await import('./persona-menu.tsx')).PersonaMenu);

/** Pasted text of more than this many UTF-16 units is offered as a file instead. */
const LONG_PASTE = 4000;

/** Id of the message field's description while the user has chosen where the message goes. */
const CHOSEN_PLACE = 'chosen-place';

export const STILL_WRITING = 'The reply is still being written. Stop it to send this now.';

/** While a summary is being made the reply is complete, so the next message can be sent. */
export const isReplying = ({ turn }: AppState): boolean => turn !== null && turn.phase !== 'summarising';

/** Why the draft cannot be sent now; null if it can. */
export const whyNotSent = (state: AppState): string | null => {
  const { session } = state;
  const isEmpty = draftText(session) === '' && session.attaching.length === 0;
  return disabledInPast(state) ?? (isEmpty ? 'Write a message first.' : isReplying(state) ? STILL_WRITING : null);
};

/** Whether a text that was copied with files only names them, one a line, as the Finder does; it may take accents apart. */
export const areNames = (text: string, files: readonly Pick<File, 'name'>[]): boolean => {
  const names = new Set(files.map(({ name }) => name.normalize()));
  return text
    .trim()
    .split('\n')
    .every((line) => names.has(line.trim().normalize()));
};

/** Where the next message is written. Loading models never block it. */
export const Composer = () => {
  const actions = useActions();
  const state = useAppState();
  const draft = useApp((app) => app.session.draft);
  const chosen = useApp((app) => app.session.target !== null);
  const readOnly = useApp((app) => app.past !== null);
  const busy = useApp(isReplying);
  const refusal = useApp(whyNotSent);
  const untouched = useApp((app) => shownForest(app).turnCount === 0);
  const conversationId = useApp((app) => app.conversationId);
  const ready = useApp((app) => app.phase === 'ready');
  const withFiles = useApp(({ session }) => session.attached.length + session.attaching.length > 0);
  const withPersonas = useApp((app) => app.entries.length === 0 && app.personas.all.length > 1);
  const dictates = useVoice().dictation !== 'off';
  const touch = useMedia(TOUCH);
  const [dropping, setDropping] = useState(false);
  const [pasted, setPasted] = useState<string | null>(null);
  const offerDone = useCallback(() => setPasted(null), []);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const opened = useRef(false);

  // Focus the field of an empty conversation; not on a touch screen, where the keyboard would cover the welcome.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => {
    if (!ready) return;
    const opening = !opened.current;
    opened.current = true;
    if (!untouched || matchMedia(TOUCH).matches) return;
    // Do not take the focus from a user who was faster than the page, or from a dialog.
    if (opening && (document.activeElement !== document.body || document.querySelector('[role="dialog"]'))) return;
    field.current?.focus({ preventScroll: true });
  }, [ready, untouched, conversationId]);

  // Disabled under the focus, as when a reply ends, it would lose it to the page.
  const unusable = !busy && refusal !== null;
  useLayoutEffect(() => {
    if (unusable && document.activeElement === button.current) focusAfterPress(button.current, field.current);
  }, [unusable]);

  const send = () => {
    const why = whyNotSent(state());
    if (why === null) void actions.send(draftText(state().session));
    // The others are plain to see.
    else if (why === STILL_WRITING) actions.announce(why);
  };

  // In an empty field, Arrow Up has no line to move to: it edits the last message.
  const pressed = (event: KeyboardEvent) => {
    const { session, forest } = state();
    const last = forest.nodes[forest.active?.nodeId ?? ''];
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key !== 'ArrowUp' || !plain || session.draft !== '' || last === undefined || readOnly) return;
    event.preventDefault();
    actions.editMessage(last.id);
  };

  // Office programs copy text together with a picture of it: the text wins.
  const paste = (event: ClipboardEvent) => {
    const copied = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n');
    const files = [...event.clipboardData.files];
    const text = areNames(copied, files) ? '' : copied;
    if (text === '' && files.length > 0) {
      event.preventDefault();
      void actions.attach(files);
    }
    setPasted(text.length > LONG_PASTE ? text : null);
  };

  const offered = pasted !== null && draft.includes(pasted) ? pasted.length : null;

  return (
    <form
      className={styles.composer}
      data-dropping={dropping || undefined}
      onDragOver={(event) => {
        const takes = !readOnly && isHere(event) && event.dataTransfer.types.includes('Files');
        if (takes) event.preventDefault();
        setDropping(takes);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Element && currentTarget.contains(relatedTarget))) setDropping(false);
      }}
      // Files dropped elsewhere on the page are imported.
      onDrop={(event) => {
        setDropping(false);
        if (readOnly || !isHere(event) || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        void actions.attach([...event.dataTransfer.files]);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isHere(event)) return;
        send();
        focusAfterPress(button.current, field.current);
      }}
    >
      <ComposerTarget />
      <Announcement offered={offered} />
      <Suspense fallback={null}>
        {withFiles && <DraftAttachments field={field} />}
        {pasted !== null && <PastedOffer text={pasted} onDone={offerDone} />}
      </Suspense>
      <MessageField
        ref={field}
        id="message"
        aria-label="Message"
        {...(chosen ? { 'aria-describedby': CHOSEN_PLACE } : {})}
        className={styles.field}
        value={draft}
        disabled={readOnly}
        placeholder={readOnly ? 'Return to the present to write' : 'Write about anything'}
        onChange={(event) => actions.session({ draft: event.target.value })}
        onKeyDown={pressed}
        onSend={send}
        onPaste={paste}
      />
      <div className={styles.row}>
        <AttachButton disabled={readOnly} />
        {dictates && (
          <Suspense fallback={null}>
            <DictateButton disabled={readOnly} />
          </Suspense>
        )}
        {withPersonas && (
          <Suspense fallback={null}>
            <PersonaMenu />
          </Suspense>
        )}
        <ReplySettingsButton />
        <span className={styles.hint}>
          {touch ? '' : draft.includes('\n') ? 'Enter sends' : 'Shift Enter for a new line'}
        </span>
        {busy ? (
          // The same element as “Send”, of which a second click or a key still held down is left over.
          <Button
            look="primary"
            ref={button}
            onClick={({ detail }) => {
              if (detail < 2) actions.stop();
              focusAfterPress(button.current, field.current);
            }}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
          >
            <Square size={12} fill="currentColor" aria-hidden />
            Stop
          </Button>
        ) : (
          <Button look="primary" type="submit" ref={button} disabled={unusable}>
            <SendHorizontal size={14} aria-hidden />
            Send
          </Button>
        )}
      </div>
    </form>
  );
};

/**
 * Gives the message the focus back once its button was pressed: what is typed next is written there, and not taken for
 * commands. Not on a touch screen, where the keyboard would cover the chat.
 */
const focusAfterPress = (button: Element | null, field: HTMLElement | null): void => {
  const focused = document.activeElement;
  // In Safari a pressed button leaves the focus to what is around it.
  const isThere = focused === button || focused?.contains(field) === true;
  if (isThere && !matchMedia(TOUCH).matches) field?.focus({ preventScroll: true });
};

/** False for dialogs opened from here but placed elsewhere on the page: React events bubble from those, too. */
const isHere = ({ currentTarget, target }: SyntheticEvent): boolean =>
  target instanceof Element && currentTarget.contains(target);

const AttachButton = ({ disabled }: { disabled: boolean }) => {
  const { attach } = useActions();
  const picker = useFilePicker('Files to attach', (files) => void attach(files), { multiple: true });
  return (
    <>
      <IconButton label="Attach" icon={Paperclip} disabled={disabled} onClick={picker.pick} />
      {picker.input}
    </>
  );
};

/** Tells screen readers of what stands before the message: files, those being read, and the offer to make a text one. */
const Announcement = ({ offered }: { offered: number | null }) => {
  const said = useApp(({ session }) => draftFilesWords(session));
  // No `status`, which is where notices are; and outside the chat, which would otherwise not be hidden behind dialogs.
  return createPortal(
    <p aria-live="polite" className="visually-hidden">
      {offered === null
        ? said
        : `${count(offered)} characters were pasted. A button before the message attaches them as a file instead.`}
    </p>,
    document.body,
  );
};

/** How many files are named before the others are only counted. */
const NAMED = 3;

/** What a message's files are, and whether some are still being read. */
export const draftFilesWords = ({
  attached,
  attaching,
}: Pick<AppState['session'], 'attached' | 'attaching'>): string => {
  const [first, ...others] = attaching;
  if (first !== undefined) return others.length === 0 ? `Reading ${first.name}…` : 'Reading files…';
  if (attached.length === 0) return '';
  const names = attached.slice(0, NAMED).map(({ name }) => name);
  const more = attached.length - names.length;
  return `Attached: ${names.join(', ')}${more === 0 ? '' : ` and ${count(more)} more`}.`;
};

/** The draft's preview, which is more accurate than the guess made without its text. */
const previewed = ({ preview, session }: AppState) =>
  session.target === null && preview?.phase !== 'sent' ? (preview?.shown ?? null) : null;

const orderOf = (state: AppState): number => {
  const shown = previewed(state);
  if (shown !== null) return shown.forest.trees[shown.node.treeId]?.order ?? 0;
  const forest = shownForest(state);
  const { target } = state.session;
  const node = forest.nodes[(target?.kind === 'under' ? target.nodeId : forest.active?.nodeId) ?? ''];
  return target?.kind === 'new-topic' || node === undefined
    ? forest.topicCount
    : (forest.trees[node.treeId]?.order ?? 0);
};

/** `nextTokens`, which are those of going on from the active turn; null if the message is to go elsewhere. */
export const tokensThere = ({ nextTokens, session: { target }, forest: { active } }: AppState): number | null =>
  target === null || (target.kind === 'under' && target.nodeId === active?.nodeId) ? nextTokens : null;

/** The line above the message: where it will go, and a way to choose that. */
const ComposerTarget = () => {
  const { session } = useActions();
  const target = useApp((state) => state.session.target);
  const words = useApp((state) => {
    const shown = previewed(state);
    const forest = shownForest(state);
    return shown === null ? targetWords(forest, state.session.target) : previewedPlaceWords(shown, forest.trees);
  });
  const order = useApp(orderOf);
  const empty = useApp((state) => shownForest(state).active === null);
  const fixed = useApp((state) => state.past !== null);
  const tokens = useApp(tokensThere);
  const keys = useKeys()('choose-place');
  const [open, setOpen] = useState(false);

  const choose = (to: Target | null) => {
    session({ target: to });
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Anchor className={styles.to} data-chosen={target !== null}>
        <TopicDot order={order} />
        <Tooltip text="Choose where it goes" {...(keys === undefined ? {} : { keys })}>
          <Popover.Trigger asChild>
            <button
              type="button"
              id="choose-place"
              className={styles.target}
              aria-label={`Next message: ${words}`}
              disabled={empty || fixed}
            >
              <Ellipsis fit>{words}</Ellipsis>
              {!empty && <ChevronDown size={12} aria-hidden />}
            </button>
          </Popover.Trigger>
        </Tooltip>
        {target !== null && (
          <>
            <span id={CHOSEN_PLACE} className="visually-hidden">
              You chose where it goes: {words}
            </span>
            <IconButton size="small" label="Let Coppice decide" icon={X} onClick={() => session({ target: null })} />
          </>
        )}
        <PreviewLine>
          {tokens !== null && !empty && <span className={styles.tokens}>· {count(tokens)} tokens</span>}
        </PreviewLine>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={styles.places}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Where the message goes"
          // The field to focus may still be loading.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={stayWhileComposing}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // After a choice the focus goes to the message; if the user went elsewhere, it stays there.
            if (document.activeElement === document.body) document.querySelector<HTMLElement>('#message')?.focus();
          }}
        >
          <Suspense fallback={null}>
            <PlacePicker onChoose={choose} onClose={() => setOpen(false)} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};

/** What would be sent for the draft, with a way to see where it would go and why; without a draft, its children. */
const PreviewLine = ({ children }: { children: ReactNode }) => {
  const preview = useApp((state) => state.preview);
  const { select, showInspector, previewDraft } = useActions();
  if (preview === null || preview.phase === 'sent') return children;
  const { phase, shown, asks } = preview;
  if (phase === 'on-request') {
    return (
      <button type="button" className={styles.ask} onClick={() => void previewDraft()}>
        Ask {asks} where it would go
      </button>
    );
  }
  if (shown === null) return phase === 'waiting' && asks === null ? children : <Waiting preview={preview} />;
  const explain = () => {
    // With nothing selected, the inspector shows the preview.
    select(null);
    showInspector('decision');
  };
  return (
    <>
      <Ellipsis fit className={styles.sent} data-stale={phase !== 'shown' || undefined}>
        · {count(shown.context.tokens)} tokens
        {asks !== null && phase === 'asking' && ` · asking ${asks}`}
      </Ellipsis>
      <IconButton
        size="small"
        className={styles.why ?? ''}
        label="Preview: why it would go there"
        icon={Eye}
        onClick={explain}
      />
    </>
  );
};

const Waiting = ({ preview: { phase, asks, why } }: { preview: DraftPreview }) => {
  if (phase === 'failed')
    return (
      <Ellipsis fit className={styles.sent}>
        · no preview: {why}
      </Ellipsis>
    );
  return (
    <Ellipsis fit className={styles.sent}>
      · {phase === 'asking' ? `asking ${asks ?? 'where it would go'}…` : `will ask ${asks} when you pause`}
    </Ellipsis>
  );
};

/** Shows the reply settings of this conversation, and opens the dialog to change them. */
const ReplySettingsButton = () => {
  const { session } = useActions();
  const words = useApp((state) => settingsWords(shownForest(state).replySettings));
  const readOnly = useApp((state) => state.past !== null);
  return (
    <Tooltip text="Reply settings">
      <Button
        look="quiet"
        className={styles.settings ?? ''}
        aria-label={words === null ? 'Reply settings' : `Reply settings: ${words}`}
        aria-haspopup="dialog"
        disabled={readOnly}
        onClick={() => session({ dialog: 'reply-settings' })}
      >
        <SlidersHorizontal size={15} strokeWidth={1.8} aria-hidden />
        {words !== null && <span>{words}</span>}
      </Button>
    </Tooltip>
  );
};

interface Props extends ComponentProps<'textarea'> {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onSend: () => void;
}

/**
 * A message field that grows with its text: Enter sends, Shift+Enter inserts a new line. On a touch screen Enter inserts
 * one, and the button sends.
 */
export const MessageField = ({ ref, value, onSend, onKeyDown, ...rest }: Props) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const element = ref.current;
    // `field-sizing: content` in the style sheets is free; reading the height forces a layout on every key.
    if (element === null || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [ref, value]);

  return (
    <textarea
      ref={ref}
      dir="auto"
      rows={1}
      value={value}
      onKeyDown={(event) => {
        if (!isSend(event)) return onKeyDown?.(event);
        event.preventDefault();
        onSend();
      }}
      {...rest}
    />
  );
};

const isSend = (event: KeyboardEvent): boolean =>
  // Enter that accepts an input method's suggestion must not send.
  event.key === 'Enter' &&
  !event.shiftKey &&
  !isComposing(event.nativeEvent) &&
  (event.ctrlKey || event.metaKey || !matchMedia(TOUCH).matches);
