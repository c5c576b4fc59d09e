import type { Series } from './series.ts';

/** A piece of a line as it is drawn, to know it by. */
export const Swatch = ({ colour, dash, strong }: Pick<Series, 'colour' | 'dash' | 'strong'>) => (
  <svg aria-hidden width="20" height="8">
    <line x1="0" x2="20" y1="4" y2="4" stroke={colour} strokeWidth={strong === true ? 2.5 : 2} strokeDasharray={dash} />
  </svg>
);
