import { TriangleAlert } from 'lucide-react';
import type { Fallback } from '../../domain/decision.ts';
import { fallbackWords } from './decision-words.ts';
import { RawText } from './raw-text.tsx';
import styles from './section.module.css';

/** Models that failed, and what stood in for them; of language models also what they were asked and what came back. */
export const FallbacksSection = ({ fallbacks }: { fallbacks: readonly Fallback[] }) =>
  fallbacks.length > 0 && (
    <section className={styles.warning} aria-label="Fallbacks">
      {fallbacks.map((fallback, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may fail twice, and the list never changes its order
        <div key={index}>
          <p>
            <TriangleAlert size={14} aria-hidden />
            <span>{fallbackWords(fallback)}</span>
          </p>
          <Exchange fallback={fallback} />
        </div>
      ))}
    </section>
  );

const Exchange = ({ fallback: { prompt = [], raw } }: { fallback: Fallback }) =>
  (prompt.length > 0 || raw !== undefined) && (
    <details className={styles.raw}>
      <summary>What it was asked and answered</summary>
      {prompt.map(({ role, content }) => (
        <RawText key={role} heading={role} text={content} />
      ))}
      {raw !== undefined && <RawText heading="Raw answer" text={raw} />}
    </details>
  );
