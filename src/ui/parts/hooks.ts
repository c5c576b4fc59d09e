import {
  type DragEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Forest, Node, Reply } from '../../domain/forest.ts';
import { changedIds } from '../../domain/table.ts';
import { createYielder, inSteps, once, withinSpell } from '../../engine/tasks.ts';
import { useActions, useApp } from '../app-context.ts';
import { isTypedIn } from './composing.ts';
import { openerOf } from './dialog.tsx';
import { givingBackFocus } from './tooltip.tsx';

/** The width of an element's content box in pixels; 0 until layout. */
export const useWidth = (ref: RefObject<Element | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
};

/** How often shown times are brought up to date, in milliseconds. */
const MINUTE = 60_000;

/** The time in milliseconds, brought up to date every minute. */
export const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** Props for an element that accepts drops; `data-over` is true while something is held over it. */
export const useDropZone = (onDropped: (data: DataTransfer) => void) => {
  const [over, setOver] = useState(false);
  return {
    'data-over': over,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    // Moving between its children is not leaving.
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as globalThis.Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      onDropped(event.dataTransfer);
    },
  };
};

/** A file's path in the folder that it was picked or dropped with; its name if there was none. */
export const pathOf = (file: File): string => file.webkitRelativePath || file.name;

/** Dropped files, including everything inside dropped folders. Rejects if a folder cannot be read. */
export const droppedFiles = async ({ items, files }: DataTransfer): Promise<readonly File[]> => {
  const entries = entriesOf(items);
  if (entries.length === 0) return [...files];
  return filesIn(entries, (_, error) => {
    throw error;
  });
};

/** What was found in dropped folders. */
interface FilesFound {
  readonly files: readonly File[];
  /** The paths of files and folders that the browser cannot read. */
  readonly unreadable: readonly string[];
}

/** Files, or what will be found in a folder, which may take seconds to look through; that never rejects. */
export type GivenFiles = readonly File[] | Promise<FilesFound>;

/** Dropped files as the browser lists them or, with folders among them, everything inside those too. */
export const droppedItems = ({ items, files }: DataTransfer): GivenFiles => {
  const entries = entriesOf(items);
  if (entries.every(({ isFile }) => isFile)) return [...files];
  const unreadable: string[] = [];
  return filesIn(entries, (path) => unreadable.push(path)).then((found) => ({ files: found, unreadable }));
};

/** Waits until a folder has been looked through. */
export const filesFound = async (given: GivenFiles): Promise<FilesFound> =>
  given instanceof Promise ? given : { files: given, unreadable: [] };

/** What to do about a file that the browser cannot read. */
export const UNREADABLE =
  'The browser could not read it. Check that it still exists, that it is not a folder and that you have permission to read it, then choose it again.';

/** The items are gone after the event, so this is called during it. */
const entriesOf = (items: DataTransferItemList): FileSystemEntry[] =>
  [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);

type OnUnreadable = (path: string, error: unknown) => void;

const filesIn = async (entries: readonly FileSystemEntry[], onUnreadable: OnUnreadable): Promise<File[]> =>
  (await Promise.all(entries.map((entry) => filesUnder(entry, onUnreadable)))).flat();

/** What systems and tools add to folders, and file managers do not show there. */
const HIDDEN = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;

const filesUnder = async (entry: FileSystemEntry, onUnreadable: OnUnreadable): Promise<readonly File[]> => {
  const path = entry.fullPath.replace(/^\//, '');
  let found: File[] = [];
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      // As a picker of folders has it.
      return [path === file.name ? file : Object.defineProperty(file, 'webkitRelativePath', { value: path })];
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader returns a hundred entries at a time, and none at the end.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return found;
      const shown = some.filter(({ name }) => !HIDDEN.test(name));
      found = found.concat(await filesIn(shown, onUnreadable));
    }
  } catch (error) {
    onUnreadable(path, error);
    return found;
  }
};

/**
 * When the row of a list that had the focus is gone, `focus` moves it to the row now in its place, or to the last one;
 * returns the frame that it waits for, if it does. Without rows, what is around the list has it. Returns what notes
 * where the focus is.
 */
export const useFocusAfterRemoval = <Place extends { readonly index: number }>(
  keys: readonly string[],
  scroller: RefObject<HTMLElement | null>,
  focus: (place: Place) => number | undefined,
): ((place: Place | null) => void) => {
  const held = useRef<{ readonly place: Place; readonly key: string | undefined } | null>(null);
  const refocus = useRef(focus);
  refocus.current = focus;
  useLayoutEffect(() => {
    if (held.current === null) return;
    const { place, key } = held.current;
    if (keys.some((one) => one === key)) return;
    // Nothing else has it: the page or the dialog itself does.
    if (document.activeElement?.contains(scroller.current) !== true) return;
    if (keys.length === 0) return scroller.current?.closest<HTMLElement>('[tabindex]')?.focus();
    const frame = refocus.current({ ...place, index: Math.min(place.index, keys.length - 1) });
    if (frame !== undefined) return () => cancelAnimationFrame(frame);
  }, [keys, scroller]);
  return (place) => {
    held.current = place === null ? null : { place, key: keys[place.index] };
  };
};

