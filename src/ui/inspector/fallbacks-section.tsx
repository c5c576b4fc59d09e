import { TriangleAlert } from 'lucide-react';
import type { Fallback } from '../../domain/decision.ts';
import { fallbackWords } from './decision-words.ts';
import styles from './section.module.css';

/** Models that failed, and what stood in for them. */
export const FallbacksSection = ({ fallbacks }: { fallbacks: readonly Fallback[] }) =>
  fallbacks.length > 0 && (
    <section className={styles.warning} aria-label="Fallbacks">
      {fallbacks.map((fallback) => (
        <p key={`${fallback.role} ${fallback.from}`}>
          <TriangleAlert size={14} aria-hidden />
          <span>{fallbackWords(fallback)}</span>
        </p>
      ))}
    </section>
  );
