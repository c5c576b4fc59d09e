import { useMemo } from 'react';
import type { Forest, Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import type { ShownContext } from '../../engine/context/context-text.ts';
import { count } from '../parts/format.ts';
import { wordDiff } from '../parts/text-diff.ts';
import contextCss from './context.module.css';
import { type ContextDiff, contextDiff, contextParts, type Part, wordsOf } from './context-parts.ts';
import { useShownContext } from './context-summary.tsx';
import { PartRow, Said } from './part-row.tsx';
import sectionCss from './section.module.css';
import { Limited, Section } from './section.tsx';
import { TurnLink } from './turn-link.tsx';

/** Parts of a kind of change that are shown before the person asks for all. */
const FIRST = 12;

interface Props {
  readonly now: Forest;
  readonly node: Node;
  readonly shown: ShownContext;
}

/** What entered the context, left it or reads otherwise since the turn before it was answered. */
export const SinceBefore = ({ now, node, shown }: Props) => {
  const before = useMemo(() => answeredBefore(now, node), [now, node]);
  const shownBefore = useShownContext(before === null ? null : replyOf(before));
  const diff = useMemo(
    () =>
      shownBefore &&
      contextDiff(contextParts(shownBefore.forest, shownBefore.context), contextParts(shown.forest, shown.context)),
    [shownBefore, shown],
  );
  if (before === null || diff === null) return null;
  return (
    <Section title={`Since turn ${before.number}`} aside={counts(diff)}>
      <p className={sectionCss.note}>{frontWords(diff, shown.context.tokens)}</p>
      <Limited key={node.id} items={changesOf(diff)} first={FIRST}>
        {({ sign, word, part, was }) => (
          <li key={`${sign} ${part.key}`} data-change={word}>
            <PartRow part={part} now={now} sign={<Sign sign={sign} word={word} />}>
              {was && <Rewritten before={was} after={part} />}
            </PartRow>
          </li>
        )}
      </Limited>
      <p className={sectionCss.note}>
        The turn before is <TurnLink forest={now} nodeId={before.id} />.
      </p>
    </Section>
  );
};

/** The turn that was sent last before this one, and has been answered. */
const answeredBefore = (forest: Forest, { number }: Node): Node | null => {
  let found: Node | null = null;
  for (const other of recordsOf(forest.nodes)) {
    if (other.number < number && other.number > (found?.number ?? 0) && replyOf(other)?.context) found = other;
  }
  return found;
};

interface Change {
  readonly sign: '+' | '−' | '~';
  readonly word: 'entered' | 'left' | 'changed';
  readonly part: Part;
  readonly was?: Part;
}

const changesOf = ({ entered, left, changed }: ContextDiff): Change[] => [
  ...entered.map((part): Change => ({ sign: '+', word: 'entered', part })),
  ...changed.map(({ before, after }): Change => ({ sign: '~', word: 'changed', part: after, was: before })),
  ...left.map((part): Change => ({ sign: '−', word: 'left', part })),
];

const counts = ({ entered, left, changed, stayed }: ContextDiff): string =>
  [
    [entered.length, 'entered'],
    [changed.length, 'changed'],
    [left.length, 'left'],
    [stayed.length, 'stayed'],
  ]
    .filter(([many]) => many !== 0)
    .map(([many, word]) => `${many} ${word}`)
    .join(' · ');

const frontWords = ({ front }: ContextDiff, tokens: number): string => {
  if (front === 0) return 'Nothing at its beginning is the same, so a chat model has to read all of it again.';
  if (front === tokens) return 'It is the same to the last word.';
  return `The first ${count(front)} of ${count(tokens)} tokens are the same, so a chat model can reuse its cache for them.`;
};

const Sign = ({ sign, word }: Pick<Change, 'sign' | 'word'>) => (
  <>
    <span className={contextCss.sign} data-change={word} aria-hidden="true">
      {sign}
    </span>
    <span className="visually-hidden">{word}: </span>
  </>
);

/** Other words of the same thing: what went is struck through. */
const Rewritten = ({ before, after }: { before: Part; after: Part }) => (
  <Said
    whose="word by word"
    content={wordDiff(wordsOf(before), wordsOf(after)).map(({ kind, text }, index) => {
      if (kind === 'same') return text;
      const Mark = kind === 'added' ? 'ins' : 'del';
      // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no names, and never change their order
      return <Mark key={index}>{text}</Mark>;
    })}
  />
);
