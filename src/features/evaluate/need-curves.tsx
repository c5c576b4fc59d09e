import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { linear } from '../../ui/parts/charts/scale.ts';
import { policyLook, subjectName } from '../../ui/parts/policies.tsx';
import type { NeedCurve } from './evaluation-port.ts';
import styles from './need-curves.module.css';

const WIDTH = 320;
const HEIGHT = 176;
const PAD = { left: 32, right: 12, top: 8, bottom: 20 };
const LEVELS = [0, 0.25, 0.5, 0.75, 1];
/** Per cent, a little beyond the full history: some policies send more. */
const WIDEST = 150;

/** What contexts have of what is needed, by how much may be sent; the tables below the pictures say the same. */
export const NeedCurves = ({ curves, remark }: { curves: readonly NeedCurve[]; remark: string | null }) => {
  if (curves.length === 0 && remark === null) return null;
  const subjects = [...new Set(curves.flatMap(({ lines }) => lines.map(({ subject }) => subject)))];
  return (
    <section className={styles.part} aria-label="By size">
      {curves.length > 0 && (
        <>
          <h4>By size</h4>
          <p className={styles.about}>
            Across: what a policy may send, in per cent of the full history’s tokens. A ring stands at the size that it
            has of its own accord.
          </p>
          <ul className={styles.legend}>
            {subjects.map((subject) => (
              <li key={subject}>
                <Swatch {...policyLook(subject)} />
                {subjectName(subject)}
              </li>
            ))}
          </ul>
          <div className={styles.curves}>
            {curves.map((curve) => (
              <Curve key={`${curve.dataset} ${curve.metric}`} curve={curve} />
            ))}
          </div>
        </>
      )}
      {remark !== null && <p className={styles.remark}>{remark.replaceAll('`', '')}</p>}
    </section>
  );
};

const Curve = ({ curve }: { curve: NeedCurve }) => {
  const { title, lines, oracle } = curve;
  const budgets = lines[0]?.points.map(({ x }) => x) ?? [];
  const least = budgets[0] ?? 1;
  // By ratios: a policy that sends little differs there.
  const logs = linear([Math.log(least), Math.log(WIDEST)], [PAD.left, WIDTH - PAD.right]);
  const x = (percent: number) => logs(Math.log(Math.min(WIDEST, Math.max(least, percent))));
  const y = linear([0, 1], [HEIGHT - PAD.bottom, PAD.top]);
  return (
    <figure className={styles.curve}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        {LEVELS.map((level) => (
          <g key={level}>
            <line className={styles.axis} x1={PAD.left} x2={WIDTH - PAD.right} y1={y(level)} y2={y(level)} />
            <text x={PAD.left - 6} y={y(level) + 4} textAnchor="end">
              {level}
            </text>
          </g>
        ))}
        {budgets.map((budget) => (
          <text key={budget} x={x(budget)} y={HEIGHT - 5} textAnchor="middle">
            {budget}
          </text>
        ))}
        {oracle !== null && (
          <line className={styles.oracle} x1={x(oracle)} x2={x(oracle)} y1={y(0)} y2={y(1)}>
            <title>What an oracle pays that sends exactly the path</title>
          </line>
        )}
        {lines.map(({ subject, points, own }) => {
          const { colour, dash } = policyLook(subject);
          const path = points.map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('');
          return (
            <g key={subject} stroke={colour}>
              <path d={path} strokeDasharray={dash} />
              {own !== null && <circle cx={x(own.x)} cy={y(own.y)} r={4} />}
            </g>
          );
        })}
      </svg>
      <details>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
        <div className={styles.frame} role="region" aria-label={`Table: ${title}`} tabIndex={0}>
          <table>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">policy</th>
                <th scope="col">own size</th>
                <th scope="col">at it</th>
                {budgets.map((budget) => (
                  <th key={budget} scope="col">
                    {budget} %
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ subject, points, own }) => (
                <tr key={subject}>
                  <th scope="row">{subjectName(subject)}</th>
                  <td>{own === null ? '–' : `${own.x.toFixed(0)} %`}</td>
                  <td>{own === null ? '–' : own.y.toFixed(2)}</td>
                  {points.map((point) => (
                    <td key={point.x}>{point.y.toFixed(2)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
};
