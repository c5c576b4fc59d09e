import { type CSSProperties, useMemo } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { FigureSection, FramedTable } from '../../ui/parts/figure-tables.tsx';
import { count, counted } from '../../ui/parts/format.ts';
import { Ellipsis, Muted, Note } from '../../ui/parts/text.tsx';
import { SpokenTurn } from './arcs.tsx';
import { AskEngine } from './ask-engine.tsx';
import styles from './coordinate.module.css';
import type { Coordination } from './coordinate-data.ts';
import {
  type AnnotatedDialogue,
  disagreementIn,
  disputedTurns,
  eventsOf,
  labelConfusion,
  labellersIn,
  sharedDialogues,
  type TurnAt,
  withLatestLabels,
} from './coordinate-data.ts';
import { FiguresTable, useFigures } from './coordinate-figures.tsx';
import type { FiguresRequest } from './figures-worker.ts';
import { type LabelEvent, timeAfter } from './label-events.ts';
import { PLACEMENT_WORDS, saysTheSame } from './label-words.ts';
import { type EngineLabel, itemHash, placements, type Study, type StudyDialogue } from './study.ts';
import { pairsOf, type StudyFigure } from './study-figures.ts';

/** Maximum number of disputed turns listed. */
const MOST = 25;

/** Agreement of people with each other, and with a decider that labelled the same turns. */
export const AgreementPage = (coordination: Coordination) => {
  const { kept, events, mode, look } = coordination;
  const { people, engines, dialogues } = useAgreement(coordination);
  const request = useMemo<FiguresRequest>(
    () => ({ dialogues: dialogues.map(({ id, labels }) => ({ id, labels })), asked: askedOf(people, engines) }),
    [dialogues, people, engines],
  );
  const figures = useFigures(request);
  // One person is compared with the engines alone.
  const isAlone = people.length === 1;
  const shared = useMemo(() => {
    const groups = isAlone ? engines.map((engine) => [...people, engine]) : [people];
    return sharedDialogues(dialogues, pairsOf(groups));
  }, [isAlone, people, engines, dialogues]);
  if (people.length === 0 || (isAlone && engines.length === 0)) {
    return (
      <Note>
        <b>{people.length === 0 ? 'No labels yet.' : 'Labels from only one person.'}</b>
        <p>Agreement needs two people who labelled the same turns. Add the files they send you.</p>
        {isAlone && <EngineJoins {...coordination} />}
      </Note>
    );
  }
  const ofDialogues = `${shared === dialogues.length ? '' : `${count(shared)} of `}${counted(dialogues.length, 'dialogue')}`;
  const done = figures.state === 'done' ? figures.figures : null;
  const columns = [
    { title: 'People with each other', about: people.join(', ') },
    ...engines.map((name) => ({ title: name, about: 'with each person' })),
  ];
  return (
    <div className={styles.scroll}>
      <FigureSection
        label="Figures"
        title="Agreement"
        aside={`${counted(people.length, 'person', 'people')}, ${mode}, ${ofDialogues}, 95 % intervals by resampling dialogues`}
      >
        {figures.state === 'failed' && <p role="alert">Could not calculate the figures: {figures.why}</p>}
        <FiguresTable label="Agreement" columns={columns} figures={done?.slice(0, columns.length) ?? null} />
        <EngineJoins {...coordination} />
      </FigureSection>
      <PairTable
        names={[...people, ...engines]}
        figures={done?.slice(columns.length) ?? null}
        dialogues={dialogues}
        onOpen={look}
      />
      {!isAlone && (
        <>
          <Confusions dialogues={dialogues} people={people} onOpen={look} />
          <Disputed study={kept.study} dialogues={dialogues} people={people} onOpen={look} />
        </>
      )}
      <Muted className={styles.note}>
        {eventsOf(events, ['work'], mode === 'blind' ? 'assisted' : 'blind').length > 0 && OTHER_MODE}
      </Muted>
    </div>
  );
};

