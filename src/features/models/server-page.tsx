import { type FormEvent, useState } from 'react';
import type { Offer } from '../../app/model-control.ts';
import { textFilter } from '../../app/search-words.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Checkbox, SearchField } from '../../ui/parts/fields.tsx';
import { count, counted, typedWhole } from '../../ui/parts/format.ts';
import { leavesWords } from '../../ui/parts/model-words.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Heading, Hint, Muted } from '../../ui/parts/text.tsx';
import forms from './forms.module.css';
import { AssignRole, LabelledField, RemovableRow, TaskFailure } from './model-parts.tsx';
import styles from './models.module.css';
import { type ModelsState, useTask } from './use-models.ts';

/** Default local address of each server. */
const PRESETS = [
  { name: 'Ollama', address: 'http://localhost:11434/v1' },
  { name: 'LM Studio', address: 'http://localhost:1234/v1' },
  { name: 'llama.cpp', address: 'http://localhost:8080/v1' },
  { name: 'vLLM', address: 'http://localhost:8000/v1' },
];

/** Scheme, host and port as typed; the scheme may be missing. */
const hostIn = (address: string): string =>
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/.exec(address.trim().toLowerCase())?.[0] ?? '';

/** Connects to a server that speaks the OpenAI protocol, and lists its models. */
export const ServerPage = ({ shown }: { shown: ModelsState }) => {
  const { models } = useActions();
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(false);
  /** The address that the typed key has been sent to; empty if to none. */
  const [sentTo, setSentTo] = useState('');
  const [found, setFound] = useState<{ baseUrl: string; names: readonly string[] } | null>(null);
  const task = useTask('Connecting');
  // As stored: without a trailing slash.
  const baseUrl = address.trim().replace(/\/+$/, '');
  const hasKey = shown.serversWithKey.value?.includes(baseUrl) === true;
  const clearKey = () => {
    setKey('');
    setRemember(false);
    setSentTo('');
  };
  // A key goes to the server that it was typed for, and to no other.
  const moveTo = (to: string, from: string) => {
    if (from !== '' && hostIn(to) !== hostIn(from)) clearKey();
    setAddress(to);
  };
  const connect = async (event: FormEvent) => {
    event.preventDefault();
    setFound(null);
    setSentTo(address);
    await task.run(async () => {
      const connected = await models.connect({ baseUrl, key: key.trim(), remember });
      setFound({ baseUrl: connected.baseUrl, names: connected.models });
      // The typed address may lack the path, and servers are known by the full one.
      setAddress((now) => (now === address ? connected.baseUrl : now));
      // Another address typed meanwhile has taken its key along.
      setSentTo((now) => (now === '' ? now : connected.baseUrl));
    });
    shown.refresh();
  };
  return (
    <>
      <PageHead title="Server">
        Use any server that supports the OpenAI protocol: on this machine, on your network, or elsewhere.
      </PageHead>
      {/* The browser would refuse an address without a scheme. */}
      <form className={forms.form} onSubmit={(event) => void connect(event)} noValidate>
        <div role="group" aria-label="Usual addresses" className={forms.presets}>
          {PRESETS.map((preset) => (
            <Button
              key={preset.name}
              size="small"
              aria-pressed={preset.address === baseUrl}
              onClick={() => moveTo(preset.address, address)}
            >
              {preset.name}
            </Button>
          ))}
        </div>
        <LabelledField
          label="Address"
          type="url"
          placeholder="http://localhost:11434/v1"
          value={address}
          onValue={(to) => moveTo(to, sentTo)}
        />
        <LabelledField
          label="Key"
          type="password"
          hint={
            remember
              ? 'Only needed if the server requires one. It stays in this browser until you forget the server.'
              : 'Only needed if the server requires one. It is forgotten when you close the tab.'
          }
          placeholder={hasKey ? 'kept in this browser' : undefined}
          value={key}
          onValue={(typed) => {
            setKey(typed);
            setSentTo('');
          }}
        />
        <Checkbox on={remember} disabled={key.trim() === ''} onChange={setRemember}>
          Keep the key on this machine
        </Checkbox>
        <p className={styles.leaves}>{leavesWords(baseUrl === '' ? 'the address you name' : baseUrl)}</p>
        <Button type="submit" look="primary" disabled={task.busy || baseUrl === ''}>
          {task.busy ? 'Connecting…' : 'Connect'}
        </Button>
        <TaskFailure message={task.failure} />
      </form>
      {found !== null && (
        <ServerModels key={found.baseUrl} {...found} offers={shown.offers.value ?? []} onAdded={shown.refresh} />
      )}
      <ConnectedServers shown={shown} onGone={(gone) => found?.baseUrl === gone && setFound(null)} />
    </>
  );
};

/** Few enough to find one at a glance. */
const FEW = 8;