/**
 * The rows of a list to mount: those in view, plus the one that has the focus, wherever it is, with what is typed in it.
 * Rows carry their key as `data-row`, which `indexOf` looks up, but for no row outside of `list`: it may read all keys.
 */
export const withFocusedRow = (
  inView: number[],
  list: HTMLElement | null,
  indexOf: (key: string) => number,
): number[] => {
  if (list?.contains(document.activeElement) !== true) return inView;
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
  const kept = focused === undefined ? -1 : indexOf(focused);
  return kept === -1 || inView.includes(kept) ? inView : [...inView, kept].sort((a, b) => a - b);
};

const TABBABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

const tabbablesIn = (element: Element): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true }),
  );

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** A control that has the focus, and what is around it while it is there. */
interface FocusedControl {
  readonly control: HTMLElement;
  /** For a control in a popup, the button that opened it; otherwise the control itself. */
  readonly opener: Element | null;
  /** Innermost first, up to its dialog or the page; in each, what comes before the control, nearest first. */
  readonly around: readonly { readonly part: Element; readonly before: readonly Element[] }[];
}

/** Reads no layout, for it is done at keys. */
const focusedControl = (control: HTMLElement): FocusedControl => {
  const around: { part: Element; before: Element[] }[] = [];
  for (let at: Element = control, part = at.parentElement; part !== null; at = part, part = at.parentElement) {
    const before: Element[] = [];
    for (let one = at.previousElementSibling; one !== null; one = one.previousElementSibling) before.push(one);
    around.push({ part, before });
    if (part.matches(DIALOG)) break;
  }
  return { control, opener: openerOf(control), around };
};

/**
 * What now stands where a control was that is gone: what opened the popup that it was in, otherwise in the smallest part of the
 * page that is left of what was around it.
 */
const inPlaceOf = ({ opener, around }: FocusedControl): HTMLElement | undefined => {
  if (opener instanceof HTMLElement && opener.isConnected) return opener;
  for (const { part, before } of around) {
    const there = part.isConnected ? tabbablesIn(part) : [];
    if (there.length === 0) continue;
    const previous = before.find((one) => one.parentElement === part);
    return (previous === undefined ? there[0] : there.find((one) => isAfter(one, previous))) ?? there.at(-1);
  }
  return undefined;
};

