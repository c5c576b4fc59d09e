import type { Offer, RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import type { Remedy } from '../../engine/model-failure.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { REMEDY_WORDS, remediesFor } from '../../ui/parts/model-words.ts';
import { useRemedy } from '../../ui/shell/use-remedy.ts';
import styles from './current-model.module.css';
import { smallerThan } from './offer-list.ts';
import { useChoose } from './use-choose.ts';

/** Why a role's model failed, and all that can be done about it, the likeliest help first. */
export const RoleFailed = ({ role, model, offers }: { role: Role; model: RoleState; offers: readonly Offer[] }) => {
  const { session } = useActions();
  const remedy = useRemedy(role);
  const choose = useChoose(role);
  const smaller = model.choice.kind === 'model' ? smallerThan(offers, role, model.choice.key) : null;
  const buttons = remediesFor(model).flatMap((one): { one: Remedy; words: string; run: () => void }[] => {
    if (one !== 'smaller-model') return [{ one, words: REMEDY_WORDS[one], run: () => remedy(one) }];
    if (model.choice.kind === 'same-as-chat') {
      return [{ one, words: 'Choose a smaller chat model', run: () => session({ modelsPage: 'chat' }) }];
    }
    // Without a smaller one on offer, this page has nothing to lead to.
    return smaller === null
      ? []
      : [{ one, words: `Use ${smaller.name}`, run: () => choose({ kind: 'model', key: smaller.key }) }];
  });
  return (
    <div className={styles.failed}>
      <p>{model.failure?.message ?? 'It did not say why.'}</p>
      <div className={styles.remedies}>
        {buttons.map(({ one, words, run }, at) => (
          <Button key={one} size="small" look={at === 0 ? 'primary' : 'outline'} onClick={run}>
            {words}
          </Button>
        ))}
      </div>
    </div>
  );
};
