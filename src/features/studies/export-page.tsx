import { ChartNoAxesColumn, Download, GraduationCap } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, useApp, usePart } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { download, type ExportedFile } from '../../ui/parts/download.ts';
import { count, counted } from '../../ui/parts/format.ts';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { Heading, Muted } from '../../ui/parts/text.tsx';
import { type GoldDialogue, goldOf } from './adjudicate.ts';
import { kernelOf } from './ask-engine.tsx';
import { askedOf, useAgreement } from './coordinate-agreement.tsx';
import type { Coordination } from './coordinate-data.ts';
import { labelConfusion, peopleTable } from './coordinate-data.ts';
import { askFigures } from './coordinate-figures.tsx';
import { findTrainingDialogues, isEmbedded, lessonCount, replaceLessonsOf } from './engine-person.ts';
import styles from './export-page.module.css';
import {
  convoKitCorpus,
  goldForEvaluate,
  goldLines,
  goldTable,
  ircLinks,
  isComplete,
  ntmLabels,
  type PackedFile,
  rawEvents,
  rawTable,
} from './label-files.ts';
import type { Study } from './study.ts';
import { packageName, packStudy } from './study-package.ts';
import { reportFile } from './study-report.ts';
import { lessonsOfGold } from './teach-gold.ts';

const save = (file: ExportedFile | PackedFile) => {
  if ('text' in file) download(file.name, file.text);
  else download(file.name, new Blob([file.bytes], { type: 'application/zip' }), 'application/zip');
};

/** Export page of a study: raw labels, final labels and a report; also where the gold can be used here. */
export const ExportPage = (shared: Coordination) => {
  const { kept, events, mode } = shared;
  const { study } = kept;
  const gold = useMemo(() => goldOf(study, events, mode), [study, events, mode]);
  const whole = gold.filter(isComplete);
  const leftOut = gold.filter((one) => !isComplete(one));
  const ofWhole = (make: (study: Study, gold: readonly GoldDialogue[]) => ExportedFile | PackedFile) =>
    whole.length === 0 ? null : () => make(study, whole);
  const actions = useActions();
  const evaluate = () => {
    actions.session({ dialog: 'evaluate', with: [goldForEvaluate(study, whole)] });
  };
  return (
    <div className={styles.page}>
      <section aria-label="Gold">
        <Heading level={4}>Gold</Heading>
        <p>{goldState(gold)}</p>
        {leftOut.length > 0 && (
          <Muted>
            Left out where every turn is needed, because some of their turns are open:{' '}
            {leftOut.map(({ dialogue }) => dialogue.name).join(', ')}.
          </Muted>
        )}
        <div className={styles.row}>
          <Button look="primary" disabled={whole.length === 0} onClick={evaluate}>
            <ChartNoAxesColumn size={14} aria-hidden />
            Evaluate on the gold
          </Button>
          <Teach {...shared} gold={gold} />
        </div>
        <Files
          label="Gold as a file"
          files={[
            ['JSON lines', 'one dialogue per line, as Evaluate reads it', ofWhole(goldLines)],
            ['CSV', 'one turn per line', () => goldTable(study, gold)],
            ['ConvoKit', 'a corpus with reply_to', ofWhole(convoKitCorpus)],
            ['IRC disentanglement', 'one link per line: a b -', ofWhole(ircLinks)],
            ['NTM labels', 'labels.json with its dialogues', ofWhole(ntmLabels)],
          ]}
        />
      </section>
      <section aria-label="Raw labels">
        <Heading level={4}>Raw labels</Heading>
        <p>
          {counted(events.length, 'entry', 'entries')} from everyone
          {kept.leftOut.length > 0 && ` but ${kept.leftOut.join(', ')}`}, with times, comments and undone labels.
        </p>
        <Files
          label="Labels as a file"
          files={[
            ['JSON lines', 'every entry', () => rawEvents(study, events)],
            ['CSV', 'the newest label or flag for each person and turn', () => rawTable(study, events)],
            [
              'The study',
              'for another coordinator, with your own gold, but without labels and what was settled',
              () => ({
                name: packageName(study, 'coordinator'),
                bytes: new Uint8Array(packStudy(study, 'coordinator')),
              }),
            ],
          ]}
        />
      </section>
      <ReportPart {...shared} gold={gold} />
    </div>
  );
};

const goldState = (gold: readonly GoldDialogue[]): string => {
  const turns = gold.flatMap((one) => one.turns);
  const of = (basis: string) => count(turns.filter((turn) => turn.basis === basis).length);
  return `Of ${counted(turns.length, 'turn')}, ${of('agreed')} agreed, ${of('settled')} settled, ${of('one-person')} labelled by only one person, ${of('open')} open.`;
};

