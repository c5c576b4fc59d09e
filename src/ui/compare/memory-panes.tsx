import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/compare-contexts.ts';
import { policyLook } from '../charts/series.ts';
import { Swatch } from '../charts/swatch.tsx';
import { count } from '../parts/numbers.ts';
import styles from './memory-panes.module.css';
import { PanePicture } from './pane-picture.tsx';
import { paneWords } from './pane-words.ts';
import { useMemories } from './use-memories.ts';

/** What each policy keeps of the conversation before a turn, and what of it goes to the model. */
export const MemoryPanes = ({ contexts, nodeId }: { contexts: readonly PolicyContext[]; nodeId: NodeId }) => {
  const shown = useMemories(nodeId, contexts);
  return (
    <div className={styles.panes} style={{ '--panes': shown.length } as React.CSSProperties}>
      {shown.map(({ compared, memory, why }) => (
        <section key={compared.policy} className={styles.pane} aria-label={`${compared.policy}, its memory`}>
          <header className={styles.head}>
            <h4>
              <Swatch {...policyLook(compared.policy)} /> {compared.policy}
              {compared.sent && <em>sent</em>}
            </h4>
            <span className={styles.tokens}>{count(compared.context.tokens)} tokens</span>
            <p>{why === null ? paneWords(compared, memory) : `It could not be made: ${why}`}</p>
          </header>
          <div className={styles.picture}>
            <PanePicture compared={compared} memory={memory} />
          </div>
        </section>
      ))}
    </div>
  );
};
