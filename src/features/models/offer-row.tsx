import { Send, TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/parts/button.tsx';
import styles from './chooser.module.css';
import { Facts } from './facts.tsx';

/** A model that could be chosen. */
export const OfferRow = ({
  name,
  called = name,
  by = null,
  about,
  facts,
  leaves = null,
  unfit = false,
  why = null,
  blocked = false,
  onUse,
}: {
  name: string;
  /** What its button calls it, where the name is not enough. */
  called?: string;
  /** What runs it. */
  by?: string | null;
  about: string;
  facts: readonly string[];
  /** Where the conversation's text goes, in words; null where it stays. */
  leaves?: string | null;
  /** It would not run well; the person may know better. */
  unfit?: boolean;
  /** It cannot be chosen at all. */
  blocked?: boolean;
  /** Why not, where that is not told above the row. */
  why?: string | null;
  onUse: () => void;
}) => (
  <li className={styles.offer} data-unfit={unfit || blocked}>
    <div className={styles.what}>
      <b>{name}</b>
      {by !== null && <span className={styles.by}>{by}</span>}
      <p className={styles.about}>{about}</p>
      {why !== null && <Why why={why} />}
      {leaves !== null && (
        <p className={styles.why}>
          <Send size={12} aria-hidden />
          {leaves}
        </p>
      )}
      <Facts facts={facts} />
    </div>
    <Button
      size="small"
      look={unfit ? 'quiet' : 'outline'}
      disabled={blocked}
      aria-label={unfit ? `Try ${called} anyway` : `Use ${called}`}
      onClick={onUse}
    >
      {unfit ? 'Try anyway' : 'Use'}
    </Button>
  </li>
);

/** Why something does not fit. */
export const Why = ({ why }: { why: string }) => (
  <p className={styles.why}>
    <TriangleAlert size={12} aria-hidden />
    {why}
  </p>
);
