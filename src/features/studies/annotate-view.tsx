import { ArrowLeft, CircleHelp, Download, Flag, Redo2, Undo2 } from 'lucide-react';
import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { textFilter } from '../../app/search-words.ts';
import { Markdown } from '../../ui/chat/markdown.tsx';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { SearchField, Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { PHONE, useMedia } from '../../ui/parts/hooks.ts';
import { Ellipsis } from '../../ui/parts/text.tsx';
import { topicColour } from '../../ui/topic-colour.ts';
import { AnnotateQuestion } from './annotate-question.tsx';
import styles from './annotate-view.module.css';
import { ArcCanvas, SpokenTurn } from './arcs.tsx';
import { isButtonClicked, keyAction, labelKeys } from './label-keys.ts';
import { labelWords, PLACEMENT_WORDS, parentWords, workedWords } from './label-words.ts';
import { firstUnlabelled, type LabelDraft, type Labelling, labelOf, labelsBefore, unsavedLabels } from './labelling.ts';
import { messageWithSpeaker, placesOf, plainReply, type StudyDialogue, type StudyLabel } from './study.ts';

/** Number of labels after which the person is asked to save them: a browser can lose its data. */
const SAVE_EVERY = 25;

/** The view on a phone, which has room for only one. */
type Side = 'turns' | 'forest' | 'guidelines';

interface AnnotateViewProps {
  readonly labelling: Labelling;
  readonly title: string;
  /** Who is labelling; omitted where that is clear. */
  readonly person?: string;
  /** The author's own tags. */
  readonly tags: readonly string[];
  /** Markdown. */
  readonly guidelines: string;
  readonly back: { readonly label: string; readonly go: () => void };
  /**
   * Saves the labels as a file, and the time of the latest in the last one; null if no file is needed. Then there are no flags,
   * either: their comments go to the coordinator in that file.
   */
  readonly saving: { readonly saved: number; readonly save: () => void } | null;
  /** Shown once everything is labelled. */
  readonly end: ReactNode;
}

/** The labelling view: earlier turns, the current turn, the drawing and the guidelines. */
export const AnnotateView = ({ labelling, title, person, tags, guidelines, back, saving, end }: AnnotateViewProps) => {
  const state = useStore(labelling.store);
  const phone = useMedia(PHONE);
  const [side, setSide] = useState<Side>('turns');
  const [help, setHelp] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const worked = useWorked(labelling);

  const { dialogues } = labelling;
  const { events, held: all } = state;
  const turns = dialogues.reduce((sum, dialogue) => sum + dialogue.turns.length, 0);
  const done = [...all.values()].flat().filter((event) => (event?.label ?? null) !== null).length;
  const saved = saving?.saved ?? null;
  const unsaved = useMemo(
    () => (saved === null ? 0 : unsavedLabels({ events, held: all }, dialogues, saved)),
    [events, all, dialogues, saved],
  );

  // If focus is lost (a button disappeared), keys still reach the list.
  const focusList = useCallback(
    () => root.current?.querySelector<HTMLElement>('[role="listbox"], [data-takes-keys]')?.focus(),
    [],
  );
  const latest = useRef({ saving, tags });
  latest.current = { saving, tags };
  // Before painting, so that whatever is visible handles keys.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      labelling.clock.touch();
      const own = root.current?.closest('[role="dialog"]');
      // A dialog on top of this one, and menus, keep their keys; Escape is kept from the dialog while there is a selection
      // to reset.
      if ((event.defaultPrevented && event.key !== 'Escape') || own == null) return;
      // The focused element may have disappeared when the page's width changed.
      if (event.target !== document.body && !own.contains(event.target as Node)) return;
      const act = keyAction(event, {
        labelling,
        tags: latest.current.tags,
        save: latest.current.saving?.save ?? null,
        help: () => setHelp(true),
        flag: latest.current.saving === null ? null : labelling.startComment,
      });
      if (act === null) return;
      event.preventDefault();
      act();
    };
    const { touch } = labelling.clock;
    // After a click, keys continue to work on the list.
    const clicked = (event: MouseEvent) => {
      if (isButtonClicked(event)) focusList();
    };
    const { current } = root;
    document.addEventListener('keydown', pressed);
    current?.addEventListener('click', clicked);
    for (const kind of ['pointerdown', 'wheel']) current?.addEventListener(kind, touch, { passive: true });
    return () => {
      document.removeEventListener('keydown', pressed);
      current?.removeEventListener('click', clicked);
      for (const kind of ['pointerdown', 'wheel']) current?.removeEventListener(kind, touch);
    };
  }, [labelling, focusList]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn, and when the turns are shown again
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.getAttribute('role') === 'dialog') focusList();
  }, [state.dialogue, state.turn, state.done, side, state.comment === null, phone]);
  useEffect(() => {
    // A comment that was being written before takes the keys.
    if (labelling.store.getState().comment === null) focusList();
  }, [labelling, focusList]);

  const dialogue = dialogues[state.dialogue];
  if (dialogue === undefined) return null;
  const before = labelsBefore(state, dialogue, state.turn);
  const label = labelOf(state.choice, before);
  const held = state.held.get(dialogue.id)?.[state.turn];
  const gold = state.feedback ? (dialogue.gold?.[state.turn] ?? null) : null;
  const parents = label === null ? [] : [label.parent, ...label.furtherParents];
  const shows = (one: Side) => !phone || side === one;

  return (
    <div ref={root} className={styles.page} {...(state.choice === state.offered ? {} : { 'data-own-escape': true })}>
      <div className={styles.bar}>
        <IconButton label={back.label} icon={ArrowLeft} onClick={back.go} />
        <div className={styles.where}>
          <Ellipsis as="b">{title}</Ellipsis>
          <Ellipsis>
            {person !== undefined && `${person} · `}
            {dialogue.part === 'training' ? 'Training, dialogue' : 'Dialogue'} {state.dialogue + 1} of{' '}
            {dialogues.length}
            {' · '}
            {dialogue.name}
          </Ellipsis>
        </div>
        <Progress labelling={labelling} />
        <span className={styles.numbers} aria-live="off">
          {done} of {turns} · {workedWords(worked)}
        </span>
        <span className={styles.tools}>
          <IconButton label="Undo" icon={Undo2} keys="Ctrl Z" onClick={labelling.undo} />
          <IconButton label="Redo" icon={Redo2} keys="Ctrl ⇧ Z" onClick={labelling.redo} />
          {saving !== null && <IconButton label="Save the labels" icon={Download} keys="S" onClick={saving.save} />}
          <IconButton label="Keys" icon={CircleHelp} keys="?" onClick={() => setHelp(true)} />
        </span>
      </div>
      {state.failure !== null && (
        <p role="alert" className={styles.failure}>
          Could not save the last label in this browser. {state.failure} Save the labels as a file now.
        </p>
      )}
      {phone && !state.done && (
        <div className={styles.sides}>
          <Segmented
            label="Show"
            options={[
              { value: 'turns', label: 'Turns' },
              { value: 'forest', label: 'Drawing' },
              { value: 'guidelines', label: 'Guidelines' },
            ]}
            value={side}
            onChange={setSide}
          />
        </div>
      )}
      {state.done ? (
        <div className={styles.end} data-takes-keys tabIndex={-1}>
          {end}
          <p>
            {counted(turns, 'turn')} in {counted(dialogues.length, 'dialogue')}, {workedWords(worked)} of work.
          </p>
          <div>
            <Button onClick={labelling.review}>Review the labels</Button>
          </div>
        </div>
      ) : (
        <div className={styles.columns}>
          {shows('turns') && (
            <div className={styles.work}>
              <AnnotateTurns
                key={dialogue.id}
                dialogue={dialogue}
                turn={state.turn}
                labels={before}
                choice={state.choice}
                flags={(state.held.get(dialogue.id) ?? []).map((event) => event?.comment)}
                onPick={labelling.pick}
                onGo={(turn) => labelling.goTo(state.dialogue, turn)}
              />
              <AnnotateQuestion
                labelling={labelling}
                tags={tags}
                dialogue={dialogue}
                label={label}
                held={held}
                gold={gold}
                isSent={saving !== null}
                offer={saving !== null && unsaved >= SAVE_EVERY ? { unsaved, save: saving.save } : null}
              />
            </div>
          )}
          {(!phone || side !== 'turns') && (
            <div className={styles.aside}>
              {shows('forest') && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
                <section className={styles.drawing} aria-label="Drawing" tabIndex={0} data-scrolls>
                  <ArcCanvas
                    turns={dialogue.turns.slice(0, state.turn + 1)}
                    labels={before}
                    asked={state.turn}
                    proposed={[...parents, ...(gold === null ? [] : [gold.parent])].map((from) => ({
                      from,
                      to: state.turn,
                    }))}
                    onPick={labelling.pick}
                  />
                </section>
              )}
              {shows('guidelines') && <GuidelinesPanel text={guidelines} />}
            </div>
          )}
        </div>
      )}
      {help && (
        <Keys
          keys={labelKeys({
            assisted: labelling.mode === 'assisted',
            tags: tags.length > 0,
            sent: saving !== null,
          })}
          onClose={() => setHelp(false)}
        />
      )}
    </div>
  );
};

