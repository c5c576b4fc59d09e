import { Drama, Plus, ScrollText } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { needsNoDownload, type Offer } from '../../app/model-control.ts';
import { DEFAULT_PERSONA, type Persona } from '../../app/persona.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { INSTRUCTIONS } from '../../engine/parameters.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Select, TextArea, TextField } from '../../ui/parts/fields.tsx';
import { typedNumber } from '../../ui/parts/format.ts';
import { PagedDialog, type PageGroup, PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Badge, Muted } from '../../ui/parts/text.tsx';
import styles from './personas-dialog.module.css';

/** Defaults of new conversations. Changes apply immediately, but not to existing conversations. */
export const PersonasDialog = ({ onClose }: { onClose: () => void }) => {
  const { changePersonas, choosePersona } = useActions();
  const { all, chosen } = useApp((app) => app.personas);
  const modelInUse = all.find(({ id }) => id === chosen)?.model?.key;
  const [modelBefore] = useState(modelInUse);
  const close = () => {
    // For the open conversation, if it is still empty: not for each model that was looked at.
    if (modelInUse !== modelBefore) void choosePersona(chosen);
    onClose();
  };
  const [page, setPage] = useState<string | null>(chosen);
  const shown = all.find(({ id }) => id === page) ?? all[0];

  const item = (persona: Persona) => ({
    page: persona.id,
    icon: persona.id === DEFAULT_PERSONA ? ScrollText : Drama,
    title: persona.name || 'Untitled persona',
    words: wordsOf(persona),
    ...(persona.id === chosen && { mark: <Badge>in use</Badge> }),
  });
  const groups: PageGroup<string>[] = [
    { label: 'Default', items: all.filter(({ id }) => id === DEFAULT_PERSONA).map(item) },
    { label: 'Personas', items: all.filter(({ id }) => id !== DEFAULT_PERSONA).map(item) },
  ].filter(({ items }) => items.length > 0);

  const add = () => {
    const persona: Persona = {
      id: `persona-${Date.now()}`,
      name: '',
      instructions: '',
      temperature: null,
      model: null,
    };
    void changePersonas((now) => ({ ...now, all: [...now.all, persona] }));
    setPage(persona.id);
  };
  return (
    <PagedDialog
      title="Personas"
      description="How new conversations are answered. Existing conversations keep the instructions they started with; change them in their reply settings. A persona’s model then answers in every conversation until you choose another."
      onClose={close}
      groups={groups}
      page={shown?.id ?? null}
      onPage={setPage}
      actions={
        <>
          <Button className={styles.add ?? ''} onClick={add}>
            <Plus size={14} aria-hidden />
            New persona
          </Button>
          <Button look="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      {shown !== undefined && <PersonaPage key={shown.id} persona={shown} isChosen={shown.id === chosen} />}
    </PagedDialog>
  );
};

const wordsOf = ({ instructions, temperature, model }: Persona): string =>
  [
    instructions.trim() === '' ? 'default instructions' : instructions.trim(),
    temperature === null ? '' : `temperature ${temperature}`,
    model?.name ?? '',
  ]
    .filter((words) => words !== '')
    .join(' · ');

const PersonaPage = ({ persona, isChosen }: { persona: Persona; isChosen: boolean }) => {
  const { changePersonas, choosePersona, announce } = useActions();
  const state = useAppState();
  const id = useId();
  const isDefault = persona.id === DEFAULT_PERSONA;
  const change = (to: Partial<Persona>) => {
    void changePersonas((now) => ({
      ...now,
      all: now.all.map((one) => (one.id === persona.id ? { ...one, ...to } : one)),
    }));
  };
  const remove = () => {
    const at = state().personas.all.findIndex((one) => one.id === persona.id);
    void changePersonas(({ chosen, all }) => ({
      chosen: chosen === persona.id ? DEFAULT_PERSONA : chosen,
      all: all.filter((one) => one.id !== persona.id),
    }));
    announce(`${persona.name || 'The persona'} removed.`, {
      label: 'Revert',
      run: () =>
        void changePersonas(({ chosen, all }) => ({
          chosen: isChosen ? persona.id : chosen,
          all: all.toSpliced(at, 0, persona),
        })),
    });
  };
  return (
    <>
      <PageHead title={isDefault ? persona.name : persona.name || 'New persona'}>
        {isDefault
          ? 'For every new conversation started without another persona.'
          : 'A set of instructions, a temperature and a model.'}
      </PageHead>
      <div className={styles.form}>
        {!isDefault && (
          <label className={styles.field}>
            <span>Name</span>
            <TextField
              value={persona.name}
              maxLength={60}
              placeholder="e.g. Reviewer"
              // Whoever adds a persona names it first.
              autoFocus={persona.name === ''}
              onChange={({ target }) => change({ name: target.value })}
            />
          </label>
        )}
        <label className={styles.field}>
          <span>Instructions</span>
          <TextArea
            rows={7}
            value={persona.instructions}
            placeholder={INSTRUCTIONS}
            onChange={({ target }) => change({ instructions: target.value })}
          />
        </label>
        <Temperature value={persona.temperature} onChange={(temperature) => change({ temperature })} />
        <ModelField id={id} persona={persona} onChange={(model) => change({ model })} />
        <div className={styles.row}>
          {isChosen ? (
            <span className={styles.chosen}>New conversations start with this.</span>
          ) : (
            <Button onClick={() => void choosePersona(persona.id)}>Use for new conversations</Button>
          )}
          {!isDefault && (
            <Button look="danger" onClick={remove}>
              Remove
            </Button>
          )}
        </div>
      </div>
    </>
  );
};

const Temperature = ({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) => {
  const [typed, setTyped] = useState(value?.toString() ?? '');
  const id = useId();
  const read = temperatureFrom(typed);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Temperature</label>
      <TextField
        id={id}
        className={styles.short}
        inputMode="decimal"
        autoComplete="off"
        placeholder="model default"
        value={typed}
        aria-invalid={read === undefined}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => {
          setTyped(target.value);
          const next = temperatureFrom(target.value);
          if (next !== undefined) onChange(next);
        }}
      />
      <Muted as="small" faint id={`${id}-about`} data-refused={read === undefined}>
        {read === undefined
          ? 'Enter a number from 0 to 2, or leave it empty for the model’s default.'
          : '0 to 2: from predictable to free'}
      </Muted>
    </div>
  );
};

