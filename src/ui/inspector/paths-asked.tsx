import type { PathAsked } from '../../domain/decision.ts';
import type { Forest } from '../../domain/forest.ts';
import { ratio } from '../parts/format.ts';
import inlineCss from './inline.module.css';
import { Limited } from './limited.tsx';
import styles from './paths-asked.module.css';
import { TopicChip } from './topic-chip.tsx';
import { TurnLink } from './turn-link.tsx';

/** Paths shown before the person asks for all. */
const FIRST = 6;

/** The paths that were asked about, in that order, each with what was said of it. */
export const PathsAsked = ({ forest, paths }: { forest: Forest; paths: readonly PathAsked[] }) =>
  paths.length > 0 && (
    <div className={styles.asked}>
      <Limited items={paths} first={FIRST} label="Paths asked about">
        {(path) => <Path key={path.leaf} forest={forest} path={path} />}
      </Limited>
    </div>
  );

const Path = ({ forest, path: { leaf, yes, confidence } }: { forest: Forest; path: PathAsked }) => {
  const treeId = forest.nodes[leaf]?.treeId;
  return (
    <li className={styles.path} data-yes={yes || undefined}>
      <span className={inlineCss.ellipsis}>
        {treeId !== undefined && <TopicChip forest={forest} treeId={treeId} />}
      </span>
      <span>
        to <TurnLink forest={forest} nodeId={leaf} />
      </span>
      <b>{yes ? 'yes' : 'no'}</b>
      {confidence !== null && <span className={inlineCss.figure}>sure {ratio(confidence)}</span>}
    </li>
  );
};
