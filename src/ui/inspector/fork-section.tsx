import type { Trace } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { useActions } from '../app-context.ts';
import { ratio } from '../parts/format.ts';
import { topicColour } from '../topic-colour.ts';
import inlineCss from './inline.module.css';
import { Limited } from './limited.tsx';
import { scaleFor } from './scale.ts';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { SimilarityRow } from './similarity-row.tsx';

/** Turns shown before the person asks for all. */
const FIRST = 8;

/** Step 2: the turns of the topic nearest to the message, against θ where the policy retrieves any. */
export const ForkSection = ({ forest, trace }: { forest: Forest; trace: Trace }) => {
  const { theta, candidates, point } = trace.fork;
  const scale = scaleFor(candidates.map(({ similarity }) => similarity));
  return (
    <Section
      step={2}
      title="Fork point"
      aside={theta === null ? 'not retrieved' : `θ ${ratio(theta)} · ${trace.embedder}`}
    >
      {candidates.length === 0 && (
        <p className={sectionCss.note}>
          {theta === null ? 'This policy retrieves no turns.' : 'Nothing in this topic to compare the message with.'}
        </p>
      )}
      <Limited items={candidates} first={FIRST}>
        {({ nodeId, similarity }) => (
          <SimilarityRow
            key={nodeId}
            label={<Candidate forest={forest} nodeId={nodeId} />}
            value={similarity}
            colour={colourOf(forest, nodeId)}
            scale={scale}
            {...(theta === null ? {} : { theta })}
            strong={nodeId === point}
          />
        )}
      </Limited>
    </Section>
  );
};

const colourOf = (forest: Forest, nodeId: NodeId): string => {
  const tree = forest.trees[forest.nodes[nodeId]?.treeId ?? ''];
  return tree === undefined ? 'var(--ink-3)' : topicColour(tree.order);
};

const Candidate = ({ forest, nodeId }: { forest: Forest; nodeId: NodeId }) => {
  const { select } = useActions();
  const node = forest.nodes[nodeId];
  if (node === undefined) return 'A turn that is gone';
  const { number, message } = node;
  return (
    <button type="button" className={inlineCss.rowLink} title={message.slice(0, 400)} onClick={() => select(nodeId)}>
      <span className={inlineCss.number}>{number}</span> {message.slice(0, 120)}
    </button>
  );
};