/** The models of a connected server, to pick from. */
const ServerModels = ({
  baseUrl,
  names,
  offers,
  onAdded,
}: {
  baseUrl: string;
  names: readonly string[];
  /** Models already in the lists. */
  offers: readonly Offer[];
  onAdded: () => void;
}) => {
  const { models } = useActions();
  const [sought, setSought] = useState('');
  const [added, setAdded] = useState<Offer | null>(null);
  const task = useTask('Adding the model');
  const add = async (model: string) => {
    await task.run(async () => setAdded(await models.addOwn({ runtime: 'server', baseUrl, model })));
    onAdded();
  };
  const inLists = new Set(offers.filter(({ leavesFor }) => leavesFor === baseUrl).map(({ name }) => name));
  const shown = names.filter(textFilter(sought));
  return (
    <section className={styles.block} aria-labelledby="models-of-server">
      <Heading level={4} id="models-of-server">
        {names.length === 0 ? 'It responds but has no models yet' : `It has ${counted(names.length, 'model')}`}
      </Heading>
      {added !== null && <AssignRole offer={added} />}
      <TaskFailure message={task.failure} />
      {names.length > FEW && <SearchField label="Find a model of the server" value={sought} onChange={setSought} />}
      <ul aria-label="Models of the server" className={styles.list}>
        {shown.map((name) => (
          <li key={name}>
            <b>{name}</b>
            {inLists.has(name) ? (
              <Muted as="span">in your lists</Muted>
            ) : (
              <Button size="small" aria-label={`Add ${name}`} disabled={task.busy} onClick={() => void add(name)}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Servers whose models are in the lists or whose key is kept, and a way to forget them. */
const ConnectedServers = ({ shown, onGone }: { shown: ModelsState; onGone: (baseUrl: string) => void }) => {
  const { models } = useActions();
  const servers = new Map<string, Offer[]>((shown.serversWithKey.value ?? []).map((baseUrl) => [baseUrl, []]));
  for (const offer of shown.offers.value ?? []) {
    if (offer.runtime !== 'server' || offer.leavesFor === null) continue;
    servers.set(offer.leavesFor, [...(servers.get(offer.leavesFor) ?? []), offer]);
  }
  if (servers.size === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="models-servers">
      <Heading level={4} id="models-servers">
        Your servers
      </Heading>
      <ul aria-label="Servers" className={styles.list}>
        {[...servers].map(([baseUrl, offers]) => (
          <RemovableRow
            key={baseUrl}
            name={baseUrl}
            action="Forget"
            remove={() => models.disconnect(baseUrl)}
            onGone={() => {
              onGone(baseUrl);
              shown.refresh();
            }}
          >
            {offers.length === 0
              ? 'Its key is kept, but none of its models is in your lists'
              : offers.map(({ name }) => name).join(', ')}
          </RemovableRow>
        ))}
      </ul>
      <ContextWindows offers={[...servers.values()].flat()} onSet={shown.refresh} />
    </section>
  );
};

const ContextWindows = ({ offers, onSet }: { offers: readonly Offer[]; onSet: () => void }) => {
  if (offers.length === 0) return null;
  return (
    <>
      <Heading level={4} className={forms.windows}>
        Context windows
      </Heading>
      <Hint className={styles.note}>
        By default, the size the server reports. Set your own if the server reports none or more than it can handle.
        Anything longer is cut to fit.
      </Hint>
      {offers.map((offer) => (
        <WindowField key={`${offer.key} ${offer.window ?? ''}`} offer={offer} onSet={onSet} />
      ))}
    </>
  );
};

/** In tokens: a smaller window cannot hold a message, and no server has a larger one. */
const LEAST_WINDOW = 512;
const MOST_WINDOW = 2_097_152;

/** The context window of a server's model; empty leaves it to the server. */
const WindowField = ({ offer, onSet }: { offer: Offer; onSet: () => void }) => {
  const { models, announce } = useActions();
  const before = offer.window?.toString() ?? '';
  const [typed, setTyped] = useState(before);
  const [wrong, setWrong] = useState(false);
  const task = useTask('Setting the window');
  const set = (event: FormEvent) => {
    event.preventDefault();
    const tokens = typed.trim() === '' ? undefined : typedWhole(typed);
    const isWindow =
      tokens === undefined || (Number.isInteger(tokens) && tokens >= LEAST_WINDOW && tokens <= MOST_WINDOW);
    setWrong(!isWindow);
    if (!isWindow || offer.leavesFor === null) return;
    const model = { runtime: 'server' as const, baseUrl: offer.leavesFor, model: offer.name, window: tokens };
    void task.run(async () => {
      await models.addOwn(model);
      announce(
        tokens === undefined
          ? `${offer.name} uses the window its server reports.`
          : `${offer.name} is sent at most ${count(tokens)} tokens.`,
      );
      onSet();
    });
  };
  return (
    <form className={forms.windowField} onSubmit={set} noValidate>
      <LabelledField
        label={`Window of ${offer.name}`}
        inputMode="numeric"
        placeholder="reported by the server"
        value={typed}
        onValue={setTyped}
        aria-invalid={wrong}
        hint={
          wrong
            ? `Enter a whole number of tokens from ${count(LEAST_WINDOW)} to ${count(MOST_WINDOW)}, or leave it empty.`
            : 'in tokens'
        }
      />
      <Button
        type="submit"
        size="small"
        aria-label={`Set the window of ${offer.name}`}
        disabled={task.busy || typed.trim() === before}
      >
        {task.busy ? 'Setting…' : 'Set'}
      </Button>
      <TaskFailure message={task.failure} />
    </form>
  );
};
