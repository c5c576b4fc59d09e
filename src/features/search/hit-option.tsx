import { EyeOff } from 'lucide-react';
import { Fragment, memo, useMemo } from 'react';
import type { Excerpt } from '../../app/search-words.ts';
import { similarity, timeAgo } from '../../ui/parts/format.ts';
import { TopicDot } from '../../ui/parts/text.tsx';
import { FinderOption } from '../../ui/shell/commands/finder-option.tsx';
import styles from './search.module.css';
import type { Hit } from './search.ts';

interface Props {
  readonly id: string;
  readonly hit: Hit;
  readonly place: { readonly index: number; readonly of: number; readonly top: number };
  readonly selected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

const FROM = { message: '', reply: 'Reply: ', summary: 'Summary: ', note: 'Note: ' } as const;

/** A turn that was found: the way to it, and the words. */
export const HitOption = memo(({ hit, place, ...rest }: Props) => {
  const excerpt = useMemo(() => hit.excerpt(), [hit]);
  return (
    <FinderOption
      {...rest}
      aria-setsize={place.of}
      aria-posinset={place.index + 1}
      className={styles.hit}
      style={{ transform: `translateY(${place.top}px)` }}
    >
      <p className={styles.crumbs}>
        <span className={styles.crumb}>{hit.conversation}</span>
        <span aria-hidden>›</span>
        <TopicDot order={hit.topicOrder} />
        <span className={styles.crumb}>{hit.topic}</span>
        <span aria-hidden>›</span>
        <b>Turn {hit.number}</b>
        {hit.hidden && (
          <span className={styles.hidden}>
            <EyeOff size={12} aria-hidden /> hidden
          </span>
        )}
        <span className={styles.when}>
          {hit.similarity === null ? timeAgo(hit.at, Date.now()) : `near in meaning, ${similarity(hit.similarity)}`}
        </span>
      </p>
      <p className={styles.excerpt}>
        {FROM[hit.where]}
        <Marked excerpt={excerpt} />
      </p>
    </FinderOption>
  );
});

const Marked = ({ excerpt: { text, marks } }: { excerpt: Excerpt }) => {
  let end = 0;
  const parts = marks.map(([from, to]) => {
    const before = text.slice(end, from);
    end = to;
    return (
      <Fragment key={from}>
        {before}
        <mark>{text.slice(from, to)}</mark>
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
};
