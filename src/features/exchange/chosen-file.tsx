import { ArrowLeft } from 'lucide-react';
import { Button } from '../../ui/parts/button.tsx';
import styles from './import.module.css';

/** Which file was chosen and what is in it, with the way back to choosing another. */
export const ChosenFile = ({ name, holds, onBack }: { name: string; holds: string; onBack: () => void }) => (
  <div className={styles.chosen}>
    <Button look="quiet" size="small" onClick={onBack}>
      <ArrowLeft size={14} aria-hidden />
      Another file
    </Button>
    <p>
      <b>{name}</b>, {holds}
    </p>
  </div>
);
