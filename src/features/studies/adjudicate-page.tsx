import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { clamp } from '../../domain/numbers.ts';
import { singleKeys, useSingleKeys } from '../../ui/commands/keymap.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { RadioSegments } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { Heading, Muted, Note } from '../../ui/parts/text.tsx';
import { topicColour } from '../../ui/topic-colour.ts';
import styles from './adjudicate.module.css';
import {
  type Answer,
  answersTo,
  GOLD,
  type GoldDialogue,
  goldOf,
  type LabelReason,
  placeAmong,
  type SettledPlace,
  turnsToSettle,
  turnsUntil,
} from './adjudicate.ts';
import { ArcKey, Arcs, SpokenTurn } from './arcs.tsx';
import { type Coordination, eventsOf, type TurnAt } from './coordinate-data.ts';
import { timeAfter } from './label-events.ts';
import { LabelForm } from './label-form.tsx';
import { labelKeyOf } from './label-keys.ts';
import { labelWords, REASON_WORDS, saysTheSame, settledWords } from './label-words.ts';
import { itemHash, plainReply, type StudyLabel } from './study.ts';

const REASONS = Object.entries(REASON_WORDS).map(([value, label]) => ({ value: value as LabelReason, label }));

/** Shows turns that people differ on, or did, one after the other, without names; the adjudicator decides which label holds. */
export const AdjudicatePage = (shared: Coordination) => {
  const { kept, events, mode } = shared;
  const gold = useMemo(() => goldOf(kept.study, events, mode), [kept.study, events, mode]);
  const items = useMemo(() => turnsToSettle(gold), [gold]);
  const isSettled = (item: TurnAt) => turnOf(gold, item)?.basis === 'settled';
  const [place, setPlace] = useState<SettledPlace>(() => ({
    at: Math.max(
      0,
      items.findIndex((item) => !isSettled(item)),
    ),
    item: null,
  }));
  const now = placeAmong(items, place);
  const { at, item } = now;
  // What is chosen for a turn must stay with it, whatever arrives meanwhile.
  if (item !== null && (at !== place.at || item !== place.item)) setPlace(now);
  const done = items.filter(isSettled).length;
  if (item === null) {
    const some = gold.some(({ turns }) => turns.some(({ label }) => label !== null));
    return (
      <Note>
        <b>{some ? 'Nothing to settle.' : 'No labels yet.'}</b>
        <p>
          {some
            ? 'Wherever two people labelled a turn, they agree. All of it is in the gold (see Export).'
            : 'Disagreements appear here once you add people’s files.'}
        </p>
      </Note>
    );
  }
  const goTo = (to: number) => setPlace({ at: to, item: items[to] ?? null });
  const go = (by: number) => goTo(clamp(at + by, 0, items.length - 1));
  const next = () => {
    const order = [...items.keys()].slice(at + 1).concat([...items.keys()].slice(0, at));
    goTo(order.find((one) => !isSettled(items[one] as TurnAt)) ?? at);
  };
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <IconButton size="small" label="Previous turn to settle" keys="K" icon={ChevronLeft} onClick={() => go(-1)} />
        <IconButton size="small" label="Next turn to settle" keys="J" icon={ChevronRight} onClick={() => go(1)} />
        <span className={styles.progress}>
          <ProgressBar label="Settled" value={done} max={items.length} />
        </span>
        <Muted>{settledWords(done, items.length)}</Muted>
      </div>
      <Settling
        key={`${mode} ${item.dialogue} ${item.turn}`}
        {...shared}
        gold={gold}
        item={item}
        onGo={go}
        onNext={next}
      />
    </div>
  );
};

const turnOf = (gold: readonly GoldDialogue[], { dialogue, turn }: TurnAt) =>
  gold.find((one) => one.dialogue.id === dialogue)?.turns[turn];

