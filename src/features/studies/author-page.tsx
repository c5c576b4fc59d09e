import { ArrowLeft, Download, Trash2, Users } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { download } from '../../ui/parts/download.ts';
import { Checkbox, Segmented, Select, TextArea, TextField, useFilePicker } from '../../ui/parts/fields.tsx';
import { counted, isolated } from '../../ui/parts/format.ts';
import { droppedItems, filesFound, type GivenFiles, UNREADABLE, useDropZone } from '../../ui/parts/hooks.ts';
import { type PageTask, TaskProgress, useCancellableTask, usePageTask } from '../../ui/parts/progress.tsx';
import { AskEngine, type AskingProgress } from './ask-engine.tsx';
import { dialogueOfLog, named, tagsOf, withChanges, withDialogues, withoutEngine } from './author.ts';
import { AuthorGold } from './author-gold.tsx';
import styles from './author-page.module.css';
import { withoutGold } from './label-words.ts';
import { codesOf, dialoguesFor, everybodyLabelsAll, type Study, type StudyDialogue } from './study.ts';
import { packageName, packStudy } from './study-package.ts';
import type { StoredStudy, StudyShelf } from './study-shelf.ts';

/** Delay from the last change until it is stored, in milliseconds. */
const SETTLED = 300;

interface AuthorPageProps {
  readonly shelf: StudyShelf;
  readonly kept: StoredStudy;
  readonly onBack: () => void;
  readonly onCoordinate: () => void;
}

/** The author's view of a study. Everything is stored while typing. */
export const AuthorPage = ({ shelf, kept, onBack, onCoordinate }: AuthorPageProps) => {
  const { reportFailure } = useActions();
  const [study, setStudy] = useState(kept.study);
  const [goldOf, setGoldOf] = useState<string | null>(null);
  const [labelled, setLabelled] = useState<ReadonlySet<string>>(new Set());
  const asking = usePageTask<AskingProgress>('Asking the engine');
  const unsaved = useRef<Study | null>(null);
  /** As last stored from this page. */
  const saved = useRef(kept.study);

  const keep = useRef((isLeaving = false) => {
    const latest = unsaved.current;
    unsaved.current = null;
    if (latest === null) return;
    const current = named(latest);
    shelf
      .change(kept.id, ({ study: stored }) => ({ study: withChanges(stored, saved.current, current) }), isLeaving)
      .then(
        () => {
          saved.current = current;
        },
        (error: unknown) => reportFailure('Saving the study', error),
      );
  });
  const change = (made: (study: Study) => Study) =>
    setStudy((before) => {
      unsaved.current = made(before);
      return unsaved.current;
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is stored a moment after the last
  useEffect(() => {
    const timer = setTimeout(() => keep.current(), SETTLED);
    return () => clearTimeout(timer);
  }, [study]);
  useEffect(() => {
    const store = keep.current;
    const leave = () => store(true);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      store();
    };
  }, []);
  useEffect(() => {
    shelf.events(kept.study.id).then(
      (events) => setLabelled(new Set(events.map(({ dialogue }) => dialogue))),
      (error: unknown) => reportFailure('Reading the labels', error),
    );
  }, [shelf, kept.study.id, reportFailure]);

  const changeDialogue = (id: string, made: (dialogue: StudyDialogue) => StudyDialogue) =>
    change((before) => ({ ...before, dialogues: before.dialogues.map((one) => (one.id === id ? made(one) : one)) }));

  const gold = study.dialogues.find(({ id }) => id === goldOf);
  if (gold !== undefined) {
    return (
      <AuthorGold
        shelf={shelf}
        study={study}
        dialogue={gold}
        onGold={(labels) => changeDialogue(gold.id, (one) => ({ ...one, gold: labels }))}
        onBack={() => setGoldOf(null)}
      />
    );
  }
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <IconButton label="All studies" icon={ArrowLeft} onClick={onBack} />
        <input
          dir="auto"
          className={styles.name}
          aria-label="Name of the study"
          value={study.name}
          onChange={({ target }) => change((before) => ({ ...before, name: target.value }))}
        />
        <Button onClick={onCoordinate}>
          <Users size={14} aria-hidden />
          Coordinate
        </Button>
        <SavePackage study={named(study)} />
      </div>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Section
            title="Dialogues"
            words="The dialogues to label, in any format that Import reads. Training comes first and shows your gold after each turn. Gold for other dialogues stays with you."
          >
            <Dialogues
              study={study}
              labelled={labelled}
              onChange={changeDialogue}
              onGold={setGoldOf}
              onRemove={(id) =>
                change((before) => ({ ...before, dialogues: before.dialogues.filter((one) => one.id !== id) }))
              }
            />
            <AddDialogues
              shelf={shelf}
              onAdd={(added, linksAreGold) => {
                const tag = shelf.newId().slice(0, 4);
                change((before) => withDialogues(before, added, linksAreGold, tag));
              }}
            />
          </Section>
          <Section
            title="Guidelines"
            words="Written in Markdown. They appear beside every turn and can be searched by section."
          >
            <TextArea
              className={styles.guidelines}
              aria-label="Guidelines"
              rows={18}
              spellCheck={false}
              value={study.guidelines}
              onChange={({ target }) => change((before) => ({ ...before, guidelines: target.value }))}
            />
          </Section>
        </div>
        <div className={styles.side}>
          <Section title="Labelling">
            <ModeField shelf={shelf} kept={kept} study={study} asking={asking} onChange={change} />
            <TagsField tags={study.tags} onTags={(tags) => change((before) => ({ ...before, tags }))} />
          </Section>
          <Section title="Assignment">
            <div className={styles.numbers}>
              <NumberField
                label="People"
                value={study.people}
                onValue={(people) => change((before) => ({ ...before, people }))}
              />
              <NumberField
                label="Per dialogue"
                value={study.peoplePerDialogue}
                onValue={(peoplePerDialogue) => change((before) => ({ ...before, peoplePerDialogue }))}
              />
              <NumberField
                label="Seed"
                min={0}
                value={study.seed}
                onValue={(seed) => change((before) => ({ ...before, seed }))}
              />
            </div>
            <Shares study={study} />
          </Section>
        </div>
      </div>
    </div>
  );
};

