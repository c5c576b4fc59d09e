import type { Offer } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { ROLE_WORDS } from '../../ui/parts/model-words.ts';
import forms from './forms.module.css';
import styles from './models.module.css';
import { sameChoice } from './offer-list.ts';
import { useChoose } from './use-choose.ts';

/** A model that has just been added: what to use it for. */
export const UseFor = ({ offer }: { offer: Offer }) => (
  <div role="group" aria-label={`Use ${offer.name} for`} className={forms.useFor}>
    <span>
      <b>{offer.name}</b> is in the list. Use it for
    </span>
    {offer.roles.map((role) => (
      <UseForRole key={role} role={role} offer={offer} />
    ))}
    {offer.unfit !== null && <p className={styles.note}>{offer.unfit}</p>}
  </div>
);

const UseForRole = ({ role, offer }: { role: Role; offer: Offer }) => {
  const { session } = useActions();
  const choose = useChoose(role);
  const used = useApp((app) => sameChoice(app.models[role].choice, { kind: 'model', key: offer.key }));
  return (
    <Button
      size="small"
      aria-pressed={used}
      onClick={() => {
        if (!used) choose({ kind: 'model', key: offer.key });
        session({ modelsPage: role });
      }}
    >
      {ROLE_WORDS[role].toLowerCase()}
    </Button>
  );
};
