import styles from './facts.module.css';

/** Short facts in one quiet line. */
export const Facts = ({ facts }: { facts: readonly string[] }) =>
  facts.length > 0 && (
    <p className={styles.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
