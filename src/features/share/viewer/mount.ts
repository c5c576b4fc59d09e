import { beginning } from '../../../domain/queries.ts';
import {
  drawStaticForest,
  STATIC_FOREST_STYLE,
  type StaticForest,
  type StaticTurn,
} from '../../../ui/static-forest/draw-static-forest.ts';
import { topicColour } from '../../../ui/topic-colour.ts';

/** The chosen turn in the chat or on the canvas, or the open tab. */
const CURRENT = '[aria-current] button, [aria-pressed="true"], [aria-selected="true"]';

type Tag = keyof HTMLElementTagNameMap;

const made = <T extends Tag>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[T] => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
};

/**
 * Shows a read-only conversation: in a file of its own (`alone`, where keys work at once), in the page, or inside another
 * page (`embed`: only the canvas). It needs nothing but its arguments. Returns a function to unmount it.
 */
export const mountViewer = (
  host: HTMLElement,
  still: StaticForest,
  { embed, alone = false }: { readonly embed: boolean; readonly alone?: boolean },
): (() => void) => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const byId = new Map(still.turns.map((turn) => [turn.id, turn]));
  const chat = made('ol', { class: 'path', 'aria-label': 'Conversation' });
  const side = made('div', { class: 'side' });
  const forest = drawStaticForest(still, (id) => choose(id));
  const whole = made('button', { type: 'button', class: 'whole' }, 'Whole forest');
  whole.addEventListener('click', () => forest.frame([]));
  const canvas = made('section', { class: 'canvas', 'aria-label': 'Forest' }, whole, forest.element);
  const caption = made('p', { class: 'caption', role: 'status' });
  let chosen: string | null = null;
  let tab: 'decision' | 'context' = 'decision';

  const pathTo = (id: string | null): StaticTurn[] => {
    const path: StaticTurn[] = [];
    for (let turn = byId.get(id ?? ''); turn !== undefined; turn = byId.get(turn.parentId ?? '')) path.push(turn);
    return path.reverse();
  };

  /** Continues from the chosen turn along first children, so that choosing a turn in the middle shows what followed. */
  const readingTo = (id: string): StaticTurn[] => {
    const path = pathTo(id);
    for (let last = path.at(-1); last !== undefined; ) {
      const from = last.id;
      last = still.turns.find(({ parentId }) => parentId === from);
      if (last !== undefined) path.push(last);
    }
    return path;
  };

  /** Moves the focus to the current turn or tab if it was in that list: what had it may be replaced. */
  const keepingFocus = (change: () => void): void => {
    const list = [chat, side, forest.element].find((one) => one.contains(root.activeElement));
    change();
    list?.querySelector<HTMLElement | SVGElement>(CURRENT)?.focus({ preventScroll: true });
  };

  const choose = (id: string, frames = true): void => keepingFocus(() => show(id, frames));

  const show = (id: string, frames: boolean): void => {
    const turn = byId.get(id);
    if (turn === undefined) return;
    chosen = id;
    forest.choose(id);
    if (frames)
      forest.frame(
        pathTo(id)
          .slice(-3)
          .map((one) => one.id),
      );
    caption.textContent = `${turn.number}. ${beginning(turn.message, 160)}`;
    if (embed) return;
    chat.replaceChildren(...readingTo(id).map((one) => turnElement(one, one.id === id, () => choose(one.id))));
    // Scrolls only the chat itself: on a phone, where it does not scroll, the page stays at the forest.
    const now = chat.querySelector<HTMLElement>('[aria-current]');
    const pane = chat.parentElement;
    if (now !== null && pane !== null)
      pane.scrollTop += now.getBoundingClientRect().top - pane.getBoundingClientRect().top - 16;
    showSide(turn);
  };

  const showSide = (turn: StaticTurn): void => {
    const pick = (name: typeof tab, words: string): HTMLElement => {
      const button = made('button', { type: 'button', role: 'tab', 'aria-selected': String(tab === name) }, words);
      button.addEventListener('click', () => {
        tab = name;
        keepingFocus(() => showSide(turn));
      });
      return button;
    };
    side.replaceChildren(
      made('h2', {}, `Turn ${turn.number}`),
      made('div', { role: 'tablist', class: 'tabs' }, pick('decision', 'Decision'), pick('context', 'Context')),
      made('div', { role: 'tabpanel' }, ...(tab === 'decision' ? decisionOf(turn) : contextOf(turn))),
    );
  };

  const onKey = (event: KeyboardEvent): void => {
    if (chosen === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = neighbour(still, chosen, event.key);
    if (next === null) return;
    event.preventDefault();
    choose(next);
  };

  // Focusable, so that keys also work before anything in it has the focus, and after a click beside the cards.
  const frame = made('div', { class: embed ? 'viewer embed' : 'viewer', tabindex: '-1' });
  frame.addEventListener('keydown', onKey);
  if (embed) frame.append(canvas, caption);
  else {
    frame.append(
      made('section', { class: 'chat', 'aria-label': 'Chat', tabindex: '-1' }, chat),
      canvas,
      made('section', { class: 'inspector', 'aria-label': 'Inspector', tabindex: '-1' }, side),
    );
  }
  root.replaceChildren(made('style', {}, `${STATIC_FOREST_STYLE}${VIEWER_STYLE}`), frame);
  const first = still.activeId ?? still.turns.at(-1)?.id;
  if (first !== undefined) choose(first, false);
  forest.frame([]);
  if (alone) frame.focus({ preventScroll: true });
  return () => root.replaceChildren();
};