const Section = ({ title, words, children }: { title: string; words?: string; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h3>{title}</h3>
    {words !== undefined && <p className={styles.words}>{words}</p>}
    {children}
  </section>
);

export const Dialogues = ({
  study,
  labelled,
  onChange,
  onGold,
  onRemove,
}: {
  study: Study;
  /** Dialogues that already have labels here. */
  labelled: ReadonlySet<string>;
  onChange: (id: string, made: (dialogue: StudyDialogue) => StudyDialogue) => void;
  onGold: (id: string) => void;
  onRemove: (id: string) => void;
}) => {
  if (study.dialogues.length === 0) return null;
  return (
    <ul aria-label="Dialogues of the study" className={styles.dialogues}>
      {study.dialogues.map(({ id, name, turns, part, gold }) => {
        const given = (gold ?? []).filter((label) => label !== null).length;
        return (
          <li key={id} aria-label={name}>
            <input
              dir="auto"
              className={styles.dialogueName}
              aria-label="Name of the dialogue"
              value={name}
              onChange={({ target }) => onChange(id, (one) => ({ ...one, name: target.value }))}
            />
            <span className={styles.turns}>{counted(turns.length, 'turn')}</span>
            <Segmented
              label={`Part of ${name}`}
              options={[
                { value: 'work', label: 'Work' },
                { value: 'training', label: 'Training' },
              ]}
              value={part}
              // Its labels are of the part that it was in, and would count for nothing in the other.
              fixed={labelled.has(id) ? 'it has labels and stays as it is' : undefined}
              onChange={(to) => onChange(id, (one) => ({ ...one, part: to }))}
            />
            <Button size="small" onClick={() => onGold(id)} data-missing={part === 'training' && given < turns.length}>
              {given === 0 ? 'Label gold' : `Gold ${given} of ${turns.length}`}
            </Button>
            <IconButton
              size="small"
              label={labelled.has(id) ? `${name} has labels and cannot be removed` : `Remove ${name}`}
              icon={Trash2}
              disabled={labelled.has(id)}
              onClick={() => onRemove(id)}
            />
            {part === 'training' && given < turns.length && (
              <p className={styles.warning}>
                {given === 0 ? 'Without gold, this training gives no feedback.' : withoutGold(turns.length - given)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
};

const AddDialogues = ({
  shelf,
  onAdd,
}: {
  shelf: StudyShelf;
  onAdd: (added: Parameters<typeof withDialogues>[1], linksAreGold: boolean) => void;
}) => {
  const { readLog } = useActions();
  const conversations = useApp((state) => state.conversations).filter(({ turns }) => turns > 0);
  const picker = useFilePicker('Dialogue files', (files) => void add(files), {
    multiple: true,
    accept: '.json,.jsonl,.ndjson,.txt,.zip,application/json,application/zip',
  });
  const [linksAreGold, setLinksAreGold] = useState(false);
  const reading = useCancellableTask<true>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const zone = useDropZone((data) => void add(droppedItems(data)));

  const add = async (given: GivenFiles) => {
    if (!(given instanceof Promise) && given.length === 0) return;
    await reading.run(
      true,
      async (signal) => {
        const { files, unreadable } = await filesFound(given);
        signal.throwIfAborted();
        const read = await shelf.readDialogues(files, signal);
        const own = await Promise.all(read.logs.map(({ title, entries }) => dialogueOfLog(title, entries)));
        const dialogues = [...read.dialogues, ...own.filter(({ turns }) => turns.length > 0)];
        onAdd(dialogues, linksAreGold);
        const all = [...unreadable.map((name) => ({ name, why: UNREADABLE })), ...read.refused];
        const why = all.map(({ name, why: reason }) => `${name}: ${reason}`);
        setRefused(dialogues.length === 0 && why.length === 0 ? ['It contains no dialogues.'] : why);
      },
      (why) => setRefused(why === null ? [] : [why]),
    );
  };
  const addConversation = async (id: string) => {
    const title = conversations.find((one) => one.id === id)?.title ?? '';
    try {
      onAdd([await dialogueOfLog(title, await readLog(id))], linksAreGold);
    } catch (error) {
      setRefused([errorMessage(error)]);
    }
  };

  return (
    <>
      {refused.length > 0 && (
        <div role="alert" className={styles.refused}>
          <ul>
            {refused.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
      <div role="group" aria-label="Add dialogues" className={styles.add} {...zone}>
        {reading.progress === null ? (
          <>
            <Button onClick={picker.pick}>Add files</Button>
            <Select
              className={styles.select}
              aria-label="Add one of your conversations"
              value=""
              disabled={conversations.length === 0}
              onChange={({ target }) => void addConversation(target.value)}
            >
              <option value="">Add one of your conversations…</option>
              {conversations.map(({ id, title, turns }) => (
                <option key={id} value={id}>
                  {isolated(title || 'Untitled')}, {counted(turns, 'turn')}
                </option>
              ))}
            </Select>
            <Checkbox on={linksAreGold} onChange={setLinksAreGold}>
              Use their links as gold
            </Checkbox>
          </>
        ) : (
          <TaskProgress label="Reading" words="" done={0} of={1} onCancel={reading.cancel} />
        )}
        {picker.input}
      </div>
    </>
  );
};

/** Whether people label blind or see the engine's answers and, if so, which engine's answers go into the package. */
const ModeField = ({
  shelf,
  kept,
  study,
  asking,
  onChange,
}: {
  shelf: StudyShelf;
  kept: StoredStudy;
  study: Study;
  asking: PageTask<AskingProgress>;
  onChange: (made: (before: Study) => Study) => void;
}) => {
  const { dialogues } = study;
  const missing = withoutEngine(study).length;
  return (
    <>
      <Segmented
        label="What people see"
        options={[
          { value: 'blind', label: 'Blind' },
          { value: 'assisted', label: 'Assisted' },
        ]}
        value={study.mode}
        onChange={(mode) => {
          // It is neither shown there nor of any use.
          if (mode === 'blind') asking.cancel();
          onChange((before) => ({ ...before, mode }));
        }}
      />
      {study.mode === 'blind' ? (
        <p className={styles.words}>Nobody sees the engine’s answers. Their files don’t contain them.</p>
      ) : (
        <>
          <p className={styles.words}>
            The engine’s answer appears beside each turn. These labels are never combined with blind ones.
          </p>
          {/* Always for all dialogues: the answers in a study come from a single engine. */}
          <AskEngine
            label="Engine shown to people"
            words={missing === 0 && dialogues.length > 0 ? 'Ask the engine again' : 'Ask the engine'}
            shelf={shelf}
            kept={kept}
            dialogues={dialogues}
            task={asking}
            onLabels={async (labels) =>
              onChange((before) => ({
                ...before,
                dialogues: before.dialogues.map((one) => {
                  const engine = labels.get(one.id);
                  return engine === undefined ? one : { ...one, engine: [...engine] };
                }),
              }))
            }
          />
          {dialogues.length > 0 && (
            <p className={missing === 0 ? styles.words : styles.warning} role="status">
              {missing === 0
                ? `The engine has answered ${counted(dialogues.length, 'dialogue')}.`
                : `${counted(missing, 'dialogue has', 'dialogues have')} no answers yet. Ask the engine before you save for annotators.`}
            </p>
          )}
        </>
      )}
    </>
  );
};

/** Kept as typed, so that a comma can be followed by another word. */
const TagsField = ({ tags, onTags }: { tags: readonly string[]; onTags: (tags: string[]) => void }) => {
  const [line, setLine] = useState(tags.join(', '));
  return (
    <label className={styles.field}>
      <span>Your own tags, separated by commas</span>
      <TextField
        placeholder="refinement, recall, digression"
        value={line}
        onChange={({ target }) => {
          setLine(target.value);
          onTags(tagsOf(target.value));
        }}
      />
    </label>
  );
};

const NumberField = ({
  label,
  value,
  min = 1,
  onValue,
}: {
  label: string;
  value: number;
  min?: number;
  onValue: (value: number) => void;
}) => {
  const [typed, setTyped] = useState(String(value));
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <TextField
        type="number"
        min={min}
        max={9999}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          const number = Math.floor(Number(target.value));
          if (target.value !== '' && number >= min && number <= 9999) onValue(number);
        }}
        onBlur={() => setTyped(String(value))}
      />
    </label>
  );
};

/** What each person gets: a code and their dialogues. */
const Shares = ({ study }: { study: Study }) => {
  if (study.dialogues.length === 0) return null;
  const turnsFor = (person: string) => dialoguesFor(study, person).reduce((sum, { turns }) => sum + turns.length, 0);
  if (everybodyLabelsAll(study)) {
    return (
      <p className={styles.words}>
        Everyone labels everything: {counted(turnsFor('anybody'), 'turn')} each. They start by choosing a name.
      </p>
    );
  }
  return (
    <>
      <p className={styles.words}>Give each person one code. It determines which dialogues they get.</p>
      <ul aria-label="Codes" className={styles.codes}>
        {codesOf(study).map((code) => (
          <li key={code}>
            <b>{code}</b> {counted(dialoguesFor(study, code).length, 'dialogue')}, {counted(turnsFor(code), 'turn')}
          </li>
        ))}
      </ul>
    </>
  );
};

/** Saves the single file for everybody. */
const SavePackage = ({ study }: { study: Study }) => {
  const { announce } = useActions();

  const save = () => {
    const name = packageName(study, 'annotator');
    download(name, new Blob([packStudy(study, 'annotator')]), 'application/zip');
    announce(`Saved as ${name}. Send it to everyone who labels.`);
  };

  return (
    <Button look="primary" disabled={study.dialogues.length === 0 || withoutEngine(study).length > 0} onClick={save}>
      <Download size={14} aria-hidden />
      Save for annotators
    </Button>
  );
};
