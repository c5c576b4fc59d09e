import { Download } from 'lucide-react';
import { useId } from 'react';
import type { ModelChoice, Offer, RoleState } from '../../app/model-control.ts';
import type { LearningState } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import type { LearningReport } from '../../engine/lessons.ts';
import type { Remedy } from '../../engine/model-failure.ts';
import { GLOSSED } from '../../engine/ports.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Reasons } from '../../ui/inspector/section.tsx';
import { Button, Buttons } from '../../ui/parts/button.tsx';
import { download } from '../../ui/parts/download.ts';
import { Checkbox } from '../../ui/parts/fields.tsx';
import { count, counted, spokenName, spokenNames } from '../../ui/parts/format.ts';
import { useEmbedderLanguages } from '../../ui/parts/hooks.ts';
import {
  leavesWords,
  meanwhileWords,
  previousWords,
  progressFacts,
  REMEDY_WORDS,
  ROLE_WORDS,
  remediesFor,
  shareOf,
  stateWords,
} from '../../ui/parts/model-words.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Heading, Hint, Muted } from '../../ui/parts/text.tsx';
import { useRemedy } from '../../ui/shell/pills.tsx';
import { Chooser } from './chooser.tsx';
import forms from './forms.module.css';
import { FactsLine, StateMark, TaskFailure } from './model-parts.tsx';
import modelsStyles from './models.module.css';
import {
  embeddedFacts,
  isEmbedded,
  offerFacts,
  ROLE_FACTS,
  RUNTIME_WORDS,
  SAME_AS_CHAT,
  smallerThan,
  storedBytes,
} from './offer-list.ts';
import styles from './role-page.module.css';
import { type ModelsState, useChoose, useTask } from './use-models.ts';

const SAME = 'same-as-chat';

/** A role's current model, its state, and the alternatives. */
export const RolePage = ({ role, shown }: { role: Role; shown: ModelsState }) => {
  const embedded = useApp((app) => isEmbedded(app.models, role));
  return (
    <>
      <PageHead title={ROLE_WORDS[role]}>{ROLE_FACTS[role].job}</PageHead>
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

/** A role's model: what it is, its state, and what to do if it does not work. */
const CurrentModel = ({ role, shown }: { role: Role; shown: ModelsState }) => {
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
        <Loading of={role} />
      )}
      <About role={role} offer={offer} shown={shown} />
    </section>
  );
};

const Loading = ({ of: role }: { of: Role | 'consult' }) => {
  const { models } = useActions();
  const model = useApp((app) => (role === 'consult' ? app.consult : app.models[role]));
  if (model === null || (model.progress === null && model.state !== 'loading')) return null;
  const { name, progress } = model;
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
      {progress !== null && <FactsLine facts={progressFacts(progress)} />}
      <Muted className={styles.note}>
        {embedding
          ? 'It compares the whole conversation again in the background. You can keep writing.'
          : `${role === 'consult' ? '' : `${meanwhileWords(role, model)} `}If you cancel or close the page, what has been downloaded is kept.`}
      </Muted>
    </>
  );
};

const About = ({ role, offer, shown }: { role: Role; offer: Offer | null; shown: ModelsState }) => {
  const { choice, state } = useApp((app) => app.models[role]);
  const embedded = useApp((app) => isEmbedded(app.models, role));
  const { kind } = choice;
  if (embedded) {
    return (
      <>
        {kind === SAME && <p className={styles.about}>The chat has no language model yet, so this one stands in.</p>}
        <p className={styles.about}>{ROLE_FACTS[role].about}</p>
        <FactsLine facts={embeddedFacts(role)} />
      </>
    );
  }
  if (kind === SAME) return <p className={styles.about}>{SAME_AS_CHAT[role]}</p>;
  if (offer === null) return null;
  return (
    <>
      <p className={styles.about}>{offer.about}</p>
      <FactsLine
        facts={[
          ...offerFacts(offer, state === 'loading' ? null : storedBytes(shown.stored.value ?? [], offer.key)),
          RUNTIME_WORDS[offer.runtime],
        ]}
      />
      {offer.leavesFor !== null && <p className={styles.leaves}>{leavesWords(offer.leavesFor)}</p>}
    </>
  );
};

