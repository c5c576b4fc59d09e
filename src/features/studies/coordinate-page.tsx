import { ArrowLeft, ChevronLeft, ChevronRight, FilePlus2, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { clamp } from '../../domain/numbers.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Segmented, useFilePicker } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { useDropZone } from '../../ui/parts/hooks.ts';
import { PageTabs } from '../../ui/parts/paged-dialog.tsx';
import { usePageTask } from '../../ui/parts/progress.tsx';
import { Heading, Muted, Note, Row } from '../../ui/parts/text.tsx';
import { topicColour } from '../../ui/topic-colour.ts';
import { AdjudicatePage } from './adjudicate-page.tsx';
import { ArcKey, Arcs, SpokenTurn } from './arcs.tsx';
import type { AskingProgress } from './ask-engine.tsx';
import styles from './coordinate.module.css';
import { AgreementPage } from './coordinate-agreement.tsx';
import type { Coordination, TurnSelection } from './coordinate-data.ts';
import {
  type AnnotatedDialogue,
  addFileAs,
  addFiles,
  eventsOf,
  type FileResult,
  firstMode,
  modesIn,
  peopleIn,
  type ReceivedFile,
  type StudyMode,
  withLatestLabels,
  withoutPeople,
} from './coordinate-data.ts';
import { NormingPage } from './coordinate-norming.tsx';
import { PeoplePage } from './coordinate-people.tsx';
import { ExportPage } from './export-page.tsx';
import { currentEvents, type LabelEvent, labelsOf, readLabelFile } from './label-events.ts';
import { labelWords } from './label-words.ts';
import { plainReply } from './study.ts';
import type { StoredStudy, StudyShelf } from './study-shelf.ts';

/** The coordinator's view of a study: take in files, see who did what and how far they agree, settle the rest, and export. */
export const CoordinatePage = ({
  shelf,
  kept,
  onBack,
}: {
  shelf: StudyShelf;
  kept: StoredStudy;
  onBack: () => void;
}) => {
  const { study } = kept;
  const [stored, setStored] = useState<readonly LabelEvent[] | null>(null);
  const events = useMemo(
    () => (stored === null ? null : withoutPeople(currentEvents(study.dialogues, stored), kept.leftOut)),
    [study, stored, kept.leftOut],
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [taken, setTaken] = useState<readonly FileResult[]>([]);
  const [doubtful, setDoubtful] = useState<readonly ReceivedFile[]>([]);
  /** `count`: tells two looks with the same title apart. */
  const [look, setLook] = useState<(TurnSelection & { readonly count: number }) | null>(null);
  const [chosenMode, setMode] = useState<StudyMode | null>(null);
  const asking = usePageTask<AskingProgress>('Asking the engine');
  const teaching = usePageTask<number>('Teaching the decider');
  const reporting = usePageTask<true>('Creating the report');
  const picker = useFilePicker('Label files', (files) => void take(files), {
    multiple: true,
    accept: '.jsonl,application/x-ndjson',
  });

  useEffect(() => {
    shelf.events(study.id).then(setStored, (error: unknown) => setFailure(errorMessage(error)));
  }, [shelf, study.id]);

  const add = async (added: readonly LabelEvent[]) => {
    try {
      await shelf.add(added);
      setStored(await shelf.events(study.id));
      setFailure(null);
      return true;
    } catch (error) {
      setFailure(errorMessage(error));
      return false;
    }
  };

  const addAll = async (files: readonly ReceivedFile[], before: (taken: readonly FileResult[]) => FileResult[]) => {
    const added = await addFiles(shelf, study, files);
    setTaken((taken) => [...before(taken), ...added.results]);
    setDoubtful((pending) => [...pending.filter((one) => !files.includes(one)), ...added.doubtful]);
    setStored(await shelf.events(study.id));
    setFailure(null);
  };

  const take = async (files: readonly File[]) => {
    const read: ReceivedFile[] = [];
    const refused: FileResult[] = [];
    for (const file of files) {
      try {
        read.push({ name: file.name, ...readLabelFile(await file.text(), study) });
      } catch (error) {
        refused.push({ name: file.name, words: errorMessage(error), refused: true });
      }
    }
    await addAll(read, () => refused).catch((error: unknown) => setFailure(errorMessage(error)));
  };

  const takeAs = async (file: ReceivedFile, person: string) => {
    try {
      const result = await addFileAs(shelf, file, person);
      setDoubtful((pending) => pending.filter((one) => one !== file));
      // Others may be known by that name now.
      const others = doubtful.filter((one) => one !== file);
      await addAll(others, (taken) => [...taken, result]);
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };

  const modes = useMemo(() => modesIn(events ?? []), [events]);
  const mode = chosenMode ?? firstMode(study, modes);
  const all = useMemo(
    () =>
      withLatestLabels(study.dialogues, [
        ...eventsOf(events ?? [], ['work'], mode),
        ...eventsOf(events ?? [], ['engine']),
      ]),
    [study, events, mode],
  );

  const lookAt = (selection: TurnSelection) => setLook((before) => ({ ...selection, count: (before?.count ?? 0) + 1 }));
  const turnPage = () => {
    setLook(null);
    setTaken([]);
  };

  const zone = useDropZone(({ files }) => void take([...files]));

  if (failure !== null && events === null) {
    return (
      <Note alert>
        <b>Could not read this study’s labels.</b>
        <p>{failure}</p>
        <Button onClick={onBack}>All studies</Button>
      </Note>
    );
  }
  if (events === null) return <Note>Loading…</Note>;
  const tasks = { asking, teaching, reporting };
  const shared: Coordination = { shelf, kept, events, mode, add, look: lookAt, tasks };
  return (
    <section className={styles.page} aria-label={`Coordinate ${study.name}`} {...zone}>
      <header className={styles.head}>
        <Button look="quiet" size="small" onClick={onBack}>
          <ArrowLeft size={14} aria-hidden />
          All studies
        </Button>
        <Heading size="large">{study.name}</Heading>
        {modes.length > 1 && (
          <Segmented
            label="Labels"
            options={modes.map((value) => ({ value, label: value === 'blind' ? 'Blind' : 'Assisted' }))}
            value={mode}
            onChange={setMode}
          />
        )}
        <Button onClick={picker.pick}>
          <FilePlus2 size={14} aria-hidden />
          Add label files…
        </Button>
        {picker.input}
      </header>
      <TakenFiles taken={taken} />
      {doubtful.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files of one name can wait together
        <div key={at} role="alert" className={styles.refused}>
          <p>
            <b>{file.name} was not added yet.</b> It has none of the labels that are here from {file.person}. Either{' '}
            {file.person} labelled in two browsers, or two people used that name.
          </p>
          <Row>
            <Button size="small" onClick={() => void takeAs(file, file.person)}>
              Same person: add as {file.person}
            </Button>
            <Button size="small" onClick={() => void takeAs(file, freeName(file.person, peopleIn(stored ?? [])))}>
              Somebody else: add as {freeName(file.person, peopleIn(stored ?? []))}
            </Button>
          </Row>
        </div>
      ))}
      {failure !== null && (
        <p role="alert" className={styles.refused}>
          The labels could not be saved or read: {failure}
        </p>
      )}
      <div className={styles.body} data-panel={look !== null}>
        <PageTabs
          label="Coordinate"
          onTurn={turnPage}
          pages={{
            People: <PeoplePage {...shared} />,
            Agreement: <AgreementPage {...shared} />,
            Norming: <NormingPage {...shared} />,
            Adjudicate: <AdjudicatePage {...shared} />,
            Export: <ExportPage {...shared} />,
          }}
        />
        {look !== null && (
          <TurnsPanel
            key={look.count}
            look={look}
            dialogues={look.dialogues ?? all}
            events={events}
            onClose={() => setLook(null)}
          />
        )}
      </div>
    </section>
  );
};

/** `Ada (2)`, or the next number that is free. */
const freeName = (person: string, taken: readonly string[]): string => {
  for (let number = 2; ; number++) {
    const name = `${person} (${number})`;
    if (!taken.includes(name)) return name;
  }
};

const TakenFiles = ({ taken }: { taken: readonly FileResult[] }) => {
  const refused = taken.filter((one) => one.refused);
  const good = taken.filter((one) => !one.refused);
  return (
    <>
      {refused.length > 0 && (
        <div role="alert" className={styles.refused}>
          <ul>
            {refused.map(({ name, words }) => (
              <li key={name}>
                <b>{name} was not added.</b> {words}
              </li>
            ))}
          </ul>
        </div>
      )}
      {good.length > 0 && (
        <Muted role="status" className={styles.taken}>
          {good.map(({ words }) => words).join(' · ')}
        </Muted>
      )}
    </>
  );
};

/** The turns behind a figure, one after the other, with everybody's arcs on one canvas. */
const TurnsPanel = ({
  look: { title, turns, people },
  dialogues,
  events,
  onClose,
}: {
  look: TurnSelection;
  dialogues: readonly AnnotatedDialogue[];
  events: readonly LabelEvent[];
  onClose: () => void;
}) => {
  const [at, setAt] = useState(0);
  /** A turn chosen on the canvas that is not in the list. */
  const [elsewhere, setElsewhere] = useState<number | null>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const shown = turns[at];
  const found = dialogues.find(({ id }) => id === shown?.dialogue);
  const go = (to: number) => {
    setAt(clamp(to, 0, turns.length - 1));
    setElsewhere(null);
  };
  if (shown === undefined || found === undefined) return null;
  const turn = elsewhere ?? shown.turn;
  // Who was asked for and gave no label may have flagged a turn.
  const sources = (people === undefined ? [...found.labels.keys()] : people).map((name) => ({
    name,
    labels: found.labels.get(name) ?? [],
  }));
  const text = found.dialogue.turns[turn];
  return (
    <section ref={panel} className={styles.panel} aria-label={title} tabIndex={-1}>
      <header className={styles.panelHead}>
        <div>
          <Heading level={4}>{title}</Heading>
          <Muted>
            {found.dialogue.name}
            {turns.length > 1 && ` · ${at + 1} of ${counted(turns.length, 'turn')}`}
          </Muted>
        </div>
        {turns.length > 1 && (
          <>
            <IconButton
              size="small"
              label="Previous of these turns"
              icon={ChevronLeft}
              idle={at === 0}
              onClick={() => go(at - 1)}
            />
            <IconButton
              size="small"
              label="Next of these turns"
              icon={ChevronRight}
              idle={at === turns.length - 1}
              onClick={() => go(at + 1)}
            />
          </>
        )}
        <IconButton size="small" label="Close these turns" icon={X} onClick={onClose} />
      </header>
      <ArcKey sources={sources} />
      <div className={styles.canvas}>
        <Arcs turns={found.dialogue.turns} sources={sources} chosen={turn} onChoose={setElsewhere} />
      </div>
      {text !== undefined && (
        <div className={styles.detail}>
          <p dir="auto" className={styles.user}>
            <b>{turn + 1}</b> <SpokenTurn turn={text} />
          </p>
          {text.assistant !== '' && (
            <Muted dir="auto" className={styles.assistant ?? ''}>
              {plainReply(text)}
            </Muted>
          )}
          <ul aria-label={`Labels of turn ${turn + 1}`}>
            {sources.map(({ name, labels }, lane) => {
              const label = labels[turn];
              const comment = commentOf(events, name, found.id, turn);
              return (
                <li key={name}>
                  <i style={{ background: topicColour(lane) }} aria-hidden />
                  <b>{name}</b>
                  <span>
                    {label == null ? 'not labelled' : labelWords(label)}
                    {comment !== undefined && <q>{comment}</q>}
                  </span>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </section>
  );
};

const commentOf = (events: readonly LabelEvent[], person: string, dialogue: string, turn: number): string | undefined =>
  labelsOf(
    events.filter(
      (event) =>
        event.phase !== 'gold' && event.person === person && event.dialogue === dialogue && event.turn === turn,
    ),
  ).at(-1)?.comment;
