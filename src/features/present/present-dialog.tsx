import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  CirclePlus,
  Download,
  Maximize,
  NotebookPen,
  PenLine,
  Pointer,
  Trash2,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import { clamp } from '../../domain/numbers.ts';
import { conversationTitle } from '../../domain/queries.ts';
import type { StoryScene } from '../../domain/story.ts';
import { useActions, useApp, usePart } from '../../ui/app-context.ts';
import { singleKeys } from '../../ui/commands/keymap.ts';
import { isCharacter, type Keystroke, strokeOf } from '../../ui/commands/keystroke.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { isComposing } from '../../ui/parts/composing.ts';
import { useBack, useFocusGivenBack } from '../../ui/parts/dialog.tsx';
import { download, fileName } from '../../ui/parts/download.ts';
import { counted } from '../../ui/parts/format.ts';
import { useButReplyTexts } from '../../ui/parts/hooks.ts';
import {
  type DrawnForest,
  drawStaticForest,
  STATIC_FOREST_STYLE,
  type StaticCard,
  type StaticCards,
  type StaticTurn,
} from '../../ui/static-forest/draw-static-forest.ts';
import { staticCardsOf, staticWords } from '../../ui/static-forest/static-forest-of.tsx';
import { topicColour } from '../../ui/topic-colour.ts';
import styles from './present.module.css';
import {
  createStory,
  existingScenes,
  isSameCards,
  missingScenes,
  moveScene,
  type StoryChange,
  sceneTurns,
  storyOf,
  storyText,
  updateScene,
  withScenes,
} from './scenes.ts';

/** Selectable text sizes, in pixels. */
const SIZES = [18, 22, 28, 34, 42] as const;
const MIDDLE = 2;

