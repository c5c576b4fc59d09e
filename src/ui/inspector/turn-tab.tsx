import { wordOf } from '../../domain/decision.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { branchNodes, childrenOf } from '../../domain/queries.ts';
import { counted } from '../parts/format.ts';
import { CopyButton } from './copy-button.tsx';
import { CorrectionSection } from './correction-section.tsx';
import { dateTime } from './date-time.ts';
import inlineCss from './inline.module.css';
import { MarksSection } from './marks-section.tsx';
import { NoteSection } from './note-section.tsx';
import { ReferencesSection } from './references-section.tsx';
import { ReplySection } from './reply-section.tsx';
import sectionCss from './section.module.css';
import { Section } from './section.tsx';
import { SummarySection } from './summary-section.tsx';
import { Titled } from './titled.tsx';
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
    <NoteSection node={node} />
    <MarksSection node={node} />
    <Section title="Message" aside={<CopyButton label="Copy" text={() => node.message} />}>
      <p className={sectionCss.text}>{node.message}</p>
    </Section>
    {node.replies.map((reply) => (
      <ReplySection key={reply.id} node={node} reply={reply} />
    ))}
    <SummarySection node={node} />
    <ReferencesSection forest={forest} node={node} />
    <CorrectionSection forest={forest} node={node} />
  </>
);

const Place = ({ forest, node }: Props) => {
  const branch = forest.branches[node.branchId];
  const run = branch === undefined ? [] : branchNodes(forest, branch);
  const head = run[0];
  const children = childrenOf(forest, node.id);
  const places = `turn ${run.indexOf(node) + 1} of ${run.length}`;
  return (
    <dl className={sectionCss.pairs}>
      <dt>Topic</dt>
      <dd>
        <Titled node={node} what="topic">
          <TopicChip forest={forest} treeId={node.treeId} />
        </Titled>
      </dd>
      <dt>Branch</dt>
      <dd>
        {head === undefined || head.parentId === null ? (
          places
        ) : (
          <>
            <Titled node={node} what="branch">
              {branch?.title ?? places}
            </Titled>
            {branch?.title != null && `${places}, `}forked from <TurnLink forest={forest} nodeId={head.parentId} />
          </>
        )}
      </dd>
      <dt>Placed by</dt>
      <dd>{placedBy(node)}</dd>
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

/** Who put a turn where it is: the two can differ, and that is kept as a label. */
const placedBy = ({ decision, label }: Node): string => {
  const first = decision.by === 'person' ? 'you' : 'the engine';
  if (label === null) return first;
  return {
    chosen: 'you, before it was sent',
    confirmed: `${first}, confirmed by you`,
    corrected: `${first}, moved by you`,
  }[wordOf(label)];
};
