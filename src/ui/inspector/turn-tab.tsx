import type { Forest, Node } from '../../domain/forest.ts';
import { branchNodes, childrenOf } from '../../domain/queries.ts';
import { counted } from '../parts/numbers.ts';
import { CopyButton } from './copy-button.tsx';
import { dateTime } from './date-time.ts';
import inlineCss from './inline.module.css';
import { ReplySection } from './reply-section.tsx';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { TopicChip } from './topic-chip.tsx';
import { TurnLink } from './turn-link.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What the turn says, and where it stands. */
export const TurnTab = ({ forest, node }: Props) => (
  <>
    <Section
      title={`Turn ${node.number}`}
      aside={<time dateTime={new Date(node.at).toISOString()}>{dateTime(node.at)}</time>}
    >
      <Place forest={forest} node={node} />
    </Section>
    <Section title="Message" aside={<CopyButton label="Copy" text={() => node.message} />}>
      <p className={sectionCss.text}>{node.message}</p>
    </Section>
    {node.replies.map((reply) => (
      <ReplySection key={reply.id} node={node} reply={reply} />
    ))}
    <Section title="Summary" aside={node.summary === null ? undefined : `by ${node.summary.by}`}>
      {node.summary === null ? (
        <p className={sectionCss.note}>Not summarised yet.</p>
      ) : (
        <p className={sectionCss.text}>{node.summary.text}</p>
      )}
    </Section>
  </>
);

const Place = ({ forest, node }: Props) => {
  const branch = forest.branches[node.branchId];
  const run = branch === undefined ? [] : branchNodes(forest, branch);
  const head = run[0];
  const children = childrenOf(forest, node.id);
  return (
    <dl className={sectionCss.pairs}>
      <dt>Topic</dt>
      <dd>
        <TopicChip forest={forest} treeId={node.treeId} />
      </dd>
      <dt>Branch</dt>
      <dd>
        turn {run.indexOf(node) + 1} of {run.length}
        {head !== undefined && head.parentId !== null && (
          <>
            , forked from <TurnLink forest={forest} nodeId={head.parentId} />
          </>
        )}
      </dd>
      <dt>Follows</dt>
      <dd>
        {node.parentId === null ? 'nothing: it begins its topic' : <TurnLink forest={forest} nodeId={node.parentId} />}
      </dd>
      <dt>Followed by</dt>
      <dd className={inlineCss.links}>
        {children.length === 0 && 'nothing yet'}
        {children.slice(0, 12).map((child) => (
          <TurnLink key={child} forest={forest} nodeId={child} />
        ))}
        {children.length > 12 && counted(children.length - 12, 'more turn')}
      </dd>
    </dl>
  );
};
