import { Check, FlaskConical } from 'lucide-react';
import { Fragment, memo, useState } from 'react';
import { PROVENANCE } from '../../app/provenance.ts';
import { canBe } from '../../app/saved-settings.ts';
import type { BranchAnswer, SettingsUsed, Timing, TopicAnswer, Trace } from '../../domain/decision.ts';
import type { Forest, Node, NodeId, Reply } from '../../domain/forest.ts';
import { branchTaken, fallbacksOf, replyOf } from '../../domain/queries.ts';
import { isAsShipped } from '../../engine/settings.ts';
import { useActions, useApp, useAppState, useShowsPast } from '../app-context.ts';
import { CorrectionMenu } from '../chat/correction-menu.tsx';
import { whyNotRerun } from '../commands/command.ts';
import { Button } from '../parts/button.tsx';
import { count, duration, ratio } from '../parts/format.ts';
import { FIELDS, settingWords } from '../parts/setting-fields.ts';
import { attemptsOf, canConfirm, paceOf, speedWords } from '../parts/turn-words.ts';
import barCss from './bars.module.css';
import { DecisionPicture } from './decision-picture.tsx';
import { BranchSection, ForkSection, TopicSection } from './decision-steps.tsx';
import {
  asDecided,
  branchWords,
  decidedTopic,
  foreignSettingsWords,
  topicWords,
  untracedWords,
} from './decision-words.ts';
import inlineCss from './inline.module.css';
import { ContextSummary, useShownContext } from './part-row.tsx';
import styles from './section.module.css';
import sectionCss from './section.module.css';
import { CopyButton, Section, TopicChip, TurnLink } from './section.tsx';
import { CorrectionSection, FallbacksSection, RawText } from './shared-sections.tsx';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
  /** The turn does not exist yet, so it cannot be confirmed. */
  readonly preview?: boolean;
}

/** Why the turn is where it is: the three steps of the decision, in order. */
export const DecisionTab = memo(({ forest, node, preview = false }: Props) => {
  const { decision } = node;
  const { trace } = decision;
  const reply = replyOf(node);
  const [firstReply = null] = node.replies;
  const shown = useShownContext(node.id, reply);
  // Mostly the same reply, for which that moment is looked up once.
  const shownFirst = useShownContext(node.id, preview || trace === null || firstReply === reply ? null : firstReply);
  const then = firstReply === reply ? shown : shownFirst;
  const decided = asDecided(node, then === null || then === 'far' ? undefined : then.forest.nodes[node.id]);
  return (
    <>
      <CorrectionSection forest={forest} node={node} preview={preview} />
      {trace === null ? (
        <>
          <FallbacksSection fallbacks={fallbacksOf(node)} />
          <Untraced forest={forest} node={node} />
        </>
      ) : (
        <>
          <DecisionPicture forest={forest} node={decided} trace={trace} />
          <FallbacksSection fallbacks={fallbacksOf(node)} />
          <TopicSection forest={forest} node={node} trace={trace} />
          {trace.branch.rule !== 'new-topic' && <ForkSection forest={forest} node={decided} trace={trace} />}
          <BranchSection forest={forest} node={decided} trace={trace} />
          {!preview && canConfirm(node) && <ConfirmSection key={node.id} node={node} />}
        </>
      )}
      {!preview && <AskWhatIf nodeId={node.id} />}
      <TimeSection before={trace?.timings ?? []} reply={reply} />
      {reply !== null && reply.context !== null && (
        <ContextSummary now={forest} node={node} context={reply.context} shown={shown} />
      )}
      {trace !== null && <SettingsSection trace={trace} />}
      {trace !== null && <RawSection forest={forest} trace={trace} />}
    </>
  );
});

const Untraced = ({ forest, node }: Props) => {
  const { action, link, at } = branchWords(node, branchTaken(forest, node));
  return (
    <Section title="Placement" aside={node.decision.by === 'person' ? 'by you' : 'no trace'}>
      <p className={styles.outcome}>
        <b>{topicWords(node.decision)}</b> <TopicChip forest={forest} treeId={decidedTopic(node)} />
      </p>
      {node.decision.branch !== null && (
        <p className={styles.outcome}>
          <b>{action}</b> {link} {at !== null && <TurnLink forest={forest} nodeId={at} />}
        </p>
      )}
      <p className={styles.note}>{untracedWords(node.decision)}</p>
    </Section>
  );
};

