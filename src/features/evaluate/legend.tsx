import type { Measured } from './evaluation-port.ts';
import styles from './results.module.css';

/** What holds for every figure, and what each metric means: for those who neither point nor tab. */
export const Legend = ({ measured, dataset }: { measured: Measured; dataset: string }) => {
  const definitions = new Map(
    measured
      .tables(dataset)
      .flatMap(({ metrics }) => metrics.map(({ name, definition }) => [name, definition] as const)),
  );
  return (
    <details className={styles.legend}>
      <summary>What the figures mean</summary>
      <ul>
        {measured.reading.map((line) => (
          <li key={line}>{marked(line)}</li>
        ))}
      </ul>
      <dl>
        {[...definitions].map(([name, definition]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{definition}.</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

/** The sentences are written for the report, in Markdown: `**bold**` and code. */
const marked = (line: string) =>
  line
    .replaceAll('`', '')
    .split('**')
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change
    .map((piece, at) => (at % 2 === 1 ? <b key={at}>{piece}</b> : piece));