/** Has a decider label a study's dialogues as an additional person, without seeing anybody's labels. */
const EngineJoins = ({ shelf, kept, events, add, tasks }: Coordination) => {
  const { study } = kept;
  const work = useMemo(() => study.dialogues.filter(({ part }) => part === 'work'), [study]);
  const joined = useMemo(() => eventsOf(events, ['engine']), [events]);
  const after = (person: string) =>
    timeAfter(
      joined.filter((one) => one.person === person),
      shelf.now(),
    );
  const eventOf = (dialogue: StudyDialogue, turn: number, person: string, said: EngineLabel): LabelEvent => ({
    id: shelf.newId(),
    study: study.id,
    person,
    dialogue: dialogue.id,
    itemHash: itemHash(dialogue),
    turn,
    at: after(person),
    worked: 0,
    mode: 'blind',
    label: { placement: said.placement, parent: said.parent, furtherParents: [], tags: [], unsure: false },
    phase: 'engine',
  });
  /** Events are append-only, so removal adds events with a null label. */
  const takenOut = (person: string): LabelEvent[] =>
    joined
      .filter((event) => event.person === person && event.label !== null)
      .map((event) => ({ ...event, id: shelf.newId(), at: after(person), label: null }));
  return (
    <AskEngine
      label="The engine as an annotator"
      words="Add the engine as an annotator"
      shelf={shelf}
      kept={kept}
      dialogues={work}
      task={tasks.asking}
      onLabels={(labels, person) =>
        add(
          work.flatMap((dialogue) =>
            (labels.get(dialogue.id) ?? []).flatMap((said, turn) =>
              said === null ? [] : [eventOf(dialogue, turn, person, said)],
            ),
          ),
        )
      }
    >
      {labellersIn(joined).map((name) => (
        <Button key={name} look="quiet" size="small" onClick={() => void add(takenOut(name))}>
          Remove {name}
        </Button>
      ))}
    </AskEngine>
  );
};

const OTHER_MODE =
  'These figures leave out labels from the other mode. Labels made with and without the engine’s answer are never combined.';

/** Whose labels are compared, people first. */
export const useAgreement = ({ kept: { study }, events, mode }: Pick<Coordination, 'kept' | 'events' | 'mode'>) =>
  useMemo(() => {
    const work = eventsOf(events, ['work'], mode);
    const joined = eventsOf(events, ['engine']);
    const dialogues = withLatestLabels(
      study.dialogues.filter(({ part }) => part === 'work'),
      [...work, ...joined],
    );
    return { people: labellersIn(work), engines: labellersIn(joined), dialogues };
  }, [study, events, mode]);

/** All figures for the people and for each engine with each person; then the lead measure of each pair. */
export const askedOf = (people: readonly string[], engines: readonly string[]): FiguresRequest['asked'] => [
  { groups: [people], leadAlone: false },
  ...engines.map((engine) => ({ groups: people.map((person) => [engine, person]), leadAlone: false })),
  ...pairsOf([[...people, ...engines]]).map((pair) => ({ groups: [pair], leadAlone: true })),
];

