import { Send, TriangleAlert } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import type { ModelChoice, Offer, RuntimeName } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { SearchField } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { leavesWords } from '../../ui/parts/model-words.ts';
import { Heading, Muted } from '../../ui/parts/text.tsx';
import styles from './chooser.module.css';
import { FactsLine } from './model-parts.tsx';
import {
  byReason,
  calledAmong,
  embeddedFacts,
  listOffers,
  type OfferFilter,
  offerFacts,
  ROLE_FACTS,
  RUNTIME_WORDS,
  runtimesOf,
  SAME_AS_CHAT,
  sameChoice,
  storedBytes,
} from './offer-list.ts';
import { type ModelsState, useChoose } from './use-models.ts';

const NO_FILTER: OfferFilter = { text: '', runtime: null };
/** Few enough to find one at a glance. */
const FEW = 5;

/** The choices for a role: the embedded model, the chat model, then everything that fits this machine; last, what does not fit and why. */
export const Chooser = ({ role, shown }: { role: Role; shown: ModelsState }) => {
  const [filter, setFilter] = useState(NO_FILTER);
  const offers = shown.offers.value ?? [];
  const stored = shown.stored.value ?? [];
  const { fit, unfit } = listOffers(offers, role, stored, filter);
  const own = filter === NO_FILTER;
  const all = offers.filter(({ roles }) => roles.includes(role));
  const row = (offer: Offer, why: string | null = null) => (
    <Row
      key={offer.key}
      role={role}
      choice={{ kind: 'model', key: offer.key }}
      name={offer.name}
      called={calledAmong(all, offer)}
      by={offer.runtime === 'prompt-api' ? null : RUNTIME_WORDS[offer.runtime]}
      about={offer.about}
      facts={offerFacts(offer, storedBytes(stored, offer.key))}
      leaves={offer.leavesFor === null ? null : leavesWords(offer.leavesFor)}
      unfit={offer.unfit !== null}
      why={why}
    />
  );
  return (
    <section className={styles.chooser} aria-labelledby="models-chooser">
      <Heading level={4} id="models-chooser">
        Choose another
      </Heading>
      {role === 'embed' && (
        <Muted>Another model has to compare the whole conversation again, which happens in the background.</Muted>
      )}
      {all.length > FEW && <Filter filter={filter} runtimes={runtimesOf(offers, role)} onChange={setFilter} />}
      <ul aria-label="Models that fit" className={styles.list}>
        {own && <Embedded role={role} />}
        {own && SAME_AS_CHAT[role] !== undefined && <SameAsChat role={role} about={SAME_AS_CHAT[role]} />}
        {fit.map((offer) => row(offer))}
      </ul>
      <div role="status">
        <Remarks shown={shown} found={fit.length + unfit.length} filtered={!own} onAll={() => setFilter(NO_FILTER)} />
      </div>
      {unfit.length > 0 && (
        <div role="group" aria-label="Models that do not fit">
          <h5>{counted(unfit.length, 'model')} that would not run well here</h5>
          {byReason(unfit).map(({ why, offers: alike }) => (
            <div key={why} className={styles.alike}>
              {alike.length > 1 && <Why why={why} />}
              <ul className={styles.list}>{alike.map((offer) => row(offer, alike.length > 1 ? null : why))}</ul>
            </div>
          ))}
        </div>
      )}
    </section>
  );
};

const Row = ({
  role,
  choice,
  ...rest
}: Omit<ComponentProps<typeof OfferRow>, 'onUse'> & { role: Role; choice: ModelChoice }) => {
  const used = useApp((app) => sameChoice(app.models[role].choice, choice));
  const choose = useChoose(role);
  // Already shown above the list.
  return used ? null : <OfferRow {...rest} onUse={() => choose(choice)} />;
};

const Embedded = ({ role }: { role: Role }) => {
  const { name, about } = ROLE_FACTS[role];
  return <Row role={role} choice={{ kind: 'embedded' }} name={name} about={about} facts={embeddedFacts(role)} />;
};

