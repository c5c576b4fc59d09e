import { ChevronDown } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { create } from 'zustand';
import { contextAgentCode } from '../../engine/context/policies/context-agent-code.ts';
import { vectorRag } from '../../engine/context/policies/flat-policies.ts';
import { MEMORY_POLICIES } from '../../engine/context/policies/memory-policies.ts';
import { ALL_POLICIES, POLICIES } from '../../engine/context/policies/policies.ts';
import { DECIDER } from '../../engine/embedded-names.ts';
import { Button } from './button.tsx';
import { Menu, MenuCheck, MenuHeading, MenuSeparator } from './menu.tsx';

/** Policies in display order. */
export const POLICY_GROUPS = [
  { title: 'Context-Agent and its baselines', names: POLICIES.map(({ name }) => name) },
  { title: 'Memories of other papers', names: MEMORY_POLICIES.map(({ name }) => name) },
] as const;

export const isMemory = (name: string): boolean => MEMORY_POLICIES.some((policy) => policy.name === name);

/** One-line descriptions by name. */
export const ABOUT_POLICY: Readonly<Record<string, string>> = Object.fromEntries(
  ALL_POLICIES.map(({ name, about }) => [name, about]),
);

interface DeciderWords {
  /** The display name. */
  readonly name: string;
  readonly about: string;
}

/** Deciders, by their names in traces, files and figures. */
const DECIDERS: Readonly<Record<string, DeciderWords>> = {
  learned: { name: DECIDER, about: 'the one that ships, with weights that were not fitted to the dialogue' },
  calibrated: { name: 'the paper’s rule', about: 'uses similarity and the gate, without a model' },
  threshold: { name: 'one threshold', about: 'uses one cosine threshold for topics, without branches' },
  'always-continue': { name: 'always continue', about: 'never leaves the branch' },
};

/**
 * The display name, e.g. `the paper’s rule` for `calibrated`; a model keeps its own name. `calibrated, POLICY`: the
 * decider under a policy that asks in its own way.
 */
export const subjectName = (subject: string): string => {
  const [first = '', ...rest] = subject.split(', ');
  return [DECIDERS[first]?.name ?? first, ...rest].join(', ');
};

export const aboutDecider = (name: string): string => DECIDERS[name]?.about ?? '';

/** How a policy's line is drawn. */
export interface SeriesStyle {
  /** A CSS colour. */
  readonly colour: string;
  /** As `stroke-dasharray`, so that lines are not told apart by colour alone. */
  readonly dash?: string;
}

/** Colours and dashes of the known policies; others get a default. */
const LOOKS: Readonly<Record<string, SeriesStyle>> = {
  focused: { colour: 'var(--topic-0)' },
  'context-agent': { colour: 'var(--topic-5)', dash: '12 4' },
  'full-history': { colour: 'var(--topic-2)', dash: '6 3' },
  truncation: { colour: 'var(--topic-1)', dash: '2 3' },
  'flat-rag': { colour: 'var(--topic-7)', dash: '8 3 2 3' },
  'vector-rag': { colour: 'var(--topic-7)', dash: '1 3' },
  'context-agent-without-rag': { colour: 'var(--topic-6)', dash: '4 2' },
  'context-agent-code': { colour: 'var(--topic-0)', dash: '4 4' },
  'summarised-history': { colour: 'var(--topic-2)', dash: '1 4' },
  memtree: { colour: 'var(--topic-3)' },
  'thread-memory': { colour: 'var(--topic-4)', dash: '10 2' },
  tacitree: { colour: 'var(--topic-5)', dash: '6 2 2 2 2 2' },
  raptor: { colour: 'var(--topic-1)', dash: '8 4' },
  'memory-stream': { colour: 'var(--topic-7)', dash: '2 2' },
  'memory-bank': { colour: 'var(--topic-3)', dash: '6 2 1 2' },
  'dh-rag': { colour: 'var(--topic-4)', dash: '3 5' },
  memgpt: { colour: 'var(--topic-6)', dash: '12 3 2 3' },
};

/** The same wherever a policy is drawn. */
export const policyLook = (name: string): SeriesStyle => LOOKS[name] ?? { colour: 'var(--ink-3)' };

/** How many can be compared at once: more columns would not be read. */
const FEWEST = 2;
const MOST = 6;

/**
 * The default comparison. On the same forest the authors' code sends almost the same as `context-agent`, and one way of
 * retrieving turns is enough to start with.
 */
const AT_FIRST = POLICIES.filter((policy) => policy !== contextAgentCode && policy !== vectorRag).map(
  ({ name }) => name,
);

/** The policies chosen for comparison, in display order; always includes `sent`, the one a turn was sent under. */
export const comparedPolicies = (chosen: readonly string[] | null, sent: string | null = null): readonly string[] => {
  const wanted = new Set(chosen ?? AT_FIRST);
  return ALL_POLICIES.map(({ name }) => name).filter((name) => wanted.has(name) || name === sent);
};

/** Policies chosen for comparison, for as long as the page is open; null until there is a choice. */
const useChosen = create<{ readonly policies: readonly string[] | null }>(() => ({ policies: null }));

export const useComparedPolicies = (sent: string | null = null): readonly string[] => {
  const chosen = useChosen(({ policies }) => policies);
  return useMemo(() => comparedPolicies(chosen, sent), [chosen, sent]);
};

/** Chooses the policies to compare contexts by. Always includes `sent`. */
export const PolicyChooser = ({ sent = null }: { sent?: string | null }) => {
  const names = useComparedPolicies(sent);
  const change = (name: string, on: boolean) =>
    useChosen.setState({ policies: on ? [...names, name] : names.filter((one) => one !== name) });
  return (
    <Menu
      label="Policies to compare"
      trigger={
        <Button size="small" aria-label={`${names.length} policies to compare`}>
          {names.length} policies
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {POLICY_GROUPS.map((group, at) => (
        <Fragment key={group.title}>
          {at > 0 && <MenuSeparator />}
          <MenuHeading>{group.title}</MenuHeading>
          {group.names.map((name) => {
            const on = names.includes(name);
            return (
              <MenuCheck
                key={name}
                on={on}
                disabled={name === sent || (on ? names.length <= FEWEST : names.length >= MOST)}
                onChange={(next) => change(name, next)}
                {...(name === sent && { detail: 'sent' })}
              >
                {name}
              </MenuCheck>
            );
          })}
        </Fragment>
      ))}
      <MenuHeading>
        From {FEWEST} to {MOST} at once.
      </MenuHeading>
    </Menu>
  );
};
