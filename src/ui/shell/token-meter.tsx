import { type AppState, shownForest } from '../../app/state.ts';
import type { Context } from '../../domain/context.ts';
import { pathTo, replyOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { count } from '../parts/format.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './pills.module.css';

/** The newest context on the active path: replies that came with a dialogue have none. */
const lastContext = (state: AppState): Context | null => {
  const forest = shownForest(state);
  for (const node of pathTo(forest, forest.active?.nodeId ?? null).reverse()) {
    const context = replyOf(node)?.context;
    if (context != null) return context;
  }
  return null;
};

/** What the last turn sent, beside what the whole history would have cost. */
export const TokenMeter = () => {
  const { session } = useActions();
  const state = useAppState();
  const context = useApp(lastContext);
  if (context === null) return null;
  const { tokens, fullHistoryTokens, unit } = context;
  const share = fullHistoryTokens === 0 ? 1 : Math.min(1, tokens / fullHistoryTokens);
  const over = tokens > fullHistoryTokens;
  const more = over ? ' More than that was sent: summaries and headings cost tokens, too.' : '';
  const inspect = () =>
    session({ tab: 'context', folded: state().session.folded.filter((pane) => pane !== 'inspector') });
  return (
    <Tooltip text={`Sent with the last turn, of what the whole history would cost.${more} Counted by ${unit}.`}>
      <button type="button" className={styles.meter} onClick={inspect}>
        <span className={styles.bar} aria-hidden>
          <span style={{ width: `${share * 100}%` }} data-over={over} />
        </span>
        {count(tokens)} of {count(fullHistoryTokens)} tokens
      </button>
    </Tooltip>
  );
};