/** Up and down follow the path, left and right go to siblings. */
const neighbour = ({ turns }: StaticForest, id: string, key: string): string | null => {
  const turn = turns.find((one) => one.id === id);
  if (turn === undefined) return null;
  const beside = turns.filter(({ parentId }) => parentId === turn.parentId);
  const at = beside.indexOf(turn);
  switch (key) {
    case 'ArrowUp':
      return turn.parentId;
    case 'ArrowDown':
      return turns.find(({ parentId }) => parentId === id)?.id ?? null;
    case 'ArrowLeft':
      return beside[at - 1]?.id ?? null;
    case 'ArrowRight':
      return beside[at + 1]?.id ?? null;
    default:
      return null;
  }
};

const withFiles = (names: readonly string[]): string => (names.length === 0 ? '' : `with ${names.join(', ')}`);

const turnElement = (turn: StaticTurn, isChosen: boolean, onChoose: () => void): HTMLElement => {
  const head = made('button', { type: 'button', class: 'said', dir: 'auto' }, turn.message);
  head.addEventListener('click', onChoose);
  const item = made('li', { style: `--c:${topicColour(turn.order)}`, ...(isChosen && { 'aria-current': 'true' }) });
  item.append(made('small', {}, `${turn.number} · ${turn.why}`), head);
  if (turn.files.length > 0) item.append(made('small', {}, withFiles(turn.files)));
  if (turn.reply !== '') {
    const reply = made('div', { class: 'reply', dir: 'auto' });
    // Rendered from Markdown by the app itself, which lets no markup through.
    reply.innerHTML = turn.reply;
    item.append(reply, made('small', {}, [turn.model, withFiles(turn.made)].filter(Boolean).join(' · ')));
  }
  if (turn.note !== null) item.append(made('p', { class: 'note', dir: 'auto' }, turn.note));
  return item;
};

const decisionOf = (turn: StaticTurn): HTMLElement[] => [
  made('p', {}, turn.why),
  ...turn.decision.map(({ head, lines }) =>
    made('section', {}, made('h3', {}, head), made('ul', {}, ...lines.map((line) => made('li', {}, line)))),
  ),
];

const contextOf = (turn: StaticTurn): HTMLElement[] => {
  if (turn.context.length === 0) return [made('p', {}, 'There is no record of what was sent for this reply.')];
  return [
    made('p', {}, `${turn.tokens ?? 0} tokens ${turn.sent ? 'were' : 'would have been'} sent, in this order.`),
    ...turn.context.map(({ head, text }) =>
      made('section', {}, made('h3', {}, head), made('p', { class: 'sent', dir: 'auto' }, text)),
    ),
  ];
};