const Files = ({
  label,
  files,
}: {
  label: string;
  /** `make` is null if the file would be empty. */
  files: readonly (readonly [name: string, about: string, make: (() => ExportedFile | PackedFile) | null])[];
}) => (
  <ul className={styles.files} aria-label={label}>
    {files.map(([name, about, make]) => (
      <li key={name}>
        <button type="button" disabled={make === null} onClick={() => make !== null && save(make())}>
          <Download size={14} aria-hidden />
          <b>{name}</b>
          <small>{about}</small>
        </button>
      </li>
    ))}
  </ul>
);

const ReportPart = (shared: Coordination & { gold: readonly GoldDialogue[] }) => {
  const {
    kept,
    events,
    mode,
    gold,
    tasks: { reporting },
  } = shared;
  const part = usePart();
  const { people, engines, dialogues } = useAgreement(shared);
  const { progress, failure } = useStore(reporting.store);
  const isMaking = progress !== null;
  const make = async (signal: AbortSignal) => {
    const asked = askedOf(people, engines).filter(({ leadAlone }) => !leadAlone);
    const figures = await askFigures({ dialogues: dialogues.map(({ id, labels }) => ({ id, labels })), asked }, signal);
    const work = dialogues.map(({ dialogue }) => dialogue);
    const known = engines.some(isEmbedded) ? await findTrainingDialogues(await part(kernelOf), work) : [];
    signal.throwIfAborted();
    const titles = ['People with each other', ...engines];
    save(
      reportFile({
        study: kept.study,
        mode,
        rows: peopleTable(kept.study, events, mode),
        columns: titles.map((title, at) => ({ title, figures: figures[at] ?? [] })),
        confusions: labelConfusion(dialogues, people).map((row) => row.map(({ turns }) => turns.length)),
        gold,
        trainedOn: known.map(({ name }) => name),
      }),
    );
  };
  return (
    <section aria-label="Report">
      <Heading level={4}>Report</Heading>
      <p>Agreement, confusions, people and gold in Markdown, with figures as SVG and a LaTeX table for a paper.</p>
      <div className={styles.row}>
        <Button disabled={isMaking || people.length === 0} onClick={() => void reporting.run(true, make)}>
          <Download size={14} aria-hidden />
          {isMaking ? 'Creating the report…' : 'Save the report'}
        </Button>
      </div>
      {failure !== null && <p>Could not create the report: {failure}</p>}
    </section>
  );
};

/** Teaches the embedded decider from the gold labels, or makes it forget them. */
const Teach = ({ kept: { study }, gold, tasks: { teaching } }: Coordination & { gold: readonly GoldDialogue[] }) => {
  const part = usePart();
  const { withStorage, changeStorage } = useActions();
  const { learned, lessons } = useApp((state) => state.learning);
  const [known, setKnown] = useState(0);
  const { progress, failure: untaught } = useStore(teaching.store);
  const isTeaching = progress !== null;
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (isTeaching) return;
    withStorage((storage) => lessonCount(storage, study)).then(setKnown, (error: unknown) =>
      setFailure(errorMessage(error)),
    );
  }, [withStorage, study, isTeaching]);

  const keep = async (lessons: Parameters<typeof replaceLessonsOf>[2]) => {
    await changeStorage((storage) => replaceLessonsOf(storage, study, lessons));
    setKnown(lessons.length);
  };
  const teach = () => {
    setFailure(null);
    return teaching.run(0, async (signal, show) => {
      const made = await lessonsOfGold(await part(kernelOf), study, gold, { progress: show, signal });
      signal.throwIfAborted();
      show(null);
      await keep(made);
    });
  };
  const forget = () => {
    setFailure(null);
    teaching.clear();
    keep([]).catch((error: unknown) => setFailure(errorMessage(error)));
  };
  if (isTeaching) {
    return (
      <TaskProgress
        label="Teaching"
        words={gold[progress]?.dialogue.name ?? ''}
        done={progress}
        of={gold.length}
        onCancel={teaching.cancel}
      />
    );
  }
  return (
    <>
      <Button
        disabled={gold.every(({ turns }) => turns.every(({ label }) => label === null))}
        onClick={() => void teach()}
      >
        <GraduationCap size={14} aria-hidden />
        Teach the embedded decider
      </Button>
      {known > 0 && (
        <>
          <Muted>
            It has {counted(known, 'lesson')} from this study.
            {learned !== null &&
              learned.lessons < lessons &&
              ` It uses ${count(learned.lessons)} lessons at a time: those of your own conversations first, then the newest.`}
          </Muted>
          <Button look="quiet" size="small" onClick={forget}>
            Forget these lessons
          </Button>
        </>
      )}
      {failure !== null && <p role="alert">Could not teach it: {failure}</p>}
      {failure === null && untaught !== null && <p>Could not teach it: {untaught}</p>}
    </>
  );
};