const SameAsChat = ({ role, about }: { role: Role; about: string }) => {
  const chat = useApp((app) => app.models.chat);
  const recalls = chat.choice.kind === 'embedded';
  return (
    <Row
      role={role}
      choice={{ kind: 'same-as-chat' }}
      name="Same as chat"
      about={about}
      facts={recalls ? [] : [`now ${chat.name}`]}
      blocked={recalls}
      why={recalls ? 'The chat has no language model yet.' : null}
    />
  );
};

const Filter = ({
  filter,
  runtimes,
  onChange,
}: {
  filter: OfferFilter;
  runtimes: readonly RuntimeName[];
  onChange: (filter: OfferFilter) => void;
}) => {
  const id = useId();
  const put = (change: Partial<OfferFilter>) => {
    const next = { ...filter, ...change };
    onChange(next.text === '' && next.runtime === null ? NO_FILTER : next);
  };
  return (
    <div className={styles.filter}>
      <SearchField label="Find a model" value={filter.text} onChange={(text) => put({ text })} />
      {runtimes.length > 1 && (
        <div>
          <label htmlFor={id}>Run by</label>
          <select
            id={id}
            value={filter.runtime ?? ''}
            onChange={({ target }) => put({ runtime: runtimes.find((one) => one === target.value) ?? null })}
          >
            <option value="">anything</option>
            {runtimes.map((runtime) => (
              <option key={runtime} value={runtime}>
                {RUNTIME_WORDS[runtime]}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
};

const Remarks = ({
  shown: { offers },
  found,
  filtered,
  onAll,
}: {
  shown: ModelsState;
  found: number;
  filtered: boolean;
  onAll: () => void;
}) => {
  const { session } = useActions();
  if (offers.failure !== null) {
    return (
      <p className={styles.remark}>
        Could not load the list: {offers.failure}{' '}
        <Button size="small" onClick={offers.reload}>
          Try again
        </Button>
      </p>
    );
  }
  if (offers.value === null) return <p className={styles.remark}>Looking for models that fit…</p>;
  if (found > 0) return null;
  return (
    <p className={styles.remark}>
      {filtered ? 'No models match.' : 'There are no other models for this role yet.'}
      {filtered ? (
        <Button size="small" onClick={onAll}>
          Show all
        </Button>
      ) : (
        <>
          <Button size="small" onClick={() => session({ dialog: 'models', with: 'add' })}>
            Add a model
          </Button>
          <Button size="small" onClick={() => session({ dialog: 'models', with: 'server' })}>
            Connect to a server
          </Button>
        </>
      )}
    </p>
  );
};

/** A model that could be chosen. */
const OfferRow = ({
  name,
  called = name,
  by = null,
  about,
  facts,
  leaves = null,
  unfit = false,
  why = null,
  blocked = false,
  onUse,
}: {
  name: string;
  /** The name used by its button, if `name` is not enough. */
  called?: string;
  /** What runs it. */
  by?: string | null;
  about: string;
  facts: readonly string[];
  /** Where the conversation's text goes, in words; null if it stays here. */
  leaves?: string | null;
  /** It would not run well, but can still be chosen. */
  unfit?: boolean;
  /** It cannot be chosen at all. */
  blocked?: boolean;
  /** Why not, unless that is said above the row. */
  why?: string | null;
  onUse: () => void;
}) => (
  <li className={styles.offer} data-unfit={unfit || blocked}>
    <div className={styles.what}>
      <b>{name}</b>
      {by !== null && <span className={styles.by}>{by}</span>}
      <p className={styles.about}>{about}</p>
      {why !== null && <Why why={why} />}
      {leaves !== null && (
        <p className={styles.why}>
          <Send size={12} aria-hidden />
          {leaves}
        </p>
      )}
      <FactsLine facts={facts} />
    </div>
    <Button
      size="small"
      look={unfit ? 'quiet' : 'outline'}
      disabled={blocked}
      aria-label={unfit ? `Try ${called} anyway` : `Use ${called}`}
      onClick={onUse}
    >
      {unfit ? 'Try anyway' : 'Use'}
    </Button>
  </li>
);

/** Why something does not fit. */
const Why = ({ why }: { why: string }) => (
  <p className={styles.why}>
    <TriangleAlert size={12} aria-hidden />
    {why}
  </p>
);
