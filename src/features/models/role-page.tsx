import type { Role } from '../../domain/decision.ts';
import { useApp } from '../../ui/app-context.ts';
import { ROLE_WORDS } from '../../ui/parts/model-words.ts';
import { LearningSection } from '../learning/learning-section.tsx';
import { Chooser } from './chooser.tsx';
import { Consult } from './consult.tsx';
import { CurrentModel } from './current-model.tsx';
import { ROLE_FACTS } from './embedded-models.ts';
import { PageHead } from './page-head.tsx';
import { ReachSection } from './reach-section.tsx';
import type { ModelsShown } from './use-models.ts';

/** What does a role, how it gets on, and what else could do it. */
export const RolePage = ({ role, shown }: { role: Role; shown: ModelsShown }) => {
  const embedded = useApp((app) => app.models[role].choice.kind === 'embedded');
  return (
    <>
      <PageHead title={ROLE_WORDS[role]}>{ROLE_FACTS[role].does}</PageHead>
      <CurrentModel role={role} shown={shown} />
      {(role === 'embed' || (role === 'decide' && embedded)) && <ReachSection role={role} />}
      {role === 'decide' && embedded && (
        <>
          <Consult shown={shown} />
          <LearningSection />
        </>
      )}
      <Chooser role={role} shown={shown} />
    </>
  );
};
