import {
  Check,
  CircleHelp,
  CornerDownRight,
  CornerUpLeft,
  GitBranch,
  Link2,
  type LucideIcon,
  Sprout,
  TriangleAlert,
} from 'lucide-react';
import { useId, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { type OtherPlace, unsureOf } from '../../engine/place/unsure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { count, percent, similarity } from '../parts/format.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import { canConfirm } from '../parts/turn-words.ts';
import { CorrectionMenu } from './correction-menu.tsx';
import { type Why, type WhyPart, whyOf } from './placement-words.ts';
import styles from './why-line.module.css';

const ICONS: Record<Why['shape'], LucideIcon> = {
  continue: CornerDownRight,
  branch: GitBranch,
  switch: CornerUpLeft,
  topic: Sprout,
};

/** Where the turn went and why; a click on it corrects that. */
export const WhyLine = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  // Of the forest only titles can change what the line says of a node that stays as it is.
  useApp((state) => shownForest(state).trees);
  const why = whyOf(shownForest(useAppState()()), node);
  const [correcting, setCorrecting] = useState(false);
  const id = useId();
  const { select, session, confirm } = useActions();
  const explain = () => {
    select(node.id);
    session({ tab: 'decision' });
  };
  const Icon = ICONS[why.shape];

  return (
    // biome-ignore lint/a11y: for the mouse the whole line is the button; the keyboard has "Change"
    <div
      className={styles.line}
      data-correctable={!readOnly}
      onClick={(event) => {
        const { target, currentTarget } = event;
        const inside = target instanceof Element && currentTarget.contains(target);
        if (!readOnly && inside && target.closest('button') === null) setCorrecting(true);
      }}
    >
      <Icon size={13} className={styles.icon} aria-hidden />
      <span id={id} className={styles.words}>
        {why.parts.map((part, index) => (
          // The parts of a sentence have no identity but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Part key={index} part={part} />
        ))}
      </span>
      {why.similarity !== null && <span className={styles.fact}>similarity {similarity(why.similarity)}</span>}
      {why.tokens !== null && <span className={styles.fact}>{tokenWords(why.tokens)}</span>}
      {why.fallback !== null && (
        <Tooltip text={why.fallback}>
          <button type="button" className={styles.fallback} onClick={explain}>
            <TriangleAlert size={12} aria-hidden /> fallback
          </button>
        </Tooltip>
      )}
      {!readOnly && canConfirm(node) && (
        <Tooltip text="That is right">
          <button
            type="button"
            className={styles.confirm}
            aria-label="That is right"
            aria-describedby={id}
            onClick={() => void confirm(node.id)}
          >
            <Check size={14} aria-hidden />
          </button>
        </Tooltip>
      )}
      {!readOnly && (
        <CorrectionMenu
          node={node}
          open={correcting}
          onOpenChange={setCorrecting}
          trigger={
            <button type="button" className={styles.change} aria-describedby={id}>
              Change
            </button>
          }
        />
      )}
    </div>
  );
};

const tokenWords = ({ sent, full }: { sent: number; full: number }): string =>
  full > sent ? `${count(sent)} of ${count(full)} tokens` : `${count(sent)} tokens`;

const Part = ({ part }: { part: WhyPart }) => {
  const { select } = useActions();
  if (part.kind === 'words') return part.words;
  const [text, nodeId] =
    part.kind === 'turn' ? [`turn ${part.node.number}`, part.node.id] : [part.tree.title, part.tree.rootId];
  return (
    <button type="button" className={styles.link} onClick={() => select(nodeId)}>
      {text}
    </button>
  );
};

/** Where the decider was unsure of a turn: the places that it thought of besides, one click away. */
export const UnsureLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).trees);
  const forest = shownForest(useAppState()());
  const unsure = unsureOf(forest, node);
  const { correct } = useActions();
  if (unsure === null) return null;
  return (
    <div className={styles.unsure}>
      <CircleHelp size={13} className={styles.icon} aria-hidden />
      <span className={styles.fact}>{percent(unsure.confidence)} sure. Or is it</span>
      {unsure.others.map((other) => {
        const words = placeWords(forest, other);
        return (
          <button
            key={words}
            type="button"
            className={styles.place}
            aria-label={`Move turn ${node.number} to ${words}`}
            title={percent(other.confidence)}
            onClick={() => void correct(node.id, other.target)}
          >
            {words}
          </button>
        );
      })}
    </div>
  );
};

/** What a button says that moves the turn there. */
const placeWords = ({ nodes, trees }: Forest, { action, target }: OtherPlace): string => {
  if (target.kind !== 'under') return 'a new topic';
  const under = nodes[target.nodeId];
  if (action.endsWith('-topic')) return `“${trees[under?.treeId ?? '']?.title ?? ''}”`;
  return action === 'create-branch' ? `a branch from turn ${under?.number}` : `after turn ${under?.number}`;
};

/** Turns elsewhere that a message points at and is not sent yet, each one click away from being sent along. */
export const ReferenceLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).nodes);
  const { nodes, trees } = shownForest(useAppState()());
  const { addReference } = useActions();
  const suggested = (node.decision.trace?.references ?? []).flatMap(({ nodeId }) => {
    const turn = nodes[nodeId];
    const has = node.references.some(({ to }) => to === nodeId);
    return turn === undefined || turn.hidden || has ? [] : [turn];
  });
  if (suggested.length === 0) return null;
  return (
    <div className={styles.unsure}>
      <Link2 size={13} className={styles.icon} aria-hidden />
      <span className={styles.fact}>Seems to refer to something said elsewhere. Include</span>
      {suggested.map(({ id, number, treeId }) => (
        <button
          key={id}
          type="button"
          className={styles.place}
          aria-label={`Turn ${node.number} refers to turn ${number}`}
          onClick={() => void addReference(node.id, id, 'path')}
        >
          {trees[treeId]?.title}, turn {number}
        </button>
      ))}
    </div>
  );
};
