import type { CSSProperties, ReactNode } from 'react';
import { ratio } from '../parts/format.ts';
import barCss from './bars.module.css';
import inlineCss from './inline.module.css';
import type { Scale } from './scale.ts';

interface Props {
  readonly label: ReactNode;
  /** A word about it that is never cut short. */
  readonly mark?: string;
  readonly value: number;
  readonly colour: string;
  readonly scale: Scale;
  /** Drawn across the bar, where there is one. */
  readonly theta?: number;
  /** It was chosen. */
  readonly strong: boolean;
}

/** A candidate with its cosine as a bar; a negative one goes left from zero. */
export const SimilarityRow = ({ label, mark, value, colour, scale, theta, strong }: Props) => {
  const [from, to] = [scale.zero, scale.at(value)].sort((a, b) => a - b) as [number, number];
  const fill: CSSProperties = { left: `${from}%`, width: `${to - from}%`, background: colour };
  return (
    <li className={barCss.similarity} data-strong={strong || undefined}>
      <span className={barCss.candidate}>
        <span className={inlineCss.ellipsis}>{label}</span>
        {mark !== undefined && <span className={barCss.was}>{mark}</span>}
        {strong && <span className="visually-hidden"> (chosen)</span>}
      </span>
      <span className={barCss.bar} aria-hidden="true">
        <span className={barCss.fill} style={fill} />
        {scale.zero > 0 && <span className={barCss.zero} style={{ left: `${scale.zero}%` }} />}
        {theta !== undefined && <span className={barCss.theta} style={{ left: `${scale.at(theta)}%` }} />}
      </span>
      <span className={inlineCss.figure}>{ratio(value)}</span>
    </li>
  );
};
