import { Segmented } from '../../ui/parts/fields.tsx';
import styles from './what-if.module.css';
import type { View } from './what-if.tsx';

/** One re-run, or the sweep that there is beside it. */
export const Views = ({ view, onView, points }: { view: View; onView: (view: View) => void; points: number }) => (
  <div className={styles.views}>
    <Segmented
      label="Shown"
      value={view}
      onChange={onView}
      options={[
        { value: 'outcome', label: 'One re-run' },
        { value: 'sweep', label: `Sweep of ${points}` },
      ]}
    />
  </div>
);