/** Asks the user to confirm or correct a decision. */
const ConfirmSection = ({ node }: { node: Node }) => {
  const { confirm, select } = useActions();
  const state = useAppState();
  const learns = useApp((state) => state.learning.on && !state.learning.paused);
  const past = useShowsPast();
  const [correcting, setCorrecting] = useState(false);
  return (
    <Section title="Is this where it belongs?">
      <p className={styles.note}>
        {learns
          ? 'Your answer is saved as a label, and the decider learns from it.'
          : 'Your answer is saved as a label.'}
      </p>
      <p className={styles.word}>
        <Button size="small" disabled={past} onClick={() => void confirm(node.id)}>
          <Check size={14} aria-hidden />
          Confirm
        </Button>
        <CorrectionMenu
          node={node}
          open={correcting}
          onOpenChange={(open) => {
            // With nothing selected, the inspector would go on to the next turn under the open menu.
            if (open && state().session.selectedId === null) select(node.id);
            setCorrecting(open);
          }}
          trigger={
            <Button size="small" disabled={past}>
              Change…
            </Button>
          }
        />
      </p>
    </Section>
  );
};

/** Opens What if, starting with this turn. */
const AskWhatIf = ({ nodeId }: { nodeId: NodeId }) => {
  const { session } = useActions();
  const refusal = useApp((state) => whyNotRerun(state, nodeId));
  return (
    <Section title="What if" aside="simulated">
      <p className={styles.word}>
        <Button size="small" disabled={refusal !== null} onClick={() => session({ dialog: 'what-if', with: nodeId })}>
          <FlaskConical size={13} aria-hidden />
          Decide differently from here…
        </Button>
      </p>
      {refusal !== null && <p className={styles.note}>{refusal}</p>}
    </Section>
  );
};

/** The engine settings the turn was decided with: their version and what differs from the defaults. */
const SettingsSection = ({ trace }: { trace: Trace }) => {
  const saved = useApp((state) => state.settings);
  const { settings, policy } = trace;
  if (settings === undefined) return null;
  const { version, parameters, prompts } = settings;
  const changed = Object.entries(parameters);
  const unnumbered = isAsShipped(settings) ? 'default' : 'default, changed';
  return (
    <Section title="Settings" aside={version === 0 ? unnumbered : `version ${version}`}>
      <dl className={styles.pairs}>
        <dt>Policy</dt>
        <dd>{policy}</dd>
        {changed.map(([name, value]) => (
          <Pair key={name} {...settingPair(name, value)} />
        ))}
        {prompts.length > 0 && <Pair name="Own prompts" value={prompts.join(', ')} />}
      </dl>
      {version > 0 && isAsShipped(settings) && (
        <p className={styles.quiet}>This version is the same as the default settings.</p>
      )}
      {foreignSettingsWords(saved, trace).map((words) => (
        <p key={words} className={styles.quiet}>
          {words}
        </p>
      ))}
    </Section>
  );
};

/** A setting under the name, and in the unit, that it has in Engine; one that this version does not have, as recorded. */
const settingPair = (name: string, value: SettingValue) => {
  const field = FIELDS.find((one) => one.name === name);
  if (field === undefined || typeof value === 'string' || !canBe(name, value)) return { name, value: String(value) };
  return { name: field.label, value: settingWords(field, value) };
};

const Pair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

type SettingValue = NonNullable<SettingsUsed['parameters'][string]> | null;

interface StepAnswer {
  readonly question: 'Topic' | 'Branch';
  readonly answer: TopicAnswer | BranchAnswer;
  readonly parsed: string;
}

/** The deciders' prompts, their raw answers, what was parsed from them, and the whole trace to copy. */
const RawSection = ({ forest, trace }: { forest: Forest; trace: Trace }) => {
  const { topic, branch } = trace;
  const answers: StepAnswer[] = [];
  if (topic.answer !== null)
    answers.push({ question: 'Topic', answer: topic.answer, parsed: topicRead(forest, trace) });
  if (branch.answer !== null) {
    answers.push({ question: 'Branch', answer: branch.answer, parsed: branchRead(forest, branch.answer) });
  }
  const paths = (topic.paths ?? []).map((path, at) => ({ ...path, heading: `Path ${at + 1}` }));
  const prompts = [
    ...paths.map(({ heading, prompt }) => ({ question: heading, prompt })),
    ...answers.map(({ question, answer: { prompt } }) => ({ question, prompt })),
  ].flatMap(({ question, prompt = [] }) =>
    prompt.map(({ role, content }) => ({ heading: `${question}, ${role}`, content })),
  );
  const pathAnswers = paths.flatMap(({ heading, raw, yes, confidence }) =>
    raw === undefined ? [] : [{ heading, raw, parsed: `${yes ? 'yes' : 'no'}${sure(confidence)}.` }],
  );
  // The answer about the path that settled it is shown with that path.
  const stepAnswers = pathAnswers.length > 0 ? answers.filter(({ question }) => question !== 'Topic') : answers;
  return (
    <section className={styles.section} aria-label="Trace">
      {prompts.length > 0 && (
        <details className={styles.raw}>
          <summary>Prompt</summary>
          {prompts.map(({ heading, content }) => (
            <RawText key={heading} heading={heading} text={content} />
          ))}
        </details>
      )}
      {pathAnswers.length + stepAnswers.length > 0 && (
        <details className={styles.raw}>
          <summary>Raw answer</summary>
          {pathAnswers.map(({ heading, raw, parsed }) => (
            <div key={heading}>
              <RawText heading={heading} text={raw} />
              <p className={styles.note}>Read as: {parsed}</p>
            </div>
          ))}
          {stepAnswers.map(({ question, answer, parsed }) => (
            <div key={question}>
              <RawText heading={question} text={answer.raw} />
              <p className={styles.note}>Read as: {parsed}</p>
            </div>
          ))}
        </details>
      )}
      <CopyButton label="Copy as JSON" text={() => JSON.stringify({ ...trace, madeBy: PROVENANCE }, null, 2)} />
    </section>
  );
};

