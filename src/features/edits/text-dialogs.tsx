import { type Forest, type Node, PERSON } from '../../domain/forest.ts';
import { nodeOf } from '../../domain/queries.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { TextDialog } from './text-dialog.tsx';

interface Props {
  readonly node: Node;
  readonly onClose: () => void;
}

export const NoteDialog = ({ node, onClose }: Props) => {
  const { noteTurn } = useActions();
  return (
    <TextDialog
      title={`Note on turn ${node.number}`}
      description="For yourself: no model sees it. Empty, it is removed."
      label="Note"
      text={node.note ?? ''}
      does="Keep"
      onKeep={(text) => void noteTurn(node.id, text)}
      onClose={onClose}
    />
  );
};

export const SummaryDialog = ({ node, onClose }: Props) => {
  const { rewordSummary } = useActions();
  const { summary } = node;
  const byPerson = summary?.by === PERSON;
  return (
    <TextDialog
      title={`Summary of turn ${node.number}`}
      description={
        byPerson
          ? 'Written by you. It stands for the turn wherever the turn is not sent in full.'
          : 'It stands for the turn wherever the turn is not sent in full. What you write no model writes over.'
      }
      label="Summary"
      text={summary?.text ?? ''}
      does="Keep"
      onKeep={(text) => void rewordSummary(node.id, text)}
      onClose={onClose}
      others={
        <Button
          look="quiet"
          onClick={() => {
            onClose();
            void rewordSummary(node.id, '');
          }}
        >
          Make anew
        </Button>
      }
    />
  );
};

export const TopicTitleDialog = ({ node, onClose }: Props) => {
  const { titleTopic } = useActions();
  const title = useApp(({ forest }) => forest.trees[node.treeId]?.title ?? '');
  return (
    <TextDialog
      title="Rename topic"
      description="What you call it stays: no model renames it."
      label="Topic title"
      line
      text={title}
      does="Rename"
      onKeep={(text) => void titleTopic(node.treeId, text)}
      onClose={onClose}
    />
  );
};

export const BranchTitleDialog = ({ node, onClose }: Props) => {
  const { titleBranch } = useActions();
  const title = useApp(({ forest }) => forest.branches[node.branchId]?.title ?? '');
  const head = useApp(({ forest }) => headOf(forest, node).number);
  return (
    <TextDialog
      title="Rename branch"
      description={`The branch that begins with turn ${head}. Without a title it goes by that turn.`}
      label="Branch title"
      line
      text={title}
      does="Rename"
      onKeep={(text) => void titleBranch(node.branchId, text)}
      onClose={onClose}
    />
  );
};

const headOf = (forest: Forest, node: Node): Node => nodeOf(forest, forest.branches[node.branchId]?.headId ?? node.id);
