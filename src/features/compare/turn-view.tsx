import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type CSSProperties, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/past-contexts.ts';
import { errorMessage, withAdvice } from '../../engine/model-failure.ts';
import { useApp } from '../../ui/app-context.ts';
import type { PictureSource } from '../../ui/canvas/memories/picture.ts';
import { PolicyPicture } from '../../ui/canvas/memories/policy-picture.tsx';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { count } from '../../ui/parts/format.ts';
import { ABOUT_POLICY, isMemory, policyLook } from '../../ui/parts/policies.tsx';
import { Badge, Ellipsis, Heading, Muted } from '../../ui/parts/text.tsx';
import type { CompareRun } from './compare-run.ts';
import { CompareProgress, CompareTable } from './compare-table.tsx';
import { useContexts } from './context-rows.ts';
import { type TurnComparison, wasSent } from './turn-comparisons.ts';
import styles from './turn-view.module.css';

export type Side = 'memories' | 'contexts';

interface TurnViewProps {
  readonly run: CompareRun;
  readonly names: readonly string[];
  readonly rows: readonly TurnComparison[];
  /** null while many turns are being compared. */
  readonly at: number | null;
  readonly onChoose: (index: number) => void;
  readonly onGo: (nodeId: NodeId) => void;
}

/** One turn under every policy: the memories they keep, or the contexts they send. */
export const TurnView = ({ run, names, rows, at, onChoose, onGo }: TurnViewProps) => {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [side, setSide] = useState<Side>('memories');
  const retries = useStore(run.store, (state) => state.retries);
  const row = rows[at ?? -1];
  if (at === null || row === undefined) {
    return (
      <p className={styles.later}>
        Once the turns are compared, this shows what each policy keeps and sends. To see a turn now, choose it in the
        chart.
      </p>
    );
  }
  return (
    <section ref={section} className={styles.turn} aria-labelledby={id}>
      <div className={styles.bar}>
        <IconButton
          size="small"
          label="Previous turn"
          icon={ChevronLeft}
          idle={at === 0}
          onClick={() => onChoose(at - 1)}
        />
        <IconButton
          size="small"
          label="Next turn"
          icon={ChevronRight}
          idle={at === rows.length - 1}
          onClick={() => onChoose(at + 1)}
        />
        <Heading id={id}>Turn {row.number}</Heading>
        <Ellipsis as="p" className={styles.message} title={row.message}>
          {row.message}
        </Ellipsis>
        <Button size="small" look="quiet" onClick={() => onGo(row.nodeId)}>
          Go to turn
        </Button>
        <Segmented
          label="Side by side"
          options={[
            { value: 'memories', label: 'Memories' },
            { value: 'contexts', label: 'Contexts' },
          ]}
          value={side}
          onChange={(chosen) => {
            setSide(chosen);
            // On a low screen, the requested content would be below the fold.
            section.current?.scrollIntoView({ block: 'start' });
          }}
        />
      </div>
      <SideBySide
        // What is shown was made with what is tried again.
        key={retries}
        run={run}
        names={names}
        nodeId={row.nodeId}
        by={row.by}
        side={side}
        onSide={setSide}
        sent={row.sent}
        onTurn={(nodeId) => {
          const index = rows.findIndex((one) => one.nodeId === nodeId);
          if (index !== -1) onChoose(index);
        }}
      />
    </section>
  );
};

interface SideBySideProps {
  readonly run: CompareRun;
  readonly names: readonly string[];
  readonly nodeId: NodeId;
  /** What is known for the turn. */
  readonly by: TurnComparison['by'];
  readonly side: Side;
  readonly onSide: (side: Side) => void;
  /** The policy that the turn was really sent under. */
  readonly sent: string | null;
  readonly onTurn: (nodeId: NodeId) => void;
}

