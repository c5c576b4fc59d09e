import {
  Check,
  CircleHelp,
  CornerDownRight,
  CornerUpLeft,
  GitBranch,
  Link2,
  type LucideIcon,
  Pin,
  Sprout,
  StickyNote,
  TriangleAlert,
} from 'lucide-react';
import { type CSSProperties, lazy, memo, Suspense, useId, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { type OtherPlace, unsureOf } from '../../engine/place/unsure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { count, percent, similarity } from '../parts/format.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import { canConfirm } from '../parts/turn-words.ts';
import { topicColour } from '../topic-colour.ts';
import { CorrectionMenu } from './correction-menu.tsx';
import { Message } from './message.tsx';
import { type Why, type WhyPart, whyOf } from './placement-words.ts';
import { ReplyView } from './reply.tsx';
import styles from './turn.module.css';
import stylesOfWhy from './why-line.module.css';

const SentAttachments = lazy(() =>
  import('../attachments/attachments.tsx').then((module) => ({ default: module.SentAttachments })),
);

/** One round: the message, why it is here, and the reply. Rendered again only when its node changes. */
export const Turn = memo(({ node, last, readOnly }: { node: Node; last: boolean; readOnly: boolean }) => {
  const selected = useApp((state) => state.session.selectedId === node.id);
  const order = useApp((state) => shownForest(state).trees[node.treeId]?.order ?? 0);
  return (
    <article
      aria-label={`Turn ${node.number}`}
      data-turn={node.id}
      data-selected={selected}
      className={styles.turn}
      style={{ '--c': topicColour(order) } as CSSProperties}
    >
      <Message node={node} selected={selected} readOnly={readOnly} />
      <Files of={node} made={false} />
      <WhyLine node={node} readOnly={readOnly} />
      <TurnMarks node={node} readOnly={readOnly} />
      {!readOnly && <UnsureLine node={node} />}
      {!readOnly && <ReferenceLine node={node} />}
      <ReplyView node={node} last={last} readOnly={readOnly} />
      <Files of={node} made />
    </article>
  );
});

/** Files that came with the message, or were made for the reply. */
export const Files = ({ of, made }: { of: Pick<Node, 'attachments'>; made: boolean }) => {
  const files = of.attachments?.filter((one) => (one.made === true) === made) ?? [];
  if (files.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <SentAttachments attachments={files} />
    </Suspense>
  );
};

/** What the person has marked a turn with: pinned, a note, references. Nothing where there is nothing. */
const TurnMarks = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { note, pinned, references } = node;
  if (note === null && !pinned && references.length === 0) return null;
  return (
    <ul className={styles.marks} aria-label={`Marks of turn ${node.number}`}>
      {pinned && (
        <li>
          <Pin size={13} aria-hidden /> pinned: in every context
        </li>
      )}
      {references.map((reference) => (
        <li key={reference.to}>
          <Link2 size={13} aria-hidden />
          <Reference to={reference.to} as={reference.as} />
        </li>
      ))}
      {note !== null && (
        <li className={styles.note}>
          <StickyNote size={13} aria-hidden />
          <Note node={node} note={note} readOnly={readOnly} />
        </li>
      )}
    </ul>
  );
};

const Reference = ({ to, as }: Pick<Node['references'][number], 'to' | 'as'>) => {
  const { select } = useActions();
  const number = useApp((state) => shownForest(state).nodes[to]?.number);
  if (number === undefined) return <span>refers to a deleted turn</span>;
  return (
    <button type="button" className={styles.link} onClick={() => select(to)}>
      refers to turn {number}
      {as === 'summary' && ', its summary'}
    </button>
  );
};

const Note = ({ node, note, readOnly }: { node: Node; note: string; readOnly: boolean }) => {
  const { select, session } = useActions();
  if (readOnly) return <span>{note}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => {
        select(node.id);
        session({ dialog: 'note' });
      }}
    >
      <span className="visually-hidden">Note: </span>
      {note}
    </button>
  );
};

const ICONS: Record<Why['shape'], LucideIcon> = {
  continue: CornerDownRight,
  branch: GitBranch,
  switch: CornerUpLeft,
  topic: Sprout,
};

/** Where the turn went and why; a click on it corrects that. */
const WhyLine = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
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
      className={stylesOfWhy.line}
      data-correctable={!readOnly}
      onClick={(event) => {
        const { target, currentTarget } = event;
        const inside = target instanceof Element && currentTarget.contains(target);
        if (!readOnly && inside && target.closest('button') === null) setCorrecting(true);
      }}
    >
      <Icon size={13} className={stylesOfWhy.icon} aria-hidden />
      <span id={id} className={stylesOfWhy.words}>
        {why.parts.map((part, index) => (
          // The parts of a sentence have no identity but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Part key={index} part={part} />
        ))}
      </span>
      {why.similarity !== null && <span className={stylesOfWhy.fact}>similarity {similarity(why.similarity)}</span>}
      {why.tokens !== null && <span className={stylesOfWhy.fact}>{tokenWords(why.tokens)}</span>}
      {why.fallback !== null && (
        <Tooltip text={why.fallback}>
          <button type="button" className={stylesOfWhy.fallback} onClick={explain}>
            <TriangleAlert size={12} aria-hidden /> fallback
          </button>
        </Tooltip>
      )}
      {!readOnly && canConfirm(node) && (
        <Tooltip text="That is right">
          <button
            type="button"
            className={stylesOfWhy.confirm}
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
            <button type="button" className={stylesOfWhy.change} aria-describedby={id}>
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
    <button type="button" className={stylesOfWhy.link} onClick={() => select(nodeId)}>
      {text}
    </button>
  );
};

/** Where the decider was unsure of a turn: the places that it thought of besides, one click away. */
const UnsureLine = ({ node }: { node: Node }) => {
  useApp((state) => shownForest(state).trees);
  const forest = shownForest(useAppState()());
  const unsure = unsureOf(forest, node);
  const { correct } = useActions();
  if (unsure === null) return null;
  return (
    <div className={stylesOfWhy.unsure}>
      <CircleHelp size={13} className={stylesOfWhy.icon} aria-hidden />
      <span className={stylesOfWhy.fact}>{percent(unsure.confidence)} sure. Or is it</span>
      {unsure.others.map((other) => {
        const words = placeWords(forest, other);
        return (
          <button
            key={words}
            type="button"
            className={stylesOfWhy.place}
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
const ReferenceLine = ({ node }: { node: Node }) => {
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
    <div className={stylesOfWhy.unsure}>
      <Link2 size={13} className={stylesOfWhy.icon} aria-hidden />
      <span className={stylesOfWhy.fact}>Seems to refer to something said elsewhere. Include</span>
      {suggested.map(({ id, number, treeId }) => (
        <button
          key={id}
          type="button"
          className={stylesOfWhy.place}
          aria-label={`Turn ${node.number} refers to turn ${number}`}
          onClick={() => void addReference(node.id, id, 'path')}
        >
          {trees[treeId]?.title}, turn {number}
        </button>
      ))}
    </div>
  );
};