/** One mark per dialogue that shows how much of it is labelled; pressing it goes there. */
const Progress = ({ labelling }: { labelling: Labelling }) => {
  const state = useStore(labelling.store);
  return (
    <nav className={styles.progress} aria-label="Dialogues">
      {labelling.dialogues.map((dialogue, at) => {
        const left = firstUnlabelled(state, dialogue);
        const labelled = (state.held.get(dialogue.id) ?? []).filter((event) => (event?.label ?? null) !== null).length;
        const words = `Dialogue ${at + 1}: ${dialogue.name}, ${labelled} of ${dialogue.turns.length}`;
        return (
          <button
            key={dialogue.id}
            type="button"
            aria-label={words}
            title={words}
            aria-current={at === state.dialogue ? 'true' : undefined}
            data-done={left === null}
            style={{ flexGrow: dialogue.turns.length }}
            onClick={() => labelling.goTo(at)}
          >
            <span style={{ width: `${(100 * labelled) / dialogue.turns.length}%` }} />
          </button>
        );
      })}
    </nav>
  );
};

const Keys = ({ keys: listed, onClose }: { keys: ReturnType<typeof labelKeys>; onClose: () => void }) => (
  <Dialog title="Keys" description="You can do all labelling from the keyboard." onClose={onClose} size="small">
    <dl className={styles.keys}>
      {listed.map(({ keys, words }) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

/** The guidelines of a study as a reference, with a word search by section. */
const GuidelinesPanel = ({ text }: { text: string }) => {
  const [sought, setSought] = useState('');
  const sections = useMemo(() => sectionsOf(text), [text]);
  const found = sections.filter(textFilter(sought));
  return (
    <section className={styles.guidelines} aria-label="Guidelines">
      <div className={styles.search}>
        <SearchField label="Search the guidelines" value={sought} onChange={setSought} />
        {sought.trim() !== '' && (
          <p role="status">{found.length === 0 ? 'No matches.' : counted(found.length, 'section')}</p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <div className={styles.found} tabIndex={0} role="document" aria-label="Guideline text" data-scrolls>
        <Markdown key={sought.trim()} text={found.join('\n\n')} streaming={false} />
      </div>
    </section>
  );
};

/** Splits before headings, so that matches come with their section. */
const sectionsOf = (markdown: string): string[] => {
  const sections: string[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (sections.length === 0 || (!isCode && /^#{1,6}\s/.test(line))) sections.push(line);
    else sections.push(`${sections.pop()}\n${line}`);
  }
  return sections.filter((section) => section.trim() !== '');
};

/** How often the displayed time is updated, in milliseconds. */
const CLOCK_EVERY = 10_000;

/** Total milliseconds that the person has worked. The clock pauses while the page is hidden. */
const useWorked = ({ store, clock }: Labelling): number => {
  const events = useStore(store, (state) => state.events);
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), CLOCK_EVERY);
    const turned = () => clock.shown(!document.hidden);
    document.addEventListener('visibilitychange', turned);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turned);
    };
  }, [clock]);
  return events.reduce((sum, { worked }) => sum + worked, 0) + clock.worked();
};

/** The turns before the current one, which it may continue from, oldest first. */
const AnnotateTurns = ({
  dialogue,
  turn,
  labels,
  choice,
  flags,
  onPick,
  onGo,
}: {
  dialogue: StudyDialogue;
  turn: number;
  labels: readonly (StudyLabel | null)[];
  choice: LabelDraft;
  /** Comments, by turn. */
  flags: readonly (string | undefined)[];
  onPick: (turn: number) => void;
  onGo: (turn: number) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  const places = placesOf(labels);
  const cursor = typeof choice.cursor === 'number' ? choice.cursor : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn the newest is looked at
  useEffect(() => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight;
  }, [turn, dialogue]);
  useEffect(() => {
    if (cursor !== null) document.getElementById(optionId(cursor))?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);

  if (turn === 0) {
    return (
      <div className={styles.list} data-takes-keys tabIndex={-1}>
        <p className={styles.empty}>The dialogue starts with this turn.</p>
      </div>
    );
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label="Turns so far"
      aria-multiselectable="true"
      tabIndex={0}
      aria-activedescendant={cursor === null ? undefined : optionId(cursor)}
      className={styles.list}
    >
      {dialogue.turns.slice(0, turn).map((said, at) => {
        const label = labels[at] ?? null;
        const reply = plainReply(said);
        const place = places[at];
        const chosen = at === cursor || choice.fixed.includes(at);
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place in the dialogue
            key={at}
            id={optionId(at)}
            role="option"
            // The list has the focus, and this is its active option.
            tabIndex={-1}
            aria-selected={chosen}
            aria-label={`Turn ${at + 1}: ${messageWithSpeaker(said)}${reply === '' ? '' : ` Reply: ${reply}`}${label === null ? '' : ` (${labelWords(label)})`}`}
            className={styles.turn}
            data-newest={at === turn - 1}
            style={place == null ? undefined : ({ '--c': topicColour(place.topic) } as CSSProperties)}
            onClick={() => onPick(at)}
            onDoubleClick={() => onGo(at)}
            onKeyDown={() => undefined}
          >
            <span className={styles.number}>{at + 1}</span>
            <div className={styles.said}>
              <p dir="auto" className={styles.user}>
                <SpokenTurn turn={said} />
              </p>
              {reply !== '' && (
                <p dir="auto" className={styles.reply}>
                  {reply}
                </p>
              )}
            </div>
            <span className={styles.arc}>
              {flags[at] !== undefined && <Flag size={12} aria-label="flagged" />}
              {label === null ? 'no label yet' : arcWords(label)}
            </span>
          </div>
        );
      })}
    </div>
  );
};

const optionId = (turn: number): string => `candidate-${turn}`;

const arcWords = (label: StudyLabel): string => {
  const { parent, furtherParents, placement, unsure } = label;
  const from =
    parent === 'new-topic'
      ? 'new topic'
      : parent === 'elsewhere'
        ? parentWords(parent)
        : `↰ ${[parent, ...furtherParents].map((one) => one + 1).join(', ')} · ${PLACEMENT_WORDS[placement].toLowerCase()}`;
  return unsure ? `${from} · unsure` : from;
};