/** What each policy has for a turn. The previous turn stays visible until the next one is ready, to avoid flicker. */
const SideBySide = ({ run, names, nodeId, by, side, onSide, sent, onTurn }: SideBySideProps) => {
  const topic = useApp(({ forest }) => forest.trees[forest.nodes[nodeId]?.treeId ?? '']?.order ?? 0);
  const anew = useStore(run.store, (state) => state.anew);
  const running = useStore(run.store, (state) => state.running);
  // A policy for which turns are placed again has no context of this one before it was compared.
  const later = names.filter((name) => anew.includes(name) && by[name] === undefined).join(', ');
  const ready = useMemo(() => names.filter((name) => !later.split(', ').includes(name)), [names, later]);
  const shown = useContexts(nodeId, ready, run.contextsFor);
  const held = useRef<{ readonly of: NodeId; readonly contexts: readonly PolicyContext[] } | null>(null);
  const { contexts, failed, failure, building } = shown;
  const isBuilt = contexts.length + failed.length >= ready.length;
  // No column goes and comes back with every new turn.
  const isComing = running && held.current?.contexts.some(({ policy }) => later.split(', ').includes(policy)) === true;
  const complete = isBuilt && !isComing;
  if (complete) held.current = { of: nodeId, contexts };
  // All columns show the same turn: the previous one until this one is complete.
  const there = complete || held.current === null ? contexts : held.current.contexts;
  const before = useApp(({ forest }) => (complete ? null : (forest.nodes[held.current?.of ?? '']?.number ?? null)));
  const isBefore = before !== null && held.current?.of !== nodeId;
  const of = isBefore ? (held.current?.of ?? nodeId) : nodeId;
  // Nothing was sent for a reply that came with its dialogue, although it is known what would have been.
  const current = useMemo(
    () => there.map((one) => ({ ...one, sent: wasSent({ sent }, one.policy, anew) })),
    [there, sent, anew],
  );
  // A memory that has many turns to take in shows its progress; for one or two it does not matter.
  const slow = building !== null && building.of - building.turns > 2;
  return (
    <div className={styles.side} aria-busy={!isBuilt && building !== null} data-before={isBefore || undefined}>
      {isBefore && <StillBefore number={before} />}
      {(slow || (building === null && !isBuilt) || failed.length > 0) && (
        <div className={styles.progress}>
          <CompareProgress shown={shown} names={ready} />
        </div>
      )}
      {later !== '' && <p className={styles.of}>Shown here once this turn has been compared: {later}.</p>}
      {failure !== null && (
        <p className={styles.note} role="alert">
          Could not build the contexts: {withAdvice(failure, 'Choose an available model in Models and try again.')}
        </p>
      )}
      {side === 'memories' ? (
        <MemoryPanes run={run} contexts={current} nodeId={of} onTurn={onTurn} />
      ) : (
        current.length > 0 && (
          <div className={styles.contexts}>
            <CompareTable contexts={current} topic={topic} onMemory={() => onSide('memories')} />
          </div>
        )
      )}
    </div>
  );
};

const StillBefore = ({ number }: { number: number }) => (
  <p className={styles.of}>Still showing turn {number} while the requested turn loads…</p>
);

interface MemoryPanesProps {
  readonly run: CompareRun;
  readonly contexts: readonly PolicyContext[];
  readonly nodeId: NodeId;
  readonly onTurn: (nodeId: NodeId) => void;
}

/** Policies that keep nothing but the forest share their turns: selecting one selects it in all of them. */
const TURNS = 'turns';

/** What each policy keeps of the conversation before a turn, and what part of it goes to the model. */
const MemoryPanes = ({ run, contexts, nodeId, onTurn }: MemoryPanesProps) => {
  const { of: shownOf, memories: shown } = useMemories(run, nodeId, contexts);
  const before = useApp(({ forest }) => forest.nodes[shownOf ?? '']?.number ?? null);
  const anew = useStore(run.store, (state) => state.anew);
  const [selected, setSelected] = useState<Readonly<Record<string, string | null>>>({});
  // Unless a memory has to be built, they are all there by the next frame.
  const isBefore = before !== null && shownOf !== nodeId && contexts.some(({ policy }) => isMemory(policy));
  const panes = (
    <div className={styles.panes} style={{ '--panes': shown.length } as CSSProperties}>
      {shown.map(({ shown: of, why }) => {
        const { policy, context } = of;
        const key = isMemory(policy) || anew.includes(policy) ? policy : TURNS;
        return (
          <section key={policy} className={styles.pane} aria-label={`${policy}, its memory`}>
            <div className={styles.head}>
              <Heading level={4}>
                <Swatch {...policyLook(policy)} /> {policy}
                {context?.sent && <Badge>sent</Badge>}
              </Heading>
              <span className={styles.tokens}>
                sends <b>{count(context?.context.tokens ?? 0)}</b> tokens
              </span>
              <p title={ABOUT_POLICY[policy]}>
                {anew.includes(policy) && <b>Turns placed again. </b>}
                {ABOUT_POLICY[policy]}
              </p>
            </div>
            {why !== null ? (
              <Muted className={styles.why} role="alert">
                Could not show its memory: {withAdvice(why, 'Choose an available model in Models.')}
              </Muted>
            ) : (
              <div className={styles.picture}>
                <PolicyPicture
                  shown={of}
                  selected={selected[key] ?? null}
                  onSelect={(id) => setSelected((before) => ({ ...before, [key]: id }))}
                  onTurn={onTurn}
                />
              </div>
            )}
          </section>
        );
      })}
    </div>
  );
  return (
    <>
      {isBefore && <StillBefore number={before} />}
      {panes}
    </>
  );
};

