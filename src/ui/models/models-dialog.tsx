import { useApp } from '../app-context.ts';
import styles from '../dialogs/dialogs.module.css';
import { Dialog } from '../parts/dialog.tsx';
import { type RoleFacts, roleFacts } from './embedded-models.ts';
import { LearningSection } from './learning-section.tsx';
import { stateWords } from './state-words.ts';

export const ModelsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title="Models"
    description="Four roles, each filled by a model that ships with the page. Nothing is downloaded from elsewhere."
    onClose={onClose}
    size="wide"
  >
    <ul className={styles.models}>
      {roleFacts.map((facts) => (
        <Model key={facts.role} facts={facts} />
      ))}
    </ul>
  </Dialog>
);

const Model = ({ facts }: { facts: RoleFacts }) => {
  const model = useApp((app) => app.models[facts.role]);
  const { name, state, failure } = model;
  return (
    <li className={styles.model}>
      <div className={styles.role}>
        <h3>{facts.role}</h3>
        <p>{facts.does}</p>
      </div>
      <div>
        <p className={styles.modelName}>
          <b>{name}</b>
          <span className={styles.state} data-state={state}>
            {stateWords(model)}
          </span>
        </p>
        {failure !== null && <p className={styles.failure}>{failure.message}</p>}
        <p className={styles.aboutModel}>{facts.about}</p>
        <p className={styles.note}>
          {facts.size} · {facts.licence}
        </p>
        {facts.role === 'decide' && <LearningSection />}
      </div>
    </li>
  );
};
