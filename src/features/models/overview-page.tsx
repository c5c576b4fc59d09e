import { Check, RotateCw, TriangleAlert } from 'lucide-react';
import type { ModelChoice, Offer, RecommendedSet } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { ROLE_WORDS, ROLES } from '../../ui/parts/model-words.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Heading } from '../../ui/parts/text.tsx';
import { machineFigures, machineLines } from './machine-words.ts';
import { FactsLine, TaskFailure } from './model-parts.tsx';
import modelsStyles from './models.module.css';
import { offerFacts, ROLE_FACTS, runHere, sameChoice, setDownloadWords, storedBytes } from './offer-list.ts';
import styles from './overview-page.module.css';
import { type ModelsState, type Query, useChoose, useTask } from './use-models.ts';

/** One-click setup, and what this machine can do. */
export const OverviewPage = ({ shown }: { shown: ModelsState }) => (
  <>
    <PageHead title="Overview">
      Coppice has four roles, each done by a model. The models that ship with the page work right away. Nothing else is
      downloaded unless you choose it, and nothing you write leaves this browser, unless you choose a model on a server
      or allow an online voice.
    </PageHead>
    <Recommended shown={shown} />
    <RunsHere shown={shown} />
    <Machine shown={shown} />
  </>
);

/** What this machine can do in plain words, with the figures collapsed. */
const Machine = ({ shown }: { shown: ModelsState }) => {
  const { announce } = useActions();
  const { value, failure, asking, reload } = shown.machine;
  return (
    <section className={modelsStyles.block} aria-labelledby="models-machine">
      <div className={styles.titled}>
        <Heading level={4} id="models-machine">
          This machine
        </Heading>
        <Button
          size="small"
          idle={asking}
          onClick={() => {
            reload();
            // What fits is computed from the result, for which it waits.
            shown.refresh();
            announce('This machine is being tested again.');
          }}
        >
          <RotateCw size={12} aria-hidden />
          {asking ? 'Testing…' : 'Test again'}
        </Button>
      </div>
      <TaskFailure message={failure} />
      {value === null && failure === null && <p className={modelsStyles.words}>Testing what it can do…</p>}
      {value !== null && (
        <>
          <ul aria-label="What it can do" className={styles.lines}>
            {machineLines(value).map(({ good, title, words }) => (
              <li key={title} data-good={good}>
                {good ? <Check size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
                <b>{title}</b>
                <span>{words}</span>
              </li>
            ))}
          </ul>
          <details className={styles.details}>
            <summary>Details</summary>
            <dl>
              {machineFigures(value).map(([what, figure]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>{figure}</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </section>
  );
};

/** Models that can chat without a GPU, if there is none: a few, of a size this machine can handle. */
const RunsHere = ({ shown: { machine, offers, stored } }: { shown: ModelsState }) => {
  const { session } = useActions();
  const choose = useChoose('chat');
  const chosen = useApp((app) => app.models.chat.choice);
  const few = offers.value === null || machine.value === null ? [] : runHere(offers.value, machine.value);
  if (few.length === 0) return null;
  return (
    <section className={modelsStyles.block} aria-labelledby="models-run-here">
      <Heading level={4} id="models-run-here">
        Language models that run here
      </Heading>
      <p className={modelsStyles.words}>
        They run on the processor, so they are small and slow in long conversations. Larger models answer better but
        take longer.
      </p>
      <ul aria-label="Language models that run here" className={modelsStyles.list}>
        {few.map((offer) => {
          const used = sameChoice(chosen, { kind: 'model', key: offer.key });
          return (
            <li key={offer.key}>
              <div>
                <b>{offer.name}</b>
                <p>{offer.about}</p>
                <FactsLine facts={offerFacts(offer, storedBytes(stored.value ?? [], offer.key))} />
              </div>
              <Button
                size="small"
                aria-label={`Use ${offer.name}`}
                disabled={used}
                onClick={() => {
                  choose({ kind: 'model', key: offer.key });
                  session({ dialog: 'models', with: 'chat' });
                }}
              >
                {used ? 'In use' : 'Use'}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const SHIPS: ModelChoice = { kind: 'embedded' };
const ALL_SHIPS: RecommendedSet['choices'] = { chat: SHIPS, decide: SHIPS, summarise: SHIPS, embed: SHIPS };

/** Sets a model for every role in one click, and offers the way back. */
const Recommended = ({ shown: { recommended, offers, stored } }: { shown: ModelsState }) => {
  const { models } = useActions();
  const state = useAppState();
  const task = useTask('Choosing the models');
  const set = recommended.value;
  const uses = (choices: RecommendedSet['choices'] | undefined) => (app: ReturnType<typeof state>) =>
    choices !== undefined && ROLES.every((role) => sameChoice(app.models[role].choice, choices[role]));
  const ships = useApp((app) => uses(ALL_SHIPS)(app) && app.consult?.choice.kind !== 'model');
  const used = useApp(uses(set?.choices));
  const put = (choices: RecommendedSet['choices']) =>
    void task.run(() =>
      models.chooseAll(choices).catch((error: unknown) => {
        // A role that failed reports it itself.
        if (ROLES.every((role) => state().models[role].state !== 'failed')) throw error;
      }),
    );
  const best = set !== null && !ROLES.every((role) => set.choices[role].kind === 'embedded');
  return (
    <section className={modelsStyles.card} aria-labelledby="models-recommended">
      <Heading level={4} id="models-recommended">
        Recommended for this machine
      </Heading>
      <p className={modelsStyles.words}>{aboutOf(best ? set : null, recommended)}</p>
      {best && (
        <dl className={modelsStyles.roles}>
          {ROLES.map((role) => (
            <div key={role}>
              <dt>{ROLE_WORDS[role]}</dt>
              <dd>
                <Chosen choice={set.choices[role]} offers={offers.value ?? []} role={role} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={modelsStyles.row}>
        {best && (
          <Button look="primary" disabled={used || task.busy} onClick={() => put(set.choices)}>
            {used ? 'In use' : `Use these · ${setDownloadWords(set, offers.value ?? [], stored.value ?? [])}`}
          </Button>
        )}
        {!ships && (
          <Button disabled={task.busy} onClick={() => put(ALL_SHIPS)}>
            Use the embedded models
          </Button>
        )}
      </div>
      <TaskFailure message={task.failure} />
    </section>
  );
};

const aboutOf = (set: RecommendedSet | null, { failure, asking }: Query<unknown>): string => {
  if (set !== null) return set.about;
  if (failure !== null) return `Could not recommend a set: ${failure}`;
  if (asking) return 'Looking for models that fit…';
  return 'The embedded models. You’ll find small models that run on the processor in each role’s list, and you can use models from a server.';
};

const Chosen = ({ choice, offers, role }: { choice: ModelChoice; offers: readonly Offer[]; role: Role }) => {
  switch (choice.kind) {
    case 'embedded':
      return `${ROLE_FACTS[role].name}, ships with the page`;
    case 'same-as-chat':
      return 'same as chat';
    case 'model': {
      const offer = offers.find(({ key }) => key === choice.key);
      const size = offer?.downloadBytes ?? null;
      return `${offer?.name ?? choice.key}${size === null ? '' : `, ${bytesInWords(size)}`}`;
    }
  }
};
