import { useMemo, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { Select } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { Heading, Muted, Note } from '../../ui/parts/text.tsx';
import { topicColour } from '../../ui/topic-colour.ts';
import { ArcKey, Arcs, SpokenTurn } from './arcs.tsx';
import type { Coordination } from './coordinate-data.ts';
import { type AnnotatedDialogue, eventsOf, peopleIn, withLatestLabels } from './coordinate-data.ts';
import { FiguresTable, useFigures } from './coordinate-figures.tsx';
import styles from './coordinate-norming.module.css';
import type { FiguresRequest } from './figures-worker.ts';
import { labelsOf, timeAfter } from './label-events.ts';
import { LabelForm } from './label-form.tsx';
import { labelWords } from './label-words.ts';
import { itemHash, type StudyLabel } from './study.ts';

/** Norming on a training dialogue: a group reveals its labels together, discusses and revises them; shows the agreement before and after. */
export const NormingPage = (shared: Coordination) => {
  const { kept, events, mode } = shared;
  const training = useMemo(() => kept.study.dialogues.filter(({ part }) => part === 'training'), [kept.study]);
  const first = useMemo(
    () => withLatestLabels(training, eventsOf(events, ['training'], mode)),
    [training, events, mode],
  );
  const now = useMemo(
    () => withLatestLabels(training, eventsOf(events, ['training', 'norming'], mode)),
    [training, events, mode],
  );
  const [chosen, setChosen] = useState(training[0]?.id);
  const [revealed, setRevealed] = useState<readonly string[]>([]);
  const people = peopleIn(eventsOf(events, ['training'], mode));
  const dialogue = now.find(({ id }) => id === chosen);
  const isRevised = events.some((event) => event.phase === 'norming' && event.dialogue === chosen);
  if (training.length === 0) {
    return (
      <Note>
        <b>No training dialogues.</b>
        <p>Norming needs one. Add it while authoring the study, and have everyone label it before you meet.</p>
      </Note>
    );
  }
  if (people.length < 2 || dialogue === undefined) {
    return (
      <Note>
        <b>Labels from two people are needed.</b>
        <p>Have everyone label the training, then add the files they save. Then reveal the labels here together.</p>
      </Note>
    );
  }
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <label>
          Training dialogue
          <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {training.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </label>
        <Muted>{people.map((person) => `${person} ${progress(dialogue, person)}`).join(' · ')}</Muted>
      </header>
      {revealed.includes(dialogue.id) || isRevised ? (
        <Revealed key={dialogue.id} {...shared} first={first} now={now} dialogue={dialogue} people={people} />
      ) : (
        <Note>
          <p>Labels stay hidden until you reveal them, so nobody changes theirs first.</p>
          <Button look="primary" onClick={() => setRevealed([...revealed, dialogue.id])}>
            Reveal the labels
          </Button>
        </Note>
      )}
    </div>
  );
};

const progress = ({ labels, dialogue }: AnnotatedDialogue, person: string): string => {
  const done = (labels.get(person) ?? []).filter((label) => label !== null).length;
  return `${done} of ${counted(dialogue.turns.length, 'turn')}`;
};

const Revealed = ({
  shelf,
  kept: { study },
  mode,
  events,
  add,
  first,
  now,
  dialogue: { id, dialogue, labels },
  people,
}: Coordination & {
  first: readonly AnnotatedDialogue[];
  now: readonly AnnotatedDialogue[];
  dialogue: AnnotatedDialogue;
  people: readonly string[];
}) => {
  const [turn, setTurn] = useState(0);
  const [revising, setRevising] = useState<string | null>(null);
  const request = useFiguresOf(first, now, id, people);
  const [before, after] = [useFigures(request.before), useFigures(request.after)];
  const sources = people.map((name) => ({ name, labels: labels.get(name) ?? [] }));
  const revise = (person: string, label: StudyLabel) => {
    const theirs = events.filter((one) => one.person === person && one.dialogue === id && one.turn === turn);
    const { comment } = labelsOf(theirs).at(-1) ?? {};
    return add([
      {
        id: shelf.newId(),
        study: study.id,
        person,
        dialogue: id,
        itemHash: itemHash(dialogue),
        turn,
        at: timeAfter(theirs, shelf.now()),
        worked: 0,
        mode,
        label,
        phase: 'norming',
        ...(comment !== undefined && { comment }),
      },
    ]);
  };
  const figures = before.state === 'done' && after.state === 'done' ? [...before.figures, ...after.figures] : null;
  const gold = dialogue.gold?.[turn];
  const said = dialogue.turns[turn];
  return (
    <div className={styles.revealed}>
      <div className={styles.dialogue}>
        <ArcKey sources={sources} />
        <Arcs
          turns={dialogue.turns}
          sources={sources}
          chosen={turn}
          onChoose={(at) => {
            setTurn(at);
            setRevising(null);
          }}
        />
      </div>
      <div className={styles.side}>
        <section aria-label={`Turn ${turn + 1}`} className={styles.turn}>
          <p dir="auto">
            <b>{turn + 1}</b> {said !== undefined && <SpokenTurn turn={said} />}
          </p>
          <ul>
            {sources.map(({ name, labels: own }, lane) => {
              const label = own[turn] ?? null;
              return (
                <li key={name}>
                  <i style={{ background: topicColour(lane) }} aria-hidden />
                  <b>{name}</b>
                  <span>{label === null ? 'not labelled' : labelWords(label)}</span>
                  <Button
                    size="small"
                    aria-expanded={revising === name}
                    aria-label={`Revise ${name}’s label`}
                    onClick={() => setRevising(revising === name ? null : name)}
                  >
                    Revise
                  </Button>
                  {revising === name && (
                    <LabelForm
                      turns={dialogue.turns}
                      turn={turn}
                      tags={study.tags}
                      value={label}
                      onChange={(revised) => void revise(name, revised)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
          {gold != null && <Muted>The author says: {labelWords(gold)}</Muted>}
        </section>
        <section aria-label="Agreement before and after">
          <Heading level={4}>Agreement on this dialogue</Heading>
          <FiguresTable
            label="Agreement before and after"
            columns={[
              { title: 'Before', about: 'as each person labelled alone' },
              { title: 'After', about: 'as revised together' },
            ]}
            figures={figures}
          />
        </section>
      </div>
    </div>
  );
};

const useFiguresOf = (
  first: readonly AnnotatedDialogue[],
  now: readonly AnnotatedDialogue[],
  id: string,
  people: readonly string[],
) => {
  const group = people.join('\n');
  return useMemo(() => {
    const of = (dialogues: readonly AnnotatedDialogue[]): FiguresRequest => ({
      dialogues: dialogues.filter((one) => one.id === id).map(({ id: own, labels }) => ({ id: own, labels })),
      asked: [{ groups: [group.split('\n')], leadAlone: false }],
    });
    return { before: of(first), after: of(now) };
  }, [first, now, id, group]);
};