/** Presents the conversation to an audience: one key press per step, and the view follows what happens. */
export const PresentDialog = ({ onClose }: { onClose: () => void }) => {
  useFocusGivenBack();
  const live = useApp(shownForest);
  // While a reply arrives, only its words change.
  const forest = useButReplyTexts(live);
  const past = useApp((state) => state.past !== null);
  const part = usePart();
  const actions = useActions();
  const title = conversationTitle(forest) || 'Conversation';
  const isStory = useMemo(() => existingScenes(forest).length > 0, [forest]);
  const scenes = useMemo(() => storyOf(forest), [forest]);
  // A change to the story, or to anything else that no card shows, draws nothing again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const cards = useMemo(() => staticCardsOf(forest), [forest.nodes, forest.children, forest.trees]);
  const shape = useSame(cards, isSameCards);
  const [place, setPlace] = useState(0);
  const [size, setSize] = useState(MIDDLE);
  const [ring, setRing] = useState(true);
  const [notes, setNotes] = useState(false);
  const [edits, setEdits] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  /** Leaves a field that is written in, which saves it; closing would not. Returns whether there was one. */
  const leaveField = (): boolean => {
    const writes = document.activeElement?.matches('input, textarea') === true;
    if (writes) stage.current?.focus();
    return writes;
  };
  useBack(() => {
    if (!leaveField()) onClose();
  });
  // A scene that is being added or has been removed is not among them.
  const at = Math.min(place, scenes.length - 1);
  const scene = scenes[at];
  const turn = shape.turns.find(({ id }) => id === scene?.nodeId);
  const said = useMemo(() => {
    const node = live.nodes[scene?.nodeId ?? ''];
    return node === undefined ? null : staticWords(live, node);
  }, [live, scene?.nodeId]);
  const choose = (id: string) => {
    const to = scenes.findIndex(({ nodeId }) => nodeId === id);
    if (to !== -1) go(to);
    else if (edits && !past) add((one) => one.nodeId === id);
  };

  const go = (to: number) => setPlace(clamp(to, 0, scenes.length - 1));
  const larger = (by: number) => setSize((now) => clamp(now + by, 0, SIZES.length - 1));
  const fullScreen = () => {
    const done = document.fullscreenElement === null ? stage.current?.requestFullscreen() : document.exitFullscreen();
    done?.catch(() => actions.announce('The browser blocked full screen.'));
  };
  const tell = (change: StoryChange) => {
    part(createStory)
      .then((story) => story.tell(change))
      .catch((error) => actions.reportFailure('Saving the story', error));
  };
  const missing = useMemo(() => missingScenes(forest, scenes), [forest, scenes]);
  /** Adds some of the missing scenes and goes to the first. */
  const add = (isWanted: (scene: StoryScene) => boolean) => {
    const wanted = missing.filter(isWanted);
    // Hidden turns have none.
    if (wanted.length === 0) return;
    tell((all, now) => withScenes(now, all, missingScenes(now, all).filter(isWanted)));
    const to = withScenes(forest, scenes, wanted).findIndex(({ id }) => id === wanted[0]?.id);
    if (to !== -1) setPlace(to);
  };

  const onKey = (event: KeyboardEvent) => {
    const writes = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
    const done =
      event.target instanceof Element ? keyed(presentKey(event.nativeEvent, event.target, singleKeys())) : null;
    if (done === null) return;
    event.preventDefault();
    done();
  };
  const keyed = (key: string | null): (() => void) | null => {
    switch (key) {
      case 'ArrowRight':
      case 'PageDown':
      case 'Space':
      case 'Enter':
        return () => go(at + 1);
      case 'ArrowLeft':
      case 'PageUp':
        return () => go(at - 1);
      case 'Home':
        return () => go(0);
      case 'End':
        return () => go(scenes.length - 1);
      case '+':
        return () => larger(1);
      case '-':
        return () => larger(-1);
      case 'F':
        return fullScreen;
      case 'N':
        return () => setNotes(!notes);
      case 'P':
        return () => setRing(!ring);
      case 'E':
        return () => setEdits(!edits);
      default:
        return null;
    }
  };

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Content
          ref={stage}
          className={styles.stage}
          style={{ fontSize: `max(${SIZES[size]}px, ${(SIZES[size] ?? 28) / 14.4}vw)` }}
          aria-describedby={undefined}
          onKeyDown={onKey}
          onEscapeKeyDown={(event) => {
            if (isComposing(event) || leaveField()) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            stage.current?.focus();
          }}
        >
          <Radix.Title className="visually-hidden">Present</Radix.Title>
          {scene !== undefined && turn !== undefined && said !== null && (
            <>
              <Words
                scene={scene}
                turn={turn}
                said={said}
                topic={shape.topics.find(({ order }) => order === turn.order)?.title ?? ''}
              />
              <Drawing shape={shape} scene={scene} turn={turn} onChoose={choose} />
            </>
          )}
          {edits && scene !== undefined && (
            <Editor
              scene={scene}
              isStory={isStory}
              past={past}
              missing={new Set(missing.map(({ nodeId }) => nodeId)).size}
              onChange={(change) => tell((all) => updateScene(all, scene.id, change))}
              onMove={(by) => {
                tell((all, now) => moveScene(now, all, scene.id, by));
                go(at + by);
              }}
              onRemove={() => tell((all) => all.filter(({ id }) => id !== scene.id))}
              onAdd={() => {
                const more = { ...scene, id: `${scene.id}+${Date.now().toString(36)}`, caption: '', notes: '' };
                tell((all) => all.flatMap((one) => (one.id === scene.id ? [one, more] : [one])));
                setPlace(at + 1);
              }}
              onAddMissing={() => add(() => true)}
              onSave={() => download(`${fileName(title)}.story.md`, storyText(title, forest, scenes), 'text/markdown')}
              onReset={() => tell(() => [])}
            />
          )}
          {notes && (
            <aside className={styles.notes} aria-label="Speaker notes" dir="auto">
              {scene?.notes || 'No notes for this step. Press E to write some.'}
            </aside>
          )}
          <footer className={styles.bar}>
            <IconButton label="Back" icon={ArrowLeft} idle={at <= 0} onClick={() => go(at - 1)} />
            <p role="status" className={styles.step}>
              {scenes.length === 0 ? 'Nothing to show' : `${at + 1} of ${scenes.length}`}
            </p>
            <IconButton label="Next" icon={ArrowRight} idle={at >= scenes.length - 1} onClick={() => go(at + 1)} />
            <progress className={styles.progress} aria-label="Progress" max={scenes.length} value={at + 1} />
            <IconButton label="Smaller text" icon={ZoomOut} idle={size === 0} onClick={() => larger(-1)} />
            <IconButton label="Larger text" icon={ZoomIn} idle={size === SIZES.length - 1} onClick={() => larger(1)} />
            <IconButton
              label="Highlight the pointer"
              icon={Pointer}
              aria-pressed={ring}
              onClick={() => setRing(!ring)}
            />
            <IconButton
              label="Speaker notes"
              icon={NotebookPen}
              aria-pressed={notes}
              onClick={() => setNotes(!notes)}
            />
            <IconButton label="Edit the story" icon={PenLine} aria-pressed={edits} onClick={() => setEdits(!edits)} />
            <IconButton label="Full screen" icon={Maximize} onClick={fullScreen} />
            <Radix.Close asChild>
              <IconButton label="Close" icon={X} />
            </Radix.Close>
          </footer>
          {ring && <PointerRing />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

/** What a key means while presenting; null where it activates what has the focus, or is a single key and those are off. */
export const presentKey = (
  event: Keystroke,
  focused: Pick<Element, 'closest'>,
  singleKeysWork: boolean,
): string | null => {
  const stroke = strokeOf(event);
  if (stroke !== null && isCharacter(stroke) && !singleKeysWork) return null;
  const activates = {
    Enter: 'button, [role=button], a[href]',
    Space: 'button, [role=button]',
  }[stroke ?? ''];
  return activates !== undefined && focused.closest(activates) !== null ? null : stroke;
};

/** The value before, as long as the next one is the same. */
const useSame = <T,>(value: T, isSame: (a: T, b: T) => boolean): T => {
  const kept = useRef(value);
  if (!isSame(kept.current, value)) kept.current = value;
  return kept.current;
};

interface WordsProps {
  readonly scene: StoryScene;
  readonly turn: StaticCard;
  readonly said: Pick<StaticTurn, 'reply' | 'why' | 'decision'>;
  readonly topic: string;
}

const Words = ({ scene, turn, said, topic }: WordsProps) => {
  const words = useRef<HTMLElement>(null);
  // Each step starts scrolled to the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what it hangs on
  useEffect(() => {
    words.current?.scrollTo({ top: 0 });
  }, [scene.id]);
  return (
    <section
      ref={words}
      className={styles.words}
      aria-label="Step"
      style={{ '--c': topicColour(turn.order) } as React.CSSProperties}
    >
      {scene.caption !== '' && (
        <h2 className={styles.caption} dir="auto">
          {scene.caption}
        </h2>
      )}
      <p className={styles.topic}>
        Turn {turn.number} · {topic}
      </p>
      <p className={styles.message} data-short={scene.panel !== 'message'} dir="auto">
        {turn.message}
      </p>
      {scene.panel === 'why' && (
        <div className={styles.why}>
          <p>{said.why}</p>
          {said.decision.slice(0, 3).map(({ head, lines }) => (
            <div key={head}>
              <h3>{head}</h3>
              <ul>
                {lines.slice(0, 4).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
      {scene.panel === 'reply' && (
        // Rendered from Markdown by the app itself, which lets no markup through.
        // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
        <div className={styles.reply} dir="auto" dangerouslySetInnerHTML={{ __html: said.reply }} />
      )}
    </section>
  );
};

interface DrawingProps {
  readonly shape: StaticCards;
  readonly scene: StoryScene;
  readonly turn: StaticCard;
  readonly onChoose: (id: string) => void;
}

const Drawing = ({ shape, scene, turn, onChoose }: DrawingProps) => {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnForest>(null);
  const chosen = useRef(onChoose);
  chosen.current = onChoose;
  useEffect(() => {
    // It goes on from where the one before was.
    const made = drawStaticForest(shape, (id) => chosen.current(id), drawn.current?.view());
    drawn.current = made;
    host.current?.replaceChildren(made.element);
  }, [shape]);
  // A view that was moved by hand stays until another step, or other cards, are shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    drawn.current?.upTo(turn.number);
    drawn.current?.choose(turn.id);
    drawn.current?.frame(sceneTurns(shape, scene), 2.4);
  }, [shape, scene.id, scene.view, turn.id]);
  return (
    <>
      <style>{STATIC_FOREST_STYLE}</style>
      <div ref={host} className={styles.drawing} />
    </>
  );
};

interface EditorProps {
  readonly scene: StoryScene;
  readonly isStory: boolean;
  /** The story cannot be changed in the past. */
  readonly past: boolean;
  /** The number of turns that have no scene. */
  readonly missing: number;
  readonly onChange: (change: Partial<StoryScene>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly onAdd: () => void;
  readonly onAddMissing: () => void;
  readonly onSave: () => void;
  readonly onReset: () => void;
}

/** The ref of a field that shows what is stored, except while it is written in. */
const useStoredText = <Field extends HTMLInputElement | HTMLTextAreaElement>(stored: string) => {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = stored;
  }, [stored]);
  return field;
};

/** Edits what a scene shows and says; changes are saved immediately. */
const Editor = ({ scene, isStory, past, missing, onChange, ...actions }: EditorProps) => {
  const caption = useStoredText<HTMLInputElement>(scene.caption);
  const notes = useStoredText<HTMLTextAreaElement>(scene.notes);
  return (
    <aside className={styles.editor} aria-label="The story">
      <fieldset disabled={past}>
        <label>
          Caption
          <input
            ref={caption}
            key={`${scene.id} caption`}
            dir="auto"
            defaultValue={scene.caption}
            onBlur={({ target }) => target.value !== scene.caption && onChange({ caption: target.value })}
          />
        </label>
        <label>
          Notes for you
          <textarea
            ref={notes}
            key={`${scene.id} notes`}
            dir="auto"
            rows={4}
            defaultValue={scene.notes}
            onBlur={({ target }) => target.value !== scene.notes && onChange({ notes: target.value })}
          />
        </label>
        <label>
          Shows
          <select
            value={scene.panel}
            onChange={({ target }) => onChange({ panel: target.value as StoryScene['panel'] })}
          >
            <option value="message">the message</option>
            <option value="why">where it went and why</option>
            <option value="reply">the reply</option>
          </select>
        </label>
        <label>
          In view
          <select value={scene.view} onChange={({ target }) => onChange({ view: target.value as StoryScene['view'] })}>
            <option value="turn">the turn</option>
            <option value="path">what led to it</option>
            <option value="forest">the whole forest</option>
          </select>
        </label>
      </fieldset>
      <div className={styles.tools}>
        <fieldset disabled={past}>
          <IconButton label="Move scene earlier" icon={ArrowUp} onClick={() => actions.onMove(-1)} />
          <IconButton label="Move scene later" icon={ArrowDown} onClick={() => actions.onMove(1)} />
          <IconButton label="Add a scene" icon={CirclePlus} onClick={actions.onAdd} />
          <IconButton label="Remove the scene" icon={Trash2} onClick={actions.onRemove} />
        </fieldset>
        <IconButton label="Save the story as text" icon={Download} onClick={actions.onSave} />
      </div>
      {missing > 0 && !past && (
        <Button size="small" onClick={actions.onAddMissing}>
          Add {counted(missing, 'missing turn')}
        </Button>
      )}
      {isStory && !past && (
        <Button size="small" onClick={actions.onReset}>
          Reset the story
        </Button>
      )}
      <p>
        {past
          ? 'This is an earlier moment, which can’t be changed. Go back to now to edit the story.'
          : 'Saved with the conversation. Undo reverses a change.'}
      </p>
    </aside>
  );
};

/** A ring that follows the pointer, for viewers far from the screen. */
const PointerRing = () => {
  const ring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ clientX, clientY, pointerType }: PointerEvent): void => {
      if (ring.current === null) return;
      ring.current.hidden = pointerType !== 'mouse';
      ring.current.style.translate = `${clientX}px ${clientY}px`;
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  return <div ref={ring} hidden className={styles.ring} aria-hidden />;
};