/** Link F1 of each pair; a cell opens the turns on which they differ. */
const PairTable = ({
  names,
  figures,
  dialogues,
  onOpen,
}: {
  names: readonly string[];
  figures: readonly (readonly StudyFigure[])[] | null;
  dialogues: readonly AnnotatedDialogue[];
  onOpen: Coordination['look'];
}) => {
  const pairs = pairsOf([names]);
  const differing = (one: string, other: string): TurnAt[] =>
    dialogues.flatMap(({ id, labels }) =>
      (labels.get(one) ?? []).flatMap((label, turn) => {
        const beside = labels.get(other)?.[turn];
        const differs = label !== null && beside != null && !saysTheSame(label, beside);
        return differs ? [{ dialogue: id, turn }] : [];
      }),
    );
  const open = (one: string, other: string) =>
    onOpen({ title: `${one} and ${other} differ`, turns: differing(one, other), people: [one, other] });
  return (
    <FigureSection title="Pairwise agreement" aside="link F1; select a cell to see where they differ">
      <FramedTable className={styles.table} label="pairwise agreement" caption="Link F1 for each pair">
        <thead>
          <tr>
            <td />
            {names.slice(1).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.slice(0, -1).map((row, at) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {names.slice(1).map((column, to) => {
                if (to < at) return <td key={column} />;
                const pair = pairs.findIndex(([one, other]) => one === row && other === column);
                const figure = figures?.[pair]?.[0];
                if (figure === undefined) return <td key={column}>…</td>;
                const { value, interval, n } = figure;
                if (typeof value !== 'number') {
                  return (
                    <td key={column} className={styles.none} title={`undefined, because ${value.because}`}>
                      –
                    </td>
                  );
                }
                return (
                  <td key={column}>
                    <button
                      type="button"
                      className={styles.heat}
                      style={{ '--share': value } as CSSProperties}
                      aria-label={`${row} and ${column}: link F1 ${value.toFixed(2)}`}
                      disabled={differing(row, column).length === 0}
                      onClick={() => open(row, column)}
                    >
                      <b>{value.toFixed(2)}</b>
                      <small>
                        {interval !== null && `${interval[0].toFixed(2)}–${interval[1].toFixed(2)} · `}n {count(n)}
                      </small>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </FramedTable>
    </FigureSection>
  );
};

const Confusions = ({
  dialogues,
  people,
  onOpen,
}: {
  dialogues: readonly AnnotatedDialogue[];
  people: readonly string[];
  onOpen: Coordination['look'];
}) => {
  const cells = useMemo(() => labelConfusion(dialogues, people), [dialogues, people]);
  const most = Math.max(
    1,
    ...cells.flatMap((row, at) => row.flatMap(({ turns }, to) => (to > at ? turns.length : []))),
  );
  return (
    <FigureSection title="Confusions of the action" aside="one person’s answer against another’s, over all pairs">
      <FramedTable className={styles.table} label="confusions" caption="Confusions of the action">
        <thead>
          <tr>
            <td />
            {placements.map((name) => (
              <th key={name} scope="col">
                {PLACEMENT_WORDS[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placements.map((row, at) => (
            <tr key={row}>
              <th scope="row">{PLACEMENT_WORDS[row]}</th>
              {placements.map((column, to) => {
                const turns = cells[at]?.[to]?.turns ?? [];
                if (to < at) return <td key={column} />;
                if (turns.length === 0) {
                  return (
                    <td key={column} className={styles.none}>
                      0
                    </td>
                  );
                }
                return (
                  <td key={column}>
                    <button
                      type="button"
                      className={styles.heat}
                      data-same={at === to}
                      style={{ '--share': at === to ? 0.5 : turns.length / most } as CSSProperties}
                      aria-label={`${PLACEMENT_WORDS[row]} and ${PLACEMENT_WORDS[column]}: ${count(turns.length)}`}
                      onClick={() =>
                        onOpen({ title: `${PLACEMENT_WORDS[row]} / ${PLACEMENT_WORDS[column]}`, turns: once(turns) })
                      }
                    >
                      <b>{count(turns.length)}</b>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </FramedTable>
    </FigureSection>
  );
};

/** The turns that people differ on, most disputed first; one opens with those after it. */
const Disputed = ({
  study,
  dialogues,
  people,
  onOpen,
}: {
  study: Study;
  dialogues: readonly AnnotatedDialogue[];
  people: readonly string[];
  onOpen: Coordination['look'];
}) => {
  const disputed = useMemo(() => disputedTurns(dialogues, people), [dialogues, people]);
  return (
    <FigureSection title="Most disputed turns" aside={`${counted(disputed.length, 'turn')} in all`}>
      {disputed.length === 0 ? (
        <Muted>No disagreements.</Muted>
      ) : (
        <ol className={styles.disputed}>
          {disputed.slice(0, MOST).map((turn, at) => {
            const dialogue = study.dialogues.find(({ id }) => id === turn.dialogue);
            const said = dialogue?.turns[turn.turn];
            return (
              <li key={`${turn.dialogue} ${turn.turn}`}>
                <button
                  type="button"
                  onClick={() =>
                    onOpen({ title: 'Most disputed turns', turns: [...disputed.slice(at), ...disputed.slice(0, at)] })
                  }
                >
                  <b>{Math.round(100 * disagreementIn(turn))} %</b>
                  <Ellipsis>{said !== undefined && <SpokenTurn turn={said} />}</Ellipsis>
                  <Muted as="small">
                    {dialogue?.name}, turn {turn.turn + 1}
                    {disagreementIn(turn) === 0 && ' · only further parents or tags differ'}
                    {turn.unsure > 0 && ` · ${turn.unsure} unsure`}
                  </Muted>
                </button>
              </li>
            );
          })}
        </ol>
      )}
    </FigureSection>
  );
};

/** Removes duplicates of turns that several pairs differ on. */
const once = <T extends { readonly dialogue: string; readonly turn: number }>(turns: readonly T[]): T[] => [
  ...new Map(turns.map((one) => [`${one.dialogue} ${one.turn}`, one])).values(),
];
