import { ArrowLeft, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Markdown } from '../../ui/chat/markdown.tsx';
import { Button } from '../../ui/parts/button.tsx';
import { download, fileName } from '../../ui/parts/download.ts';
import { TextField } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { Loaded } from '../../ui/parts/lazy-parts.tsx';
import { Note, Row } from '../../ui/parts/text.tsx';
import styles from './annotate-page.module.css';
import { AnnotateView } from './annotate-view.tsx';
import { currentEvents, labelFile, workOf } from './label-events.ts';
import { createLabelling, createWorkClock, type Labelling } from './labelling.ts';
import { codesOf, dialoguesFor, everybodyLabelsAll, personOf } from './study.ts';
import { peopleHere, type StoredStudy, type StudyShelf } from './study-shelf.ts';

/** Who is going to label: whoever did last, somebody else, or whoever it turns out to be, since a computer may be shared. */
export type Labeller = 'same' | 'other' | 'ask';

/** Labelling a study: first who the annotator is, then turn by turn. */
export const AnnotatePage = ({
  shelf,
  kept,
  who,
  onBack,
}: {
  shelf: StudyShelf;
  kept: StoredStudy;
  who: Labeller;
  onBack: () => void;
}) => {
  const { reportFailure } = useActions();
  // Another tab may go on as somebody else.
  const [person, setPerson] = useState(who === 'same' ? kept.person : null);
  useEffect(() => {
    shelf.restLearning(true);
    return () => shelf.restLearning(false);
  }, [shelf]);
  if (person === null) {
    return (
      <WhoPage
        kept={kept}
        isOther={who === 'other'}
        onBack={onBack}
        onPerson={(name) =>
          void shelf
            .change(kept.id, () => ({ person: name }))
            .then(
              () => setPerson(name),
              (error) => reportFailure('Saving the name', error),
            )
        }
      />
    );
  }
  if (dialoguesFor(kept.study, person).length === 0) {
    return (
      <Note>
        <b>There is nothing for {person} to label.</b>
        <p>This study has more people than its dialogues need. Ask whoever gave you the file for another code.</p>
        <Button onClick={onBack}>All studies</Button>
      </Note>
    );
  }
  const load = async () =>
    createLabelling({
      study: kept.study.id,
      mode: kept.study.mode,
      person,
      dialogues: dialoguesFor(kept.study, person),
      events: currentEvents(kept.study.dialogues, await shelf.events(kept.study.id)),
      position: kept.positions[person] ?? null,
      clock: createWorkClock(shelf.elapsed),
      now: shelf.now,
      newId: shelf.newId,
      save: shelf.add,
      moved: (position) =>
        shelf.change(kept.id, ({ positions }) => ({ positions: { ...positions, [person]: position } })),
      draft: shelf.drafts(kept.study.id, person),
    });
  return (
    <Loaded key={person} load={load}>
      {(labelling) => <AtWork labelling={labelling} shelf={shelf} kept={kept} person={person} onBack={onBack} />}
    </Loaded>
  );
};

const AtWork = ({
  labelling,
  shelf,
  kept,
  person,
  onBack,
}: {
  labelling: Labelling;
  shelf: StudyShelf;
  kept: StoredStudy;
  person: string;
  onBack: () => void;
}) => {
  const { announce, reportFailure } = useActions();
  const { study } = kept;
  // A comment that is being written flags its turn, as when another turn is gone to.
  useEffect(() => labelling.leave, [labelling]);
  const save = async () => {
    labelling.leave();
    const { events } = labelling.store.getState();
    // Those made in another tab are only stored.
    const all = await shelf.events(study.id).then(
      (stored) => currentEvents(study.dialogues, workOf(person, [...stored, ...events])),
      (error: unknown) => {
        reportFailure('Reading the labels made in other tabs', error);
        return events;
      },
    );
    const name = `${fileName(study.name)}.${fileName(person)}.jsonl`;
    download(name, labelFile(study, person, all));
    shelf
      .change(kept.id, ({ saved }) => ({ saved: { ...saved, [person]: all.at(-1)?.at ?? 0 } }))
      .then(
        () => announce(`Saved as ${name}. Send it to whoever gave you the study.`),
        (error: unknown) => reportFailure('Recording that the labels were saved', error),
      );
  };
  return (
    <AnnotateView
      labelling={labelling}
      title={study.name}
      person={person}
      tags={study.tags}
      guidelines={study.guidelines}
      back={{ label: 'All studies', go: onBack }}
      saving={{ saved: kept.saved[person] ?? 0, save }}
      end={
        <>
          <h3>Everything is labelled. Thank you.</h3>
          <p>Save the labels and send the file to whoever gave you the study.</p>
          <Button look="primary" onClick={save}>
            <Download size={14} aria-hidden />
            Save the labels
          </Button>
        </>
      }
    />
  );
};

/** Asks who is labelling, and shows what they need to know before they start. */
const WhoPage = ({
  kept,
  isOther,
  onBack,
  onPerson,
}: {
  kept: StoredStudy;
  /** Whether it is not whoever labelled last. */
  isOther: boolean;
  onBack: () => void;
  onPerson: (name: string) => void;
}) => {
  const { study } = kept;
  const begun = peopleHere(kept);
  const expectsName = isOther || begun.length === 0;
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const byName = everybodyLabelsAll(study);
  const training = study.dialogues.filter(({ part }) => part === 'training').length;
  const last = codesOf(study).at(-1);
  const begin = () => {
    const person = personOf(study, typed, begun);
    if (person !== null) onPerson(person);
    else
      setRefusal(
        byName
          ? 'Type a name first.'
          : `That code isn’t in this study. Codes run from P1 to ${last}. Ask whoever gave you the file for yours.`,
      );
  };
  return (
    <div className={styles.who}>
      <form
        className={styles.gate}
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <Button look="quiet" size="small" className={styles.back ?? ''} onClick={onBack}>
          <ArrowLeft size={14} aria-hidden />
          All studies
        </Button>
        <h3>{study.name}</h3>
        <p>
          {training > 0
            ? `First ${training === 1 ? 'a training dialogue' : counted(training, 'training dialogue')}, where you see the authors’ answer after each turn. `
            : ''}
          Then you label without feedback. What follows a turn stays hidden until you label it. You can stop at any time
          and continue later in this browser.
        </p>
        {begun.length > 0 && (
          <>
            <p>
              {begun.length === 1 ? `${begun[0]} has` : 'Several people have'} begun in this browser. Continue, or enter
              who you are below.
            </p>
            <Row>
              {begun.map((name, at) => (
                <Button
                  key={name}
                  {...(!expectsName && at === 0 && { look: 'primary', autoFocus: true })}
                  onClick={() => onPerson(name)}
                >
                  Continue as {name}
                </Button>
              ))}
            </Row>
          </>
        )}
        <label className={styles.field}>
          <span>{byName ? 'Your name or a code' : `Your code, P1 to ${last}`}</span>
          <TextField
            autoFocus={expectsName}
            autoComplete="off"
            value={typed}
            aria-invalid={refusal !== null}
            onChange={({ target }) => {
              setTyped(target.value);
              setRefusal(null);
            }}
          />
        </label>
        {refusal !== null && (
          <p role="alert" className={styles.refusal}>
            {refusal}
          </p>
        )}
        <div>
          <Button {...(expectsName && { look: 'primary' })} type="submit">
            Begin
          </Button>
        </div>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <section className={styles.read} aria-label="Guidelines" tabIndex={0}>
        <Markdown text={study.guidelines} streaming={false} />
      </section>
    </div>
  );
};
