import type { ReadDialogue } from '../../app/kernel.ts';
import { fold } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import { replyOf } from '../../domain/queries.ts';
import { spokenOf } from '../../domain/reply.ts';
import { recordsOf } from '../../domain/table.ts';
import { placementFor, type Study, type StudyDialogue, type StudyLabel } from './study.ts';

export const UNTITLED = 'Untitled study';

/** An empty study. */
export const newStudy = (id: string, seed: number): Study => ({
  format: 'coppice-study',
  version: 1,
  id,
  name: UNTITLED,
  guidelines: GUIDELINES,
  mode: 'blind',
  tags: [],
  people: 2,
  peoplePerDialogue: 2,
  seed,
  dialogues: [],
});

/** Appends dialogues. `linksAreGold`: the parents in their files are the right answers. */
export const withDialogues = (study: Study, added: readonly ReadDialogue[], linksAreGold: boolean): Study => {
  const dialogues = [...study.dialogues];
  for (const { title, turns } of added) {
    const name = title.trim() || `Dialogue ${dialogues.length + 1}`;
    dialogues.push({
      id: freeId(dialogues, name),
      name,
      turns: turns.map(({ message, reply, speaker }) => ({
        user: message,
        assistant: reply,
        ...(speaker === null ? {} : { speaker }),
      })),
      part: 'work',
      ...(linksAreGold ? { gold: linksOf(turns) } : {}),
    });
  }
  return { ...study, dialogues };
};

/** Also the dialogue's file name in the package, so it only uses characters that are safe there. */
const freeId = (dialogues: readonly StudyDialogue[], name: string): string => {
  const short = name
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  const taken = new Set(dialogues.map(({ id }) => id));
  for (let number = dialogues.length + 1; ; number++) {
    const id = `d${number}${short === '' ? '' : `-${short}`}`;
    if (!taken.has(id)) return id;
  }
};

const linksOf = (turns: ReadDialogue['turns']): StudyLabel[] => {
  const labels: StudyLabel[] = [];
  for (const { parents } of turns) {
    const [first, ...further] = parents;
    const parent = first ?? 'new-topic';
    const furtherParents = further.sort((a, b) => a - b);
    labels.push({ placement: placementFor(labels, parent), parent, furtherParents, tags: [], unsure: false });
  }
  return labels;
};

/** A conversation stored here, in chronological order. */
export const dialogueOfLog = (title: string, log: readonly Entry[]): ReadDialogue => {
  const nodes = recordsOf(fold(log).nodes).toSorted((a, b) => a.number - b.number);
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  return {
    title,
    turns: nodes.map((node, at) => {
      const parent = node.parentId === null ? undefined : places.get(node.parentId);
      return {
        message: node.message,
        speaker: null,
        reply: spokenOf(replyOf(node)?.text ?? '').answer,
        // A moved turn may have a later parent, which a chronological reader could not know.
        parents: parent !== undefined && parent < at ? [parent] : [],
      };
    }),
  };
};

/** Parses the author's own tags from a comma-separated line. */
export const tagsOf = (line: string): string[] => [
  ...new Set(
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** Dialogues that lack the engine answers that an assisted study promises. */
export const withoutEngine = ({ mode, dialogues }: Study): StudyDialogue[] =>
  mode === 'blind' ? [] : dialogues.filter(({ engine }) => engine === undefined);

/** The default guidelines of a new study: rules for parents and placements, each with examples. Authors edit them as needed. */
const GUIDELINES = `# How to label

A conversation is more than a list of messages. People change the subject, come back to it, and take up a point from further above.
For each turn you say **what it goes on from** (its *parent*) and **how it gets there** (its *placement*).
You see the message and everything before it. What comes after, its own reply included, stays hidden: say what somebody would who reads along.

Read the message. Ask: *which earlier turn do I need, so that this message makes sense?* That turn is the parent.

## 1. The parent is the turn that is needed, not the one that is near

Choose the latest turn whose message or reply this message takes up: by a question about it, a correction, a word like *it*, *that one*, *the second*.
That two turns are about similar things is not enough.

> **1** Which train goes to Porto? → *The 9:30 is direct.*
> **2** And what is a good hotel there? → *The Aurora, near the river.*
> **3** How long does it take, the 9:30?

Turn 3 goes on from **turn 1**: without it nobody knows what the 9:30 is. Turn 2 is nearer, and not needed.

## 2. When in doubt between two turns, take the later one

If either would do, the later one wins, provided that it holds what is needed.

> **4** Make it shorter. → *(a shorter letter)*
> **5** And friendlier.

Turn 5 goes on from **turn 4**, the newest version of the letter, not from the first.

## 3. Thanks, yes and no go on from what they answer

> **6** Shall I book it? → *Yes, there are two seats left.*
> **7** great, thanks

Turn 7 goes on from **turn 6**. A *thanks* that closes the whole conversation goes on from the last turn.

## 4. A new topic needs nothing that was said before

Choose **Create topic** when the message could open a conversation of its own. A greeting or *another question:* before it changes nothing.

> **8** ok. something else: what is 15 % of 84.50?

A new topic, even if sums came up before, unless it is *that* sum which is gone on with.

The same field is not the same topic: two errors in two programs are two topics. A new question about the same trip, letter or program is no new topic.

## 5. Something that is not here

The message takes up what you cannot see: another chat, a picture that is not shown, *as I said yesterday*. Choose **Not here**, and no turn.

> **9** like in the other chat, but for four people

## 6. More than one parent

If the message needs two turns and neither holds the other, link both: first the one that it is mostly about. Do not collect turns that are merely on the topic.

> **10** Which of the two is cheaper, the train or the flight?

Its parents are the turn with the train and the turn with the flight.

# The placement

It mostly follows from the parent, and is filled in for you. Look whether it is right.

## Continue branch (1)

The parent is the turn just before, and the message goes on with it.

> **11** How do I poach an egg? → *Three minutes in simmering water.*
> **12** with vinegar or without?

## Create branch (2)

The same topic, but from a turn that something goes on from already: another try, an alternative, a side question. From here there are two ways on.

> **13** Plan a day in Lisbon. → *(a plan)*
> **14** Move lunch to one. → *(changed)*
> **15** Go back to the first plan, and do it by bike instead.

Turn 15 goes on from **turn 13** and opens a branch.

## Switch branch (3)

The same topic, going on at the end of another branch.

> **16** And in the plan with one o'clock lunch, where do we eat?

It goes on from **turn 14** and switches to its branch.

## Switch topic (4)

An earlier topic is taken up again, wherever in it. Words like *back to* are often missing.

> **17** Is the 9:30 daily?

Asked after the eggs and the plan, it goes back to **turn 1**.

## Create topic (5)

As under rule 4: nothing before is needed.

# How to work

- **Unsure** (X) when you could argue for another answer. It is no failing; such turns teach us most.
- **Flag** (F) what is broken: a turn in two languages, a reply that does not fit, a rule that is missing.
- Do not talk about turns with others who label the same dialogues before everybody is done.
- Do not go back to make earlier labels fit later ones, except where you slipped.
- Some five to ten seconds a turn is usual. If you need a minute, choose the best, press X and go on.
`;
