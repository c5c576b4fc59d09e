import { ArrowUpRight } from 'lucide-react';
import { type Ref, useState } from 'react';
import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import { answerOf } from '../../../domain/reply.ts';
import { IconButton } from '../../parts/button.tsx';
import { TopicDot } from '../../parts/text.tsx';
import type { Picture, PictureCard } from './picture.ts';
import styles from './picture-details.module.css';
import type { PictureOf } from './picture-of.ts';
import { forestOf, turnsWords, wholeWords } from './picture-words.ts';

/** Of a cell made of more turns, these are named and the others counted. */
const MOST_TURNS = 8;
/** As many of what was recalled are offered. */
const MOST_FORWARD = 6;

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly shown: PictureOf;
  readonly picture: Picture | null;
  readonly card: PictureCard | null;
  readonly onSelect: (id: string | null) => void;
  readonly onLeave: () => void;
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** What is to be said of the selected card; of the whole while none is. */
export const PictureDetails = ({ ref, shown, picture, card, onSelect, onLeave, onTurn }: Props) => {
  const forest = forestOf(shown);
  return (
    <div
      ref={ref}
      role="group"
      aria-label={card === null ? `About ${shown.policy}` : `About ${card.name}`}
      tabIndex={-1}
      className={styles.details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onLeave();
      }}
      data-own-escape
    >
      {card === null || forest === null ? (
        <Whole shown={shown} picture={picture} onSelect={onSelect} />
      ) : (
        <Selected key={card.id} card={card} forest={forest} {...(onTurn !== undefined && { onTurn })} />
      )}
    </div>
  );
};

const Whole = ({ shown, picture, onSelect }: Pick<Props, 'shown' | 'picture' | 'onSelect'>) => (
  <>
    <p className={styles.found}>{wholeWords(shown, picture).join(' · ')}</p>
    {shown.memory !== null && picture !== null && picture.forward.length > 0 && (
      <p className={styles.chips}>
        <span className={styles.label}>Recalled</span>
        {picture.forward.slice(0, MOST_FORWARD).map((id) => {
          const card = picture.cards.get(id);
          if (card === undefined) return null;
          return (
            <button key={id} type="button" className={styles.chip} onClick={() => onSelect(id)}>
              <TopicDot order={card.order} />
              {card.name}
              <small>{card.note}</small>
            </button>
          );
        })}
        {picture.forward.length > MOST_FORWARD && <span>and {picture.forward.length - MOST_FORWARD} more</span>}
      </p>
    )}
  </>
);

const Selected = ({
  card,
  forest,
  onTurn,
}: {
  card: PictureCard;
  forest: Forest;
  onTurn?: (nodeId: NodeId) => void;
}) => {
  const [open, setOpen] = useState<NodeId | null>(null);
  const turns = card.from.flatMap((id) => forest.nodes[id] ?? []);
  const single = turns.length === 1 && card.name === `Turn ${turns[0]?.number}`;
  const read = turns.find(({ id }) => id === open);
  return (
    <>
      <p className={styles.head}>
        <b>{card.name}</b>
        <span data-strength={card.strength}>{card.why}.</span>
      </p>
      <p className={styles.chips}>
        <span className={styles.label}>{single ? 'It is' : 'Made of'}</span>
        {turns.slice(0, MOST_TURNS).map((node) => (
          <TurnChip
            key={node.id}
            node={node}
            forest={forest}
            open={node.id === open}
            onOpen={() => setOpen(node.id === open ? null : node.id)}
            {...(onTurn !== undefined && { onTurn })}
          />
        ))}
        {turns.length > MOST_TURNS && (
          <span>
            and {turns.length - MOST_TURNS} more: {turnsWords(forest, card.from.slice(MOST_TURNS))}
          </span>
        )}
        {turns.length === 0 && <span>turns that are gone</span>}
      </p>
      {read !== undefined && <Said node={read} />}
      {!(single && read !== undefined) && <p className={styles.words}>{card.words}</p>}
    </>
  );
};

const TurnChip = ({
  node,
  forest,
  open,
  onOpen,
  onTurn,
}: {
  node: Node;
  forest: Forest;
  open: boolean;
  onOpen: () => void;
  onTurn?: (nodeId: NodeId) => void;
}) => (
  <span className={styles.turn}>
    <button type="button" className={styles.chip} aria-expanded={open} onClick={onOpen}>
      <TopicDot order={forest.trees[node.treeId]?.order ?? 0} />
      Turn {node.number}
    </button>
    {onTurn !== undefined && (
      <IconButton
        size="small"
        label={`Go to turn ${node.number}`}
        icon={ArrowUpRight}
        onClick={() => onTurn(node.id)}
      />
    )}
  </span>
);

/** A turn in its own words. */
const Said = ({ node }: { node: Node }) => {
  const reply = answerOf(replyOf(node)?.text ?? '');
  return (
    <div className={styles.said}>
      <p>{node.message}</p>
      {reply !== '' && <p>{reply}</p>}
    </div>
  );
};
