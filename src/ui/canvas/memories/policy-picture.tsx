import { Crosshair, Maximize, Minus, Plus } from 'lucide-react';
import { useId, useMemo, useRef } from 'react';
import type { NodeId } from '../../../domain/forest.ts';
import { IconButton } from '../../parts/button.tsx';
import { ZOOM_STEP } from '../canvas-keys.ts';
import { DrawnScene } from '../drawn-scene.tsx';
import { drawCards } from './draw-cards.ts';
import { PictureDetails } from './picture-details.tsx';
import { PictureMap } from './picture-map.tsx';
import type { PictureOf } from './picture-of.ts';
import { legendOf, spokenCard } from './picture-words.ts';
import styles from './policy-picture.module.css';
import { usePicture } from './use-picture.ts';

interface Props {
  readonly shown: PictureOf;
  /** A cell, or a turn where the policy keeps no memory of its own. */
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Where turns can be gone to: goes to one. */
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** A policy's own structure for a turn, drawn with the canvas's cards, colours and keys, and what is to be said of the selected one. Fills its parent. */
export const PolicyPicture = ({ shown, selected, onSelect, onTurn }: Props) => {
  const pane = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const says = useId();
  const { picture, view, onPick, zoom, fit, goToForward, goTo, handlers } = usePicture(pane, shown, {
    selected,
    onSelect,
    onOpen: () => details.current?.focus(),
  });
  const body = useMemo(() => (picture === null ? undefined : drawCards(picture, selected)), [picture, selected]);
  const card = picture?.cards.get(selected ?? '') ?? null;
  const select = (id: string | null) => {
    onSelect(id);
    pane.current?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.whole}>
      <div
        ref={pane}
        className={styles.pane}
        role="group"
        aria-label={`Picture of ${shown.policy}`}
        aria-describedby={says}
        aria-roledescription="picture"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be panned must be reachable with the keys
        tabIndex={0}
        data-own-escape={selected === null ? undefined : true}
        {...handlers}
      >
        {picture !== null && body !== undefined && (
          <DrawnScene scene={picture.scene} view={view} body={body} onPick={onPick} />
        )}
        {picture !== null && picture.cards.size > 0 && (
          <>
            <ul className={styles.legend} aria-hidden>
              {legendOf(picture, shown.memory !== null).map(({ strength, words }) => (
                <li key={strength} data-strength={strength}>
                  {words}
                </li>
              ))}
            </ul>
            <PictureMap picture={picture} view={view} onGo={goTo} />
            <div className={styles.tools}>
              <IconButton size="small" label="Zoom out" keys="−" icon={Minus} onClick={() => zoom(1 / ZOOM_STEP)} />
              <IconButton size="small" label="Zoom in" keys="+" icon={Plus} onClick={() => zoom(ZOOM_STEP)} />
              <IconButton size="small" label="Show all" keys="f" icon={Maximize} onClick={fit} />
              {picture.forward.length > 0 && (
                <IconButton
                  size="small"
                  label={shown.memory === null ? 'Go to what is sent' : 'Go to what was recalled'}
                  keys="r"
                  icon={Crosshair}
                  onClick={goToForward}
                />
              )}
            </div>
          </>
        )}
        <p id={says} className="visually-hidden" aria-live="polite">
          {card === null
            ? 'Nothing is selected. Arrow keys select, Enter opens what is selected, plus and minus zoom, r goes to what was recalled.'
            : spokenCard(card, shown)}
        </p>
      </div>
      <PictureDetails
        ref={details}
        shown={shown}
        picture={picture}
        card={card}
        onSelect={select}
        onLeave={() => pane.current?.focus({ preventScroll: true })}
        {...(onTurn !== undefined && { onTurn })}
      />
    </div>
  );
};
