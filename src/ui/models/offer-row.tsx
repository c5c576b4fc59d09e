import { Send, TriangleAlert } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import styles from './chooser.module.css';
import { Facts } from './facts.tsx';

/** A model that could be chosen. */
export const OfferRow = ({
  name,
  about,
  facts,
  leaves = null,
  unfit = null,
  blocked = null,
  onUse,
}: {
  name: string;
  about: string;
  facts: readonly string[];
  /** Where the conversation's text goes, in words; null where it stays. */
  leaves?: string | null;
  /** Why it would not run well; the person may know better. */
  unfit?: string | null;
  /** Why it cannot be chosen at all. */
  blocked?: string | null;
  onUse: () => void;
}) => (
  <li className={styles.offer} data-unfit={unfit !== null || blocked !== null}>
    <div className={styles.what}>
      <b>{name}</b>
      <p className={styles.about}>{about}</p>
      {(unfit ?? blocked) !== null && (
        <p className={styles.why}>
          <TriangleAlert size={12} aria-hidden />
          {unfit ?? blocked}
        </p>
      )}
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
      look={unfit === null ? 'outline' : 'quiet'}
      disabled={blocked !== null}
      aria-label={unfit === null ? `Use ${name}` : `Try ${name} anyway`}
      onClick={onUse}
    >
      {unfit === null ? 'Use' : 'Try anyway'}
    </Button>
  </li>
);
