import type { DraftPreview } from '../../app/draft-preview.ts';
import type { Forest } from '../../domain/forest.ts';
import type { Preview } from '../../engine/turn/preview.ts';
import { ContextView } from './context-view.tsx';
import { DecisionTab } from './decision-tab.tsx';
import sectionCss from './section.module.css';
import { Subject } from './subject.tsx';

interface Props {
  readonly preview: DraftPreview;
  readonly shown: Preview;
  /** The forest as it is. */
  readonly now: Forest;
  readonly tab: 'decision' | 'context';
}

/** Where the message that is being written would go, why, and what would be sent for it. */
export const PreviewPanel = ({ preview, shown, now, tab }: Props) => (
  <div aria-busy={preview.phase !== 'shown'}>
    <Subject forest={shown.forest} node={shown.node} />
    <p className={sectionCss.banner}>
      A preview: nothing has been sent. {preview.phase === 'shown' ? 'It follows what you type.' : 'It catches up…'}
      {preview.asks !== null && ` ${preview.asks} is asked when you pause.`}
    </p>
    {tab === 'decision' ? (
      <DecisionTab forest={shown.forest} node={shown.node} preview />
    ) : (
      <ContextView title="Would be sent" shown={shown} node={shown.node} now={now} />
    )}
  </div>
);