/** null if empty, undefined if invalid. */
const temperatureFrom = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const value = typedNumber(text);
  return value >= 0 && value <= 2 ? value : undefined;
};

/** Models that can chat here without a download, and the previously chosen one, even if it is not among them. */
const ModelField = ({
  id,
  persona: { model },
  onChange,
}: {
  id: string;
  persona: Persona;
  onChange: (model: Persona['model']) => void;
}) => {
  const { models, session } = useActions();
  const [here, setHere] = useState<readonly Offer[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    Promise.all([models.offers(), models.stored()]).then(
      ([offers, stored]) => {
        setHere(offers.filter((offer) => offer.roles.includes('chat') && needsNoDownload(offer, stored)));
      },
      (error: unknown) => setFailure(errorMessage(error)),
    );
  }, [models]);
  const known = here ?? [];
  const chosen = known.find(({ key }) => key === model?.key);
  return (
    <div className={styles.field}>
      <label htmlFor={`${id}-model`}>Model</label>
      <Select
        wide
        id={`${id}-model`}
        value={model?.key ?? ''}
        aria-describedby={`${id}-model-about`}
        onChange={({ target }) => {
          const offer = known.find(({ key }) => key === target.value);
          onChange(offer === undefined ? null : { key: offer.key, name: offer.name });
        }}
      >
        <option value="">Current chat model</option>
        {known.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        {model !== null && chosen === undefined && <option value={model.key}>{model.name}</option>}
      </Select>
      <Muted as="small" faint id={`${id}-model-about`} data-refused={failure !== null}>
        {failure ??
          (chosen?.leavesFor != null
            ? `What you write leaves this browser for ${chosen.leavesFor}.`
            : model !== null && here !== null && chosen === undefined
              ? 'It is not on this machine right now. Download it or connect its server in Models.'
              : 'Choose from models on this machine or your own server.')}
      </Muted>
      <Button
        size="small"
        className={styles.models ?? ''}
        onClick={() => session({ dialog: 'models', with: 'chat', backTo: 'personas' })}
      >
        More models…
      </Button>
    </div>
  );
};