const sure = (confidence: number | null): string => (confidence === null ? '' : `, confidence ${ratio(confidence)}`);

const topicRead = (forest: Forest, { topic: { answer, target } }: Trace): string => {
  const title = target === null ? '' : ` “${forest.trees[target]?.title ?? target}”`;
  return answer === null ? '' : `${answer.action}${title}${sure(answer.confidence)}.${others(answer.alternatives)}`;
};

const branchRead = (forest: Forest, { action, point, confidence, alternatives }: BranchAnswer): string => {
  const number = point === undefined ? undefined : forest.nodes[point]?.number;
  const at = number === undefined ? '' : ` at turn ${number}`;
  return `${action}${at}${sure(confidence)}.${others(alternatives)}`;
};

const others = (alternatives: readonly { action: string; confidence: number }[] = []): string =>
  alternatives.length === 0
    ? ''
    : ` Alternatives: ${alternatives.map(({ action, confidence }) => `${action} ${ratio(confidence)}`).join(', ')}.`;

/**
 * Where the time went. The reply has its own axis: it takes a thousand times as long as the rest. So has each attempt at
 * it: the time between them is nobody's.
 */
const TimeSection = ({ before, reply }: { before: readonly Timing[]; reply: Reply | null }) => {
  const attempts = attemptsOf(reply?.timings ?? []);
  if (before.length + attempts.length === 0) return null;
  return (
    <Section title="Time" aside={before.length > 0 ? `${duration(span(before))} to decide` : undefined}>
      <Laps timings={before} />
      {attempts.map((attempt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only added, at the end
        <Fragment key={at}>
          <p className={sectionCss.subheading}>
            {at === 0 ? 'Reply' : 'Reply, continued'}
            <span className={sectionCss.aside}>{duration(span(attempt))}</span>
          </p>
          <Laps timings={attempt} />
        </Fragment>
      ))}
      {reply !== null && <Tokens reply={reply} />}
    </Section>
  );
};

/** What the reply cost a language model, in the model's own tokens. */
const Tokens = ({ reply }: { reply: Reply }) => {
  const pace = paceOf(reply);
  if (pace === null) return null;
  const rows = [
    ['Prefilled', pace.prefilled, pace.prefillSpeed],
    ['Reused from its cache', pace.reused, null],
    ['Written', pace.generated, pace.speed],
  ] as const;
  const known = rows.filter(([, tokens]) => tokens !== null);
  if (known.length === 0) return null;
  return (
    <>
      <p className={sectionCss.subheading}>Tokens, as the model counts them</p>
      <dl className={sectionCss.pairs}>
        {known.map(([what, tokens, speed]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              {count(tokens ?? 0)}
              {speed !== null && ` · ${speedWords(speed)}`}
            </dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
};

const Laps = ({ timings }: { timings: readonly Timing[] }) => (
  <ul className={sectionCss.list}>
    {waterfall(timings).map(({ step, ms, left, width }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a step may come twice, and the list never changes its order
      <li key={index} className={barCss.lap}>
        <span>{step}</span>
        <span className={barCss.track} aria-hidden="true">
          <span style={{ left: `min(${left}%, 100% - 3px)`, width: `${width}%` }} />
        </span>
        <span className={inlineCss.figure}>{duration(ms)}</span>
      </li>
    ))}
  </ul>
);

/** A step on a common time axis; left and width in percent of the total. */
interface Lap {
  readonly step: string;
  readonly ms: number;
  readonly left: number;
  readonly width: number;
}

/** Milliseconds from the start of the first step to the end of the last. */
export const span = (timings: readonly Timing[]): number =>
  timings.length === 0 ? 0 : endOf(timings) - beginningOf(timings);

export const waterfall = (timings: readonly Timing[]): Lap[] => {
  const begin = beginningOf(timings);
  const whole = span(timings) || 1;
  return timings.map(({ step, start, ms }) => ({
    step,
    ms,
    left: (100 * (start - begin)) / whole,
    width: (100 * ms) / whole,
  }));
};

const beginningOf = (timings: readonly Timing[]): number => Math.min(...timings.map(({ start }) => start));
const endOf = (timings: readonly Timing[]): number => Math.max(...timings.map(({ start, ms }) => start + ms));
