import type { Reason } from '../../domain/decision.ts';
import { weight } from '../parts/format.ts';
import barCss from './bars.module.css';
import inlineCss from './inline.module.css';

/** What spoke for and against an answer, each with its weight in log-odds. */
export const Reasons = ({ reasons }: { reasons: readonly Reason[] }) =>
  reasons.length > 0 && (
    <ul className={barCss.reasons}>
      {reasons.map((reason) => (
        <li key={reason.text}>
          <span>{reason.text}</span>
          <span className={inlineCss.figure}>{weight(reason.weight)}</span>
        </li>
      ))}
    </ul>
  );