const Settling = ({
  shelf,
  kept: { study },
  events,
  mode,
  add,
  gold,
  item,
  onGo,
  onNext,
}: Coordination & {
  gold: readonly GoldDialogue[];
  item: TurnAt;
  onGo: (by: number) => void;
  onNext: () => void;
}) => {
  const found = gold.find(({ dialogue }) => dialogue.id === item.dialogue) as GoldDialogue;
  const { dialogue, turns } = found;
  const settled = turns[item.turn];
  const answers = useMemo(() => answersTo(events, item, mode), [events, item, mode]);
  const [label, setLabel] = useState<StudyLabel | null>(settled?.label ?? null);
  const [reason, setReason] = useState<LabelReason | null>(settled?.reason ?? null);
  const [looked, setLooked] = useState(item.turn);

  const saving = useRef(false);
  const keep = async (kept: StudyLabel | null): Promise<boolean> => {
    if (saving.current) return false;
    saving.current = true;
    const before = eventsOf(events, ['gold'], mode).filter(
      (one) => one.dialogue === dialogue.id && one.turn === item.turn,
    );
    const isKept = await add([
      {
        id: shelf.newId(),
        study: study.id,
        person: GOLD,
        dialogue: dialogue.id,
        itemHash: itemHash(dialogue),
        turn: item.turn,
        at: timeAfter(before, shelf.now()),
        worked: 0,
        mode,
        label: kept,
        phase: 'gold',
        ...(kept !== null && reason !== null && { reason }),
      },
    ]);
    saving.current = false;
    return isKept;
  };
  const settle = async () => {
    if (label === null || reason === null) return;
    if (await keep(label)) onNext();
  };
  const takeBack = async () => {
    if (!(await keep(null))) return;
    setLabel(null);
    setReason(null);
  };
  const onKey = (event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey } = event;
    const key = labelKeyOf(event);
    const within = (elements: string) => (target as Element).closest(elements) !== null;
    // Enter activates the focused button, unless that would change nothing: the current tab or the chosen answer.
    const presses = key === 'enter' && within('button:not([role="tab"], [aria-pressed="true"])');
    if (ctrlKey || metaKey || altKey || within('select, textarea') || presses) return;
    const answer = answers.find(({ letter }) => letter.toLowerCase() === key);
    const chosen = REASONS[Number(key) - 1];
    if (key === 'enter') void settle();
    else if (!singleKeys()) return;
    else if (key === 'j') onGo(1);
    else if (key === 'k') onGo(-1);
    else if (answer !== undefined) setLabel(answer.label);
    else if (chosen !== undefined) setReason(chosen.value);
    else return;
    event.preventDefault();
  };
  // Listens on the document because focus may be anywhere; initially it is on the chosen tab.
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  const sources = [
    { name: 'Final labels so far', labels: turns.slice(0, item.turn).map((one) => one.label) },
    ...answers.map((answer) => ({
      name: answer.letter,
      labels: dialogue.turns.map((_, turn) => (turn === item.turn ? answer.label : null)),
    })),
  ];
  const shown = turnsUntil(dialogue, item.turn);
  const text = shown[looked];
  const single = useSingleKeys();
  return (
    <div className={styles.settling}>
      <div className={styles.dialogue}>
        <Muted>{dialogue.name}</Muted>
        <ArcKey sources={sources} />
        <Arcs turns={shown} sources={sources} chosen={looked} onChoose={setLooked} />
      </div>
      <section className={styles.decision} aria-label={`Turn ${item.turn + 1} of ${dialogue.name}`}>
        <p dir="auto" className={styles.text}>
          <b>{looked + 1}</b> {text !== undefined && <SpokenTurn turn={text} />}
        </p>
        {text !== undefined && text.assistant !== '' && (
          <Muted dir="auto" className={styles.reply ?? ''}>
            {plainReply(text)}
          </Muted>
        )}
        <Heading level={4}>Labels for turn {item.turn + 1}</Heading>
        <ul className={styles.answers} aria-label="Answers">
          {answers.map((answer, at) => (
            <AnswerRow
              key={answer.letter}
              answer={answer}
              colour={topicColour(at + 1)}
              chosen={label !== null && saysTheSame(label, answer.label)}
              onChoose={() => setLabel(answer.label)}
            />
          ))}
        </ul>
        {settled?.basis === 'settled' && !settled.disputed && (
          <p>Nobody differs on this turn any more. Reopen it if the final label should be what they say now.</p>
        )}
        <Heading level={4}>Final label</Heading>
        <LabelForm turns={dialogue.turns} turn={item.turn} tags={study.tags} value={label} onChange={setLabel} />
        <div className={styles.reason}>
          <span>Why they differ</span>
          <RadioSegments
            label="Why they differ"
            options={REASONS}
            value={reason ?? ('' as LabelReason)}
            onChange={setReason}
          />
        </div>
        <div className={styles.done}>
          <Button look="primary" disabled={label === null || reason === null} onClick={() => void settle()}>
            Save and next
          </Button>
          {settled?.basis === 'settled' && <Button onClick={() => void takeBack()}>Reopen</Button>}
          <Muted>
            {single ? (
              <>
                <kbd>A</kbd> <kbd>B</kbd> … pick an answer, <kbd>1</kbd>–<kbd>3</kbd> a reason, <kbd>Enter</kbd> saves,{' '}
                <kbd>J</kbd> <kbd>K</kbd> next and previous
              </>
            ) : (
              <>
                <kbd>Enter</kbd> saves
              </>
            )}
          </Muted>
        </div>
      </section>
    </div>
  );
};

const AnswerRow = ({
  answer: { letter, label, people, unsure, comments },
  colour,
  chosen,
  onChoose,
}: {
  answer: Answer;
  colour: string;
  chosen: boolean;
  onChoose: () => void;
}) => (
  <li>
    <button type="button" className={styles.answer} aria-pressed={chosen} onClick={onChoose}>
      <b style={{ color: colour }}>{letter}</b>
      <span>
        {labelWords(label)}
        <small>
          {counted(people, 'person', 'people')}
          {unsure > 0 && `, ${unsure} unsure`}
        </small>
      </span>
    </button>
    {comments.map((comment) => (
      <q key={comment}>{comment}</q>
    ))}
  </li>
);