const VIEWER_STYLE = `
:host{display:block;height:100%;min-height:0}
*{box-sizing:border-box;scrollbar-width:thin;scrollbar-color:color-mix(in oklab,var(--ink) 40%,transparent) transparent}
.viewer{display:grid;grid-template-columns:minmax(17rem,26rem) minmax(0,1fr) minmax(15rem,22rem);height:100%;min-height:0;color:var(--ink);font:14px/1.5 var(--font,system-ui)}
.viewer:focus,.viewer section:focus{outline:none}
.viewer.embed{grid-template:minmax(0,1fr) auto/1fr}
.chat,.inspector{overflow:auto;min-height:0;padding:16px;background:var(--panel);overscroll-behavior:contain}
.chat{border-right:1px solid var(--line)}.inspector{border-left:1px solid var(--line)}
.canvas{position:relative;min-height:0;overflow:hidden;background:var(--bg)}
.whole{position:absolute;right:8px;bottom:8px;padding:6px 10px;border:1px solid var(--line-2);border-radius:8px;background:var(--panel);color:var(--ink);font:inherit;font-size:12px;cursor:pointer}
.caption{margin:0;padding:8px 16px;border-top:1px solid var(--line);background:var(--panel);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.path{list-style:none;margin:0;padding:0;display:grid;gap:16px}
.path>li{padding:0 0 0 12px;border-left:3px solid color-mix(in oklab,var(--c) 40%,transparent);overflow-wrap:anywhere}
.path>li[aria-current]{border-left-color:var(--c);border-left-width:5px;padding-left:10px}
.said{display:block;width:100%;padding:2px 0;border:0;background:none;color:inherit;font:inherit;font-weight:600;text-align:start;white-space:pre-wrap;cursor:pointer;border-radius:4px}
.said:focus-visible,.tabs button:focus-visible,.whole:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
small{color:var(--ink-2);font-size:12px}
.reply{margin-top:6px}.reply :is(p,ul,ol,blockquote){margin:0 0 8px}.reply blockquote{padding-left:12px;border-left:2px solid var(--line-2);color:var(--ink-2)}.reply blockquote p{margin:0}.reply>:first-child{margin-top:0}.reply>:last-child{margin-bottom:0}
.reply pre{overflow:auto;padding:8px;border-radius:8px;background:var(--sunk)}
.reply code{font:.88em var(--mono,monospace)}
.reply h1,.reply h2,.reply h3{font-size:1em;margin:12px 0 4px}
.reply table{border-collapse:collapse;display:block;overflow:auto}.reply td,.reply th{padding:2px 8px;border:1px solid var(--line)}
a{color:inherit}
.note{margin:8px 0 0;padding:6px 10px;border-left:3px solid var(--line-2);white-space:pre-wrap}
.inspector h2{font-size:15px;margin:0 0 8px}.inspector h3{font-size:13px;margin:16px 0 4px}
.inspector ul{margin:0;padding-left:18px}.inspector p{margin:8px 0}
.sent{padding:8px;border-radius:8px;background:var(--sunk);white-space:pre-wrap;overflow-wrap:anywhere;font-size:12.5px}
.tabs{display:flex;gap:4px;border-bottom:1px solid var(--line)}
.tabs button{padding:6px 10px;border:0;border-bottom:2px solid transparent;background:none;color:var(--ink-2);font:inherit;cursor:pointer}
.tabs button[aria-selected=true]{color:var(--ink);border-bottom-color:var(--focus)}
@media (max-width:900px){.viewer:not(.embed){grid-template:45vh max-content max-content/1fr;overflow:auto}.viewer:not(.embed) .canvas{order:-1}.chat,.inspector{overflow:visible;min-height:max-content;border:0;border-top:1px solid var(--line)}}
`;
