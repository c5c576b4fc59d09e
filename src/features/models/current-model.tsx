import type { Offer } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { progressFacts, shareOf, stateWords } from '../../ui/parts/model-words.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import styles from './current-model.module.css';
import { embeddedFacts, ROLE_FACTS } from './embedded-models.ts';
import { Facts } from './facts.tsx';
import { keptOf } from './offer-list.ts';
import { leavesWords, offerFacts, RUNTIME_WORDS, SAME_AS_CHAT } from './offer-words.ts';
import { RoleFailed } from './role-failed.tsx';
import { StateMark } from './state-mark.tsx';
import type { ModelsShown } from './use-models.ts';

/** A role's model: what it is, how it stands, and what to do where it does not. */
export const CurrentModel = ({ role, shown }: { role: Role; shown: ModelsShown }) => {
  const model = useApp((app) => app.models[role]);
  const { choice, name, state } = model;
  const key = choice.kind === 'model' ? choice.key : null;
  const offer = shown.offers.value?.find((one) => one.key === key) ?? null;
  return (
    <section className={styles.current} aria-label="Now" data-state={state}>
      <div className={styles.line}>
        <b>{choice.kind === 'same-as-chat' ? `${name}, same as chat` : name}</b>
        <span className={styles.state}>
          <StateMark model={model} />
          {stateWords(model)}
        </span>
      </div>
      {state === 'failed' ? (
        <RoleFailed role={role} model={model} offers={shown.offers.value ?? []} />
      ) : (
        <Loading role={role} />
      )}
      <About role={role} offer={offer} shown={shown} />
    </section>
  );
};

const Loading = ({ role }: { role: Role }) => {
  const { models } = useActions();
  const { name, state, progress } = useApp((app) => app.models[role]);
  if (progress === null && state !== 'loading') return null;
  const share = progress === null ? null : shareOf(progress);
  const embedding = progress?.phase === 'embedding';
  return (
    <>
      <div className={styles.loading}>
        <ProgressBar label={`${name} under way`} value={share} />
        <Button size="small" onClick={() => models.cancel(role)}>
          Cancel
        </Button>
      </div>
      {progress !== null && <Facts facts={progressFacts(progress)} />}
      <p className={styles.note}>
        {embedding
          ? 'It compares the whole conversation anew, in the background. You can go on writing.'
          : 'Until it is ready the model before it goes on. What has come is kept if you cancel or close the page.'}
      </p>
    </>
  );
};

const About = ({ role, offer, shown }: { role: Role; offer: Offer | null; shown: ModelsShown }) => {
  const { choice, state } = useApp((app) => app.models[role]);
  const { kind } = choice;
  if (kind === 'embedded') {
    return (
      <>
        <p className={styles.about}>{ROLE_FACTS[role].about}</p>
        <Facts facts={embeddedFacts(role)} />
      </>
    );
  }
  if (kind === 'same-as-chat') return <p className={styles.about}>{SAME_AS_CHAT[role]}</p>;
  if (offer === null) return null;
  return (
    <>
      <p className={styles.about}>{offer.about}</p>
      <Facts
        facts={[
          ...offerFacts(offer, state === 'loading' ? null : keptOf(shown.stored.value ?? [], offer.key)),
          RUNTIME_WORDS[offer.runtime],
        ]}
      />
      {offer.leavesFor !== null && <p className={styles.leaves}>{leavesWords(offer.leavesFor)}</p>}
    </>
  );
};
