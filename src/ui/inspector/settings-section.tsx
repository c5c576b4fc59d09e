import type { Trace } from '../../domain/decision.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

/** With which settings of the engine the turn was decided: their version, and what differs from the shipped ones. */
export const SettingsSection = ({ settings, policy }: Pick<Trace, 'settings' | 'policy'>) => {
  if (settings === undefined) return null;
  const { version, parameters, prompts } = settings;
  const changed = Object.entries(parameters);
  return (
    <Section title="Settings" aside={version === 0 ? 'as shipped' : `version ${version}`}>
      <dl className={styles.pairs}>
        <dt>Policy</dt>
        <dd>{policy}</dd>
        {changed.map(([name, value]) => (
          <Pair key={name} name={name} value={value === null ? 'left to the model' : String(value)} />
        ))}
        {prompts.length > 0 && <Pair name="Own prompts" value={prompts.join(', ')} />}
      </dl>
      {version > 0 && changed.length + prompts.length === 0 && (
        <p className={styles.quiet}>Nothing in this version differs from what is shipped.</p>
      )}
    </Section>
  );
};

const Pair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