/** Why a role's model failed and everything that can be done about it, the most likely fix first. */
const RoleFailed = ({ role, model, offers }: { role: Role; model: RoleState; offers: readonly Offer[] }) => {
  const { session } = useActions();
  const remedy = useRemedy(role);
  const choose = useChoose(role);
  const previous = previousWords(model);
  const smaller = model.choice.kind === 'model' ? smallerThan(offers, role, model.choice.key) : null;
  const buttons = remediesFor(model).flatMap((one): { one: Remedy; words: string; run: () => void }[] => {
    if (one !== 'smaller-model' && one !== 'another-model')
      return [{ one, words: REMEDY_WORDS[one], run: () => remedy(one) }];
    if (model.choice.kind === 'same-as-chat') {
      const words = one === 'smaller-model' ? 'Choose a smaller chat model' : 'Choose another chat model';
      return [{ one, words, run: () => session({ dialog: 'models', with: 'chat' }) }];
    }
    // This page lists the other models; only a smaller one is worth naming.
    return one === 'another-model' || smaller === null
      ? []
      : [{ one, words: `Use ${smaller.name}`, run: () => choose({ kind: 'model', key: smaller.key }) }];
  });
  return (
    <div className={styles.failed}>
      <p>{model.failure?.message ?? 'No reason given.'}</p>
      {previous !== null && <p>{previous}</p>}
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

/** The languages in which texts are compared, and what that means for the open conversation. */
const ReachSection = ({ role }: { role: Extract<Role, 'embed' | 'decide'> }) => {
  const { embedder, languages, beyond } = useEmbedderLanguages();
  const { session } = useActions();
  if (languages === null) return null;
  return (
    <section className={modelsStyles.block} aria-label="Languages">
      <Hint className={modelsStyles.note}>
        {role === 'embed'
          ? `${embedder} only understands ${spokenNames(languages)}.`
          : `It gets text similarity from ${embedder}, which only understands ${spokenNames(languages)}.`}
      </Hint>
      {beyond !== null && (
        <>
          <Hint className={modelsStyles.note}>
            <b>This conversation is in {spokenName(beyond)}.</b>{' '}
            {GLOSSED.has(beyond)
              ? 'It is translated word by word for comparison, so similarity is approximate. Shared words and the shape of the conversation count for more.'
              : `${embedder} can hardly tell which of its texts are alike, so shared words and the shape of the conversation decide.`}{' '}
            {role === 'embed' && 'A multilingual embedder from the list below compares it better.'}
          </Hint>
          {role === 'decide' && (
            <Hint className={modelsStyles.note}>
              <Button size="small" onClick={() => session({ dialog: 'models', with: 'embed' })}>
                Choose another embedder
              </Button>
            </Hint>
          )}
        </>
      )}
    </section>
  );
};

/** Which model the embedded decider consults when it is unsure. */
const Consult = ({ shown: { offers, refresh } }: { shown: ModelsState }) => {
  const { models } = useActions();
  const id = useId();
  const task = useTask('Choosing the model to ask');
  const recalls = useApp((app) => app.models.chat.choice.kind === 'embedded');
  const able = (offers.value ?? []).filter(({ roles, unfit }) => roles.includes('decide') && unfit === null);
  const consult = useApp((app) => app.consult);
  const choice = consult?.choice ?? { kind: 'embedded' };
  if (able.length === 0 && recalls && choice.kind === 'embedded') return null;
  const value = choice.kind === 'embedded' ? '' : choice.kind === 'model' ? choice.key : choice.kind;
  const failure = consult?.failure ?? null;
  const put = (chosen: string) => {
    const next: ModelChoice | null =
      chosen === '' ? null : chosen === SAME ? { kind: SAME } : { kind: 'model', key: chosen };
    void task.run(() => models.set({ consult: next })).then(refresh);
  };
  return (
    <section className={modelsStyles.block} aria-label="When unsure">
      <div className={forms.field}>
        <label htmlFor={id}>When unsure, ask</label>
        <select id={id} value={value} onChange={({ target }) => put(target.value)}>
          <option value="">nobody</option>
          <option value={SAME} disabled={recalls}>
            the chat model
          </option>
          {able.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Hint className={modelsStyles.note}>
        A language model then decides the few messages the embedded decider can’t place. Each takes a moment.
      </Hint>
      <Loading of="consult" />
      <TaskFailure message={failure?.message ?? task.failure} />
      {failure !== null && (
        <Button size="small" onClick={() => put(value)}>
          Try again
        </Button>
      )}
    </section>
  );
};

/** What the decider learns from the person: whether, from how much, what, and how to stop or save it. */
const LearningSection = () => {
  const { letLearn, pauseLearning, forgetLessons, lessonsFile, announce } = useActions();
  const learning = useApp((state) => state.learning);
  const unlearned = learning.learned === null ? null : unlearnedWords(learning.learned);
  const none = learning.lessons === 0;
  const save = async () => {
    const file = await lessonsFile();
    if (file === null) return;
    download(file.name, file.text);
    announce(`Saved as ${file.name}.`);
  };
  return (
    <section className={styles.learning} aria-label="Learns from your corrections">
      <Checkbox role="switch" on={learning.on} aria-checked={learning.on} onChange={(on) => void letLearn(on)}>
        Learns from your corrections
      </Checkbox>
      {learning.on && (
        <Checkbox on={learning.paused} onChange={(paused) => void pauseLearning(paused)}>
          Pause learning
        </Checkbox>
      )}
      <Hint>{lessonWords(learning)}</Hint>
      {learning.learned !== null && learning.learned.reasons.length > 0 && (
        <>
          <Heading level={4} size="small">
            What it has learned
          </Heading>
          <Reasons reasons={learning.learned.reasons} />
        </>
      )}
      {unlearned !== null && <Hint>{unlearned}</Hint>}
      <Buttons>
        <Button size="small" disabled={none} onClick={() => void save()}>
          <Download size={14} aria-hidden />
          Export lessons
        </Button>
        <Button size="small" look="danger" disabled={none} onClick={() => void forgetLessons()}>
          Reset
        </Button>
      </Buttons>
    </section>
  );
};

/** What the decider has learned from, or what would be a lesson. */
export const lessonWords = (learning: LearningState): string => {
  const { on, paused, corrections, confirmations, studyTurns, lessons, learned } = learning;
  if (lessons === 0) {
    if (on && paused) return 'Paused. Labels are saved, but nothing is learned.';
    return on
      ? 'No lessons yet. Each time you move a turn, confirm its place, or choose the place before sending, you add one. They stay in this browser.'
      : 'Off, with no lessons yet. Corrections still move turns and are saved as labels.';
  }
  const [corrected, confirmed] = [counted(corrections, 'correction'), counted(confirmations, 'confirmation')];
  const kept =
    studyTurns === 0
      ? `${corrected} and ${confirmed}`
      : `${corrected}, ${confirmed} and the gold of ${counted(studyTurns, 'turn')} in studies`;
  const first = studyTurns === 0 ? 'the newest' : 'your own first, then the newest';
  const isPart = learned !== null && learned.lessons < lessons;
  const used = isPart ? ` It uses ${count(learned.lessons)} of their ${count(lessons)} questions: ${first}.` : '';
  if (on && paused) {
    return `Paused. Labels are saved, but nothing is learned. What it learned before, from ${kept}, still applies.${used}`;
  }
  if (!on) return `Off. ${kept} are saved and apply when it is on again.`;
  if (learned === null || learned.reasons.length > 0) return `From ${kept}.${used} They stay in this browser.`;
  return `From ${kept}.${used} No common pattern yet. Wording counts once two turns share it.`;
};

/** How many corrections had no effect, and why, in one line; null if all of them are learned. */
export const unlearnedWords = ({ corrections: { of, missed }, share }: LearningReport): string | null => {
  if (missed === 0) return null;
  const [looks, it] = missed === 1 ? ['it looks', 'it'] : ['they look', 'them'];
  const held = share < 1 ? `, or following ${it} would make other decisions worse` : '';
  return `${missed} of ${counted(of, 'correction')} taught the decider nothing yet: ${looks} too much like messages that belong elsewhere${held}.`;
};