const isAfter = (one: Element, other: Element): boolean =>
  !other.contains(one) && (other.compareDocumentPosition(one) & globalThis.Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/**
 * Keeps the focus near a control that is gone because it was pressed, as “Dismiss” or “Remove”, or because of a key, or
 * of a menu that has given the focus back to it, for otherwise whoever uses the keyboard would begin at the top of the
 * page again: it goes to what is now in its place, and from a notice back to where it was before. Does nothing where
 * something else has taken the focus.
 */
export const useFocusKept = (): void =>
  useEffect(() => {
    let kept: FocusedControl | null = null;
    let beforeNotice: HTMLElement | null = null;
    const observer = new MutationObserver(() => {
      if (kept === null || kept.control.isConnected) return;
      const gone = kept;
      forget();
      // Whoever gives the focus elsewhere, or back, does so by the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => refocus(gone)));
    });
    const forget = () => {
      kept = null;
      observer.disconnect();
    };
    const keep = (control: EventTarget | null) => {
      forget();
      if (!(control instanceof HTMLElement) || control === document.body) return;
      // Menus and dialogs give the focus back themselves.
      if (control.matches(DIALOG) || control.closest('[role="menu"], [role="listbox"]') !== null) return;
      kept = focusedControl(control);
      observer.observe(document.body, { childList: true, subtree: true });
    };
    const refocus = (gone: FocusedControl) => {
      const active = document.activeElement;
      const isAround = (test: (part: Element) => boolean) => gone.around.some(({ part }) => test(part));
      const isLost =
        active === null || active === document.body || (active.matches(DIALOG) && isAround((part) => part === active));
      if (!isLost) return;
      const isNotice = isAround((part) => part.matches('[data-toast]'));
      const next = isNotice ? beforeNotice : inPlaceOf(gone);
      if (next?.isConnected !== true) return;
      givingBackFocus();
      next.focus();
    };
    const onClick = ({ target }: MouseEvent) => {
      const control = document.activeElement;
      keep(control?.contains(target as Element) === true ? control : null);
    };
    const onKey = ({ target, key }: KeyboardEvent) => {
      if (key === 'Tab' || isTypedIn(target)) return;
      keep(target);
    };
    // What was scrolled out of the way has not gone because of anything that was done to it.
    const onScroll = ({ target }: Event) => {
      if (kept?.control.isConnected === true && (target as globalThis.Node).contains(kept.control)) forget();
    };
    const onFocus = ({ target, relatedTarget }: FocusEvent) => {
      const isGivenBack = relatedTarget === null || (relatedTarget as Element).closest('[role="menu"]') !== null;
      if (isGivenBack && !isTypedIn(target)) keep(target);
      else if (target !== kept?.control) forget();
      const isNotice = (one: EventTarget | null) => one instanceof Element && one.closest('[data-toast]') !== null;
      if (isNotice(target) && !isNotice(relatedTarget)) {
        beforeNotice = relatedTarget instanceof HTMLElement ? relatedTarget : null;
      }
    };
    // Before the press or the key does anything.
    document.addEventListener('click', onClick, true);
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('scroll', onScroll, true);
    document.addEventListener('focusin', onFocus);
    return () => {
      forget();
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('scroll', onScroll, true);
      document.removeEventListener('focusin', onFocus);
    };
  }, []);

/** What is being edited in place, and the ref of the main button beside it, which has the focus again after a key ends that. */
export const useEditing = <What>() => {
  const [editing, setEditing] = useState<What | null>(null);
  const main = useRef<HTMLButtonElement>(null);
  const finish = (byKey: boolean) => {
    flushSync(() => setEditing(null));
    if (byKey) main.current?.focus();
  };
  return { editing, setEditing, finish, main };
};

/**
 * For a text that may be refused when it is to be kept: `keep` calls `onEnd` unless it was. While it is `keeping`, nothing
 * more should be typed: it would be lost.
 */
export const useKeeping = (onKeep: (text: string) => Promise<boolean>, onEnd: () => void) => {
  const [keeping, setKeeping] = useState(false);
  const keep = async (text: string, before: string) => {
    if (keeping) return;
    const kept = text.trim() === before.trim() || onKeep(text);
    // Nothing typed can be lost, and what replaces it may take a while, such as a model's summary.
    if (text.trim() === '') return onEnd();
    setKeeping(true);
    if (await kept) onEnd();
    setKeeping(false);
  };
  return { keeping, keep };
};

/**
 * A hook for a tool that is loaded when first wanted: returns it once loaded, null before. A failed load is not
 * reported, because the content is readable without it; the next use tries again.
 */
export const createLazyHook = <Tool>(load: () => Promise<Tool>): ((isWanted: boolean) => Tool | null) => {
  // Boxed, because React would call a function passed as state.
  let loaded: { readonly tool: Tool } | null = null;
  const begin = once(async () => {
    loaded = { tool: await load() };
    return loaded;
  });
  return function useLoaded(isWanted) {
    const [found, setFound] = useState(loaded);
    useEffect(() => {
      if (!isWanted || found !== null) return;
      let gone = false;
      begin().then(
        (there) => !gone && setFound(there),
        () => undefined,
      );
      return () => {
        gone = true;
      };
    }, [isWanted, found]);
    return found?.tool ?? null;
  };
};

/** What work in steps has come to. */
interface Stepped<T> {
  /** As long as the work is not done, what it came to before; null if it has never been done. */
  readonly result: T | null;
  readonly isDone: boolean;
}

/**
 * The result of work that is done in steps, so that the page never stands still for it: at once if a frame has room for
 * all of it. Begins anew, and drops what it was doing, whenever `begin` is another one.
 */
export const useInSteps = <T>(begin: () => Iterator<unknown, T>): Stepped<T> => {
  const [made, setMade] = useState<{ readonly begin: unknown; readonly result: T } | null>(null);
  const { steps, short } = useMemo(() => {
    const begun = begin();
    return { steps: begun, short: withinSpell(begun, now) };
  }, [begin]);
  const done = short ?? (made?.begin === begin ? made : null);
  const last = useRef(done);
  useEffect(() => {
    last.current = done ?? last.current;
  });
  useEffect(() => {
    if (short !== null) return;
    const stop = new AbortController();
    inSteps(steps, createYielder(now, stop.signal)).then(
      (result) => !stop.signal.aborted && setMade({ begin, result }),
      (error) => {
        if (stop.signal.aborted) return;
        // Thrown while rendering, it reaches whoever shows that this part has failed.
        setMade(() => {
          throw error;
        });
      },
    );
    return () => stop.abort();
  }, [begin, steps, short]);
  const { current: before } = last;
  return useMemo(() => ({ result: (done ?? before)?.result ?? null, isDone: done !== null }), [done, before]);
};

const now = () => performance.now();

/**
 * Lets what a key asked for wait until what it is about is there: returns what to call with true when it cannot be done
 * yet, and with false once it is no longer meant.
 */
export const useOnceReady = (isReady: boolean, act: () => void): ((isWaiting: boolean) => void) => {
  const waiting = useRef(false);
  useEffect(() => {
    if (!isReady || !waiting.current) return;
    waiting.current = false;
    act();
  });
  return (isWaiting) => {
    waiting.current = isWaiting;
  };
};

/**
 * The forest ignoring the text of replies, which arrives in pieces: returns the same object while nothing else changes,
 * for components that do not show replies.
 */
export const useButReplyTexts = (forest: Forest): Forest => {
  const kept = useRef(forest);
  if (kept.current !== forest && !isSameButReplyTexts(kept.current, forest)) kept.current = forest;
  return kept.current;
};

export const isSameButReplyTexts = (a: Forest, b: Forest): boolean => {
  const { nodes: olds, ...before } = a;
  const { nodes: news, ...now } = b;
  // The undo history changes at every step, but nothing that shows turns shows it.
  const rest = Object.keys(now).every(
    (key) => key === 'history' || before[key as keyof typeof now] === now[key as keyof typeof now],
  );
  return rest && changedIds(olds, news)?.every((id) => isSameButText(olds[id], news[id])) === true;
};

const isSameButText = (a: Node | undefined, b: Node | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.replies.length === b.replies.length &&
  isSameBut('replies', a, b) &&
  a.replies.every((reply, at) => isSameBut('text', reply, b.replies[at] as Reply));

const isSameBut = <T extends object>(field: keyof T, a: T, b: T): boolean =>
  Object.keys(b).every((key) => key === field || a[key as keyof T] === b[key as keyof T]) &&
  Object.keys(a).every((key) => key in b);

/** The languages covered by the current embedder. */
interface EmbedderLanguages {
  readonly embedder: string;
  /** Known languages, as ISO 639-1; null if unknown, or too many to name. */
  readonly languages: readonly string[] | null;
  /** The language of the open conversation if the embedder does not know it; otherwise null. */
  readonly beyond: string | null;
}

export const useEmbedderLanguages = (): EmbedderLanguages => {
  const { embedderNow } = useActions();
  // Renders again when another embedder takes over, which changes the state of its role.
  useApp((state) => state.models.embed);
  const language = useApp((state) => state.language);
  const { name: embedder, languages } = embedderNow();
  const beyond = language !== null && languages !== null && !languages.includes(language) ? language : null;
  return { embedder, languages, beyond };
};

/** A value stored on this device, which all tabs share; where nothing can be stored, it lasts for this visit. */
export const createStored = <T extends object | string | boolean>(
  key: string,
  parse: (stored: string | null) => T,
  textOf: (value: T) => string = JSON.stringify,
) => {
  const listeners = new Set<() => void>();
  const read = (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  /** As last read, with the text that it was read from; parsed again only when another tab has changed that. */
  let last: { readonly text: string | null; readonly value: T } | null = null;
  const get = (): T => {
    const text = read();
    if (last === null || last.text !== text) last = { text, value: parse(text) };
    return last.value;
  };
  const set = (next: T): void => {
    try {
      localStorage.setItem(key, textOf(next));
    } catch {
      // The settings say that nothing can be stored.
    }
    last = { text: read(), value: next };
    for (const changed of listeners) changed();
  };
  const subscribe = (changed: () => void) => {
    const heard = (event: StorageEvent) => (event.key === key || event.key === null) && changed();
    listeners.add(changed);
    window.addEventListener('storage', heard);
    return () => {
      listeners.delete(changed);
      window.removeEventListener('storage', heard);
    };
  };
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
};

/** Phone: one pane at a time. */
export const PHONE = '(max-width: 800px)';
/** The header has no room for words: a tablet held upright. */
export const UPRIGHT = '(max-width: 960px)';
/** Three panes have little room: the inspector starts folded. */
export const COMPACT = '(max-width: 1100px)';
/** The header only has room for what is needed to chat. */
export const NARROW = '(max-width: 1380px)';
/** The header has no room for a button of every feature. */
export const CROWDED = '(max-width: 1600px)';
/** Used by touch; the keyboard on its screen has no Shift Enter. */
export const TOUCH = '(hover: none) and (pointer: coarse)';

export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
