import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'div'> {
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

/** Something that a Finder found. */
export const FinderOption = ({ selected, onPoint, onPick, ...rest }: Props) => (
  // The focus stays in the finder's field, which takes the keys.
  // biome-ignore lint/a11y/useKeyWithClickEvents: as said
  <div {...rest} role="option" tabIndex={-1} aria-selected={selected} onPointerMove={onPoint} onClick={onPick} />
);
