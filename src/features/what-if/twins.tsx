import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { sizeOf } from '../../domain/table.ts';
import type { Change } from '../../engine/history/what-if.ts';
import { DrawnScene, usePaneSize, usePress, useWheel } from '../../ui/canvas/drawn-scene.tsx';
import type { Rect, Size, View } from '../../ui/canvas/geometry.ts';
import { boxOf, cardOf } from '../../ui/canvas/layout.ts';
import type { Body } from '../../ui/canvas/painter.ts';
import { bareScene, type Scene } from '../../ui/canvas/scene.ts';
import { IconButton } from '../../ui/parts/button.tsx';
import { counted } from '../../ui/parts/format.ts';
import {
  alignedTo,
  drawTurns,
  fitBoth,
  goneTo,
  inOrderOf,
  panned,
  type TwinView,
  viewIn,
  zoomed,
} from './twin-view.ts';
import styles from './twins.module.css';
import type { Outcome } from './what-if-words.ts';

/** How far an arrow key pans, in pixels of the screen, and how far a step zooms. */
const STEP = 60;
const FACTOR = 1.25;

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** Both forests side by side, panned and zoomed as one. The list of differences is their equal for screen readers. */
export const Twins = ({
  outcome: { origin, rerun, differences },
  selected,
  onSelect,
}: {
  outcome: Outcome;
  selected: NodeId | null;
  onSelect: (nodeId: NodeId | null) => void;
}) => {
  const before = useMemo(() => bareScene(origin.forest), [origin]);
  const after = useMemo(
    () => bareScene(inOrderOf(rerun.forest, origin.forest), before.layout),
    [rerun, origin, before],
  );
  const changes = useMemo(() => new Map(differences.map(({ nodeId, change }) => [nodeId, change])), [differences]);
  const root = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const size = usePaneSize(pane);
  const [moved, setMoved] = useState<TwinView | null>(null);
  const view = moved ?? fitBoth(before.layout, after.layout, size);
  const pickedHere = useRef<NodeId | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to what is newly selected, from wherever it looks then
  useEffect(() => {
    if (selected === null || selected === pickedHere.current) return;
    setMoved(goneTo(view, boxIn(before, selected), boxIn(after, selected), size));
  }, [selected]);

  const press = usePress((dx, dy) => setMoved((now) => panned(now ?? view, dx, dy)));
  const pick = (side: 'before' | 'after') => (nodeId: NodeId | null) => {
    if (press.dragged()) return;
    pickedHere.current = nodeId;
    onSelect(nodeId === selected ? null : nodeId);
    if (nodeId === null) return;
    const [own, other] = side === 'before' ? [before, after] : [after, before];
    const box = boxIn(own, nodeId);
    if (box !== null) setMoved(alignedTo(view, side, box, boxIn(other, nodeId)));
  };
  const zoom = (factor: number, at = middleOf(size)) => setMoved((now) => zoomed(now ?? view, factor, at));
  useWheel(root, (factor, at) => zoom(factor, at));

  const key = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const pan = KEYS[event.key];
    if (pan !== undefined) setMoved(panned(view, ...pan));
    else if (event.key === '+' || event.key === '=') zoom(FACTOR);
    else if (event.key === '-') zoom(1 / FACTOR);
    else if (event.key === '0') setMoved(null);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={root}
      className={styles.twins}
      role="group"
      aria-label="Both forests"
      aria-description="Arrow keys pan both, plus and minus zoom, 0 shows all. The list of differences says the same in words."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be panned must be reachable with the keys
      tabIndex={0}
      onKeyDown={key}
      onPointerDown={press.onPointerDown}
      onPointerMove={press.onPointerMove}
    >
      <figure>
        <figcaption>
          Before <span>{counted(sizeOf(origin.forest.trees), 'topic')}</span>
        </figcaption>
        <div ref={pane} className={styles.pane}>
          <ForestPicture
            scene={before}
            view={viewIn(view, view.before, size)}
            changes={changes}
            selected={selected}
            onPick={pick('before')}
          />
        </div>
      </figure>
      <figure data-simulated>
        <figcaption>
          After <span>{counted(sizeOf(rerun.forest.trees), 'topic')} · simulated</span>
        </figcaption>
        <div className={styles.pane}>
          <ForestPicture
            scene={after}
            view={viewIn(view, view.after, size)}
            changes={changes}
            selected={selected}
            onPick={pick('after')}
          />
        </div>
      </figure>
      <div className={styles.tools}>
        <IconButton size="small" label="Zoom out" icon={Minus} onClick={() => zoom(1 / FACTOR)} />
        <IconButton size="small" label="Zoom in" icon={Plus} onClick={() => zoom(FACTOR)} />
        <IconButton size="small" label="Show all of both" icon={Maximize} onClick={() => setMoved(null)} />
      </div>
      <p className={styles.legend}>
        <span data-mark="moved">decided differently</span>
        <span data-mark="carried">moved along with others, or by another action</span>
      </p>
    </div>
  );
};

const boxIn = ({ forest, layout }: Scene, nodeId: NodeId): Rect | null => {
  const card = cardOf(layout, forest.nodes[nodeId]);
  return card === null ? null : boxOf(card);
};

const middleOf = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 });

/** One forest, drawn as the canvas draws it, with the turns marked that are placed otherwise. */
const ForestPicture = ({
  scene,
  view,
  changes,
  selected,
  onPick,
}: {
  scene: Scene;
  view: View;
  changes: ReadonlyMap<NodeId, Change>;
  selected: NodeId | null;
  onPick: (nodeId: NodeId | null) => void;
}) => {
  const over = useCallback<Body>(
    (pen, drawn, seen, palette) => drawTurns(pen, drawn, seen, palette, { changes, selected }),
    [changes, selected],
  );
  return <DrawnScene scene={scene} view={view} over={over} onPick={onPick} />;
};