/** A policy's context for a turn, with the memory it came from. */
interface PolicyMemory {
  readonly shown: PictureSource;
  /** Why the memory could not be built, in words. */
  readonly why: string | null;
}

interface ShownMemories {
  /** The turn the memories belong to; null before the first. */
  readonly of: NodeId | null;
  readonly memories: readonly PolicyMemory[];
}

/** The memories behind the contexts of a turn once all are available; until then the previous ones. */
const useMemories = ({ memoryFor }: CompareRun, nodeId: NodeId, contexts: readonly PolicyContext[]): ShownMemories => {
  const [made, setMade] = useState<ShownMemories>({ of: null, memories: [] });
  useEffect(() => {
    const stop = new AbortController();
    const one = async (context: PolicyContext): Promise<PolicyMemory> => {
      const { policy } = context;
      if (!isMemory(policy)) return { shown: { policy, context, memory: null }, why: null };
      try {
        const memory = await memoryFor(nodeId, policy, stop.signal);
        return { shown: { policy, context, memory }, why: null };
      } catch (error) {
        const why = errorMessage(error);
        return { shown: { policy, context, memory: null }, why };
      }
    };
    void Promise.all(contexts.map(one)).then((all) => {
      if (!stop.signal.aborted) setMade({ of: nodeId, memories: all });
    });
    return () => stop.abort();
  }, [memoryFor, nodeId, contexts]);
  return made;
};

/** Compressors that C-DIC is compared with in its paper, and what each makes of a conversation. */
const NOT_BUILT = [
  ['ICAE', 'learned memory slots, in place of the text'],
  ['AutoCompressor', 'summary vectors that are fed back into the model'],
  ['LLMLingua', 'tokens dropped by how well a model predicts them'],
  ['InfLLM', 'blocks of a model’s own attention cache'],
  ['C-DIC’s compressor', 'latent states; thread-memory has its rule, with text in their place'],
] as const;

/** What the figures do not show, and what is not implemented here. */
export const ComparisonNotes = ({ run, unit }: { run: CompareRun; unit: string | null }) => {
  const { embed, summarise, window } = useStore(run.store, (state) => state.madeBy);
  const anew = useStore(run.store, (state) => state.anew);
  const some = useStore(run.store, (state) => state.names.some(isMemory));
  return (
    <div className={styles.beside}>
      <p>
        <b>How to read it.</b> Every policy was given the same turns and the same replies as they were: each context is
        what it would have sent for that turn alone. No replies were regenerated, so this does not show how good the
        answers would have been.{' '}
        {anew.length > 0 && (
          <>
            <i>{anew.join(', ')}</i> would have placed turns by another rule, so all of them were placed again.{' '}
          </>
        )}
        {some ? 'Memories and costs' : 'Costs'} are those of the models chosen now: <i>{embed}</i> embeds,{' '}
        <i>{summarise}</i> summarises
        {unit !== null && (
          <>
            , <i>{unit}</i> counts tokens, of which {count(window)} fit in the window
          </>
        )}
        . Other models give other figures. The engine settings are those that each turn was sent with; <i>What if</i>{' '}
        tries others.
      </p>
      <details>
        <summary>Not built: ICAE, AutoCompressor, LLMLingua, InfLLM, and C-DIC’s own compressor</summary>
        <p>They need access to a model’s own weights, which prompting alone does not give:</p>
        <ul>
          {NOT_BUILT.map(([name, about]) => (
            <li key={name}>
              <b>{name}</b>: {about}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
};
