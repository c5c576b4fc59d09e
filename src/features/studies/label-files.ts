import { strToU8, zipSync } from 'fflate';
import { type ExportedFile, fileName, spreadsheet } from '../../ui/parts/download.ts';
import type { GoldDialogue } from './adjudicate.ts';
import { labellingKey, pacedLabels } from './coordinate-data.ts';
import { type LabelEvent, labelsOf } from './label-events.ts';
import type { Parent, Study, StudyLabel } from './study.ts';

/*
 * Labels as files, for scripts or spreadsheets. Turns count from 1 there, and 0 is a new topic, as in the public forms of
 * labelled dialogues.
 */

/** Every event of everybody, unchanged. */
export const rawEvents = (study: Study, events: readonly LabelEvent[]): ExportedFile => ({
  name: `${fileName(study.name)}.raw.jsonl`,
  text: lines(events.map((event) => JSON.stringify(event))),
});

/**
 * Each person's final label for each turn, with the time it took as in their pace, and the comments of turns that they
 * flagged without one.
 */
export const rawTable = (study: Study, events: readonly LabelEvent[]): ExportedFile => {
  const order = new Map(study.dialogues.map(({ id }, at) => [id, at]));
  const theirs = events.filter(({ phase }) => phase !== 'gold');
  const paced = pacedLabels(theirs);
  const secondsOf = (event: LabelEvent): number | '' => {
    const took = event.label === null ? undefined : paced.get(labellingKey(event));
    return took === undefined ? '' : Math.round(took.worked / 100) / 10;
  };
  const rows = labelsOf(theirs)
    .filter(({ label, comment }) => label !== null || comment !== undefined)
    .sort((a, b) => (order.get(a.dialogue) ?? 0) - (order.get(b.dialogue) ?? 0) || a.turn - b.turn)
    .map((event) => {
      const { person, dialogue, turn, phase, mode, label, comment, at } = event;
      const unsure = label === null ? '' : label.unsure ? 'yes' : 'no';
      const time = new Date(at).toISOString();
      return [
        person,
        dialogue,
        turn + 1,
        phase,
        mode,
        ...columnsOf(label),
        unsure,
        comment ?? '',
        secondsOf(event),
        time,
      ];
    });
  const head = ['person', 'dialogue', 'turn', 'phase', 'mode', ...COLUMNS, 'unsure', 'comment', 'seconds', 'at'];
  return { name: `${fileName(study.name)}.raw.csv`, text: spreadsheet([head, ...rows]) };
};

const GOLD_FORMAT = 'coppice-gold';

/** The gold labels, one dialogue per line, as read by *Evaluate*. An open turn has no parent. */
export const goldLines = (study: Study, gold: readonly GoldDialogue[]): ExportedFile => ({
  name: `${fileName(study.name)}.gold.jsonl`,
  text: lines(
    gold.map(({ dialogue: { id, name, turns }, turns: labelled }) =>
      JSON.stringify({
        format: GOLD_FORMAT,
        version: 1,
        study: study.name,
        id,
        name,
        turns: turns.map(({ user, assistant, speaker }, turn) => {
          const { label = null, basis, reason, parentsDiffer } = labelled[turn] ?? {};
          return {
            message: user,
            reply: assistant === '' ? null : assistant,
            ...(speaker === undefined ? {} : { speaker }),
            parent: label === null ? null : numberOf(label.parent),
            also: label?.furtherParents.map((further) => further + 1) ?? [],
            placement: label?.placement ?? null,
            tags: label?.tags ?? [],
            basis,
            reason,
            disputed: parentsDiffer,
          };
        }),
      }),
    ),
  ),
});

/** The same for *Evaluate* in this page, which tells files apart by their names: two studies may have the same one. */
export const goldForEvaluate = (study: Study, gold: readonly GoldDialogue[]): File =>
  new File([goldLines(study, gold).text], `${fileName(study.name)}.${study.id}.gold.jsonl`);

export const goldTable = (study: Study, gold: readonly GoldDialogue[]): ExportedFile => {
  const rows = gold.flatMap(({ dialogue, turns }) =>
    turns.map(({ label, basis, reason, parentsDiffer }, turn) => [
      dialogue.id,
      turn + 1,
      ...columnsOf(label),
      basis,
      parentsDiffer ? 'yes' : 'no',
      reason ?? '',
      dialogue.turns[turn]?.user ?? '',
    ]),
  );
  const head = ['dialogue', 'turn', ...COLUMNS, 'basis', 'disputed', 'reason', 'message'];
  return { name: `${fileName(study.name)}.gold.csv`, text: spreadsheet([head, ...rows]) };
};

const COLUMNS = ['parent', 'further parents', 'action', 'tags'];

const columnsOf = (label: StudyLabel | null | undefined): (string | number)[] =>
  label == null
    ? ['', '', '', '']
    : [
        numberOf(label.parent),
        label.furtherParents.map((further) => further + 1).join(' '),
        label.placement,
        // A tag may have several words.
        label.tags.join(', '),
      ];

/** Turns count from 1; 0 opens a topic. */
const numberOf = (parent: Parent): number | 'elsewhere' =>
  typeof parent === 'number' ? parent + 1 : parent === 'new-topic' ? 0 : parent;

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/*
 * The gold labels in the formats of other tools and sets. All of them need a parent for every turn, so dialogues with open
 * turns are left out, and the page lists them. None can express a turn that continues something outside the dialogue: it
 * opens a topic.
 */

/** Whether every turn has a label. */
export const isComplete = ({ turns }: GoldDialogue): boolean => turns.every(({ label }) => label !== null);

export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const packed = (name: string, files: Readonly<Record<string, string>>): PackedFile => ({
  name,
  bytes: new Uint8Array(zipSync(Object.fromEntries(Object.entries(files).map(([at, text]) => [at, strToU8(text)])))),
});

const parentOf = (label: StudyLabel | null | undefined): number | null =>
  typeof label?.parent === 'number' ? label.parent : null;

/** A ConvoKit corpus: each topic is a conversation, and each utterance names the one it replies to. */
export const convoKitCorpus = (study: Study, gold: readonly GoldDialogue[]): PackedFile => {
  const utterances: Record<string, unknown>[] = [];
  const speakers = new Set<string>();
  for (const { dialogue, turns } of gold) {
    const idOf = (turn: number, by: 'user' | 'assistant') =>
      `${dialogue.id}-${turn + 1}${by === 'user' ? '' : '-reply'}`;
    const last = (turn: number) => idOf(turn, dialogue.turns[turn]?.assistant === '' ? 'user' : 'assistant');
    const roots: number[] = [];
    for (const [turn, { user, assistant, speaker = 'user' }] of dialogue.turns.entries()) {
      const { label } = turns[turn] ?? {};
      const parent = parentOf(label);
      roots.push(parent === null ? turn : (roots[parent] ?? turn));
      const conversation = idOf(roots[turn] ?? turn, 'user');
      const add = (id: string, by: string, text: string, replyTo: string | null, meta: Record<string, unknown>) => {
        speakers.add(by);
        // ConvoKit has used both names; its readers accept either.
        utterances.push({
          id,
          conversation_id: conversation,
          reply_to: replyTo,
          'reply-to': replyTo,
          speaker: by,
          text,
          timestamp: utterances.length,
          meta,
          vectors: [],
        });
      };
      const meta = {
        dialogue: dialogue.id,
        turn: turn + 1,
        action: label?.placement,
        also: label?.furtherParents.map(last),
        tags: label?.tags,
        basis: turns[turn]?.basis,
      };
      add(idOf(turn, 'user'), speaker, user, parent === null ? null : last(parent), meta);
      if (assistant !== '') add(idOf(turn, 'assistant'), 'assistant', assistant, idOf(turn, 'user'), {});
    }
  }
  const folder = fileName(study.name);
  const conversations = new Set(utterances.map((utterance) => String(utterance.conversation_id)));
  const each = (names: Iterable<string>) =>
    Object.fromEntries([...names].map((name) => [name, { meta: {}, vectors: [] }]));
  return packed(`${folder}.convokit.zip`, {
    [`${folder}/utterances.jsonl`]: utterances.map((utterance) => `${JSON.stringify(utterance)}\n`).join(''),
    [`${folder}/speakers.json`]: JSON.stringify(each(speakers)),
    [`${folder}/conversations.json`]: JSON.stringify(each(conversations)),
    [`${folder}/corpus.json`]: JSON.stringify({ name: study.name }),
    [`${folder}/index.json`]: JSON.stringify({
      'utterances-index': {},
      'speakers-index': {},
      'conversations-index': {},
      'overall-index': {},
      version: 1,
      vectors: [],
    }),
  });
};

/** The format of IRC disentanglement corpora: `a b -`, with line numbers from 0; a message that starts a thread links to itself. */
export const ircLinks = (study: Study, gold: readonly GoldDialogue[]): PackedFile => {
  const files: Record<string, string> = {};
  for (const { dialogue, turns } of gold) {
    const links = turns.flatMap(({ label }, turn) => {
      const parents = [parentOf(label) ?? turn, ...(label?.furtherParents ?? [])];
      return parents.map((parent) => `${parent} ${turn} -\n`);
    });
    // Every message needs a time, and turns have none.
    const said = dialogue.turns.map(
      ({ user, speaker = 'user' }) => `[00:00] <${speaker}> ${user.replaceAll(/\s+/g, ' ')}\n`,
    );
    files[`${dialogue.id}.annotation.txt`] = links.join('');
    files[`${dialogue.id}.ascii.txt`] = said.join('');
  }
  return packed(`${fileName(study.name)}.irc.zip`, files);
};

/** NTM's label format, with the user messages alongside: parents from 1, 0 opens a topic. */
export const ntmLabels = (study: Study, gold: readonly GoldDialogue[]): PackedFile => {
  const labels = gold.map(({ dialogue, turns }) => ({
    conversation_id: dialogue.id,
    parent: turns.map(({ label }) => (parentOf(label) ?? -1) + 1),
    also: Object.fromEntries(
      turns.flatMap(({ label }, turn) =>
        label === null || label.furtherParents.length === 0
          ? []
          : [[turn + 1, label.furtherParents.map((further) => further + 1)]],
      ),
    ),
    disputed: turns.flatMap(({ parentsDiffer }, turn) => (parentsDiffer ? [turn + 1] : [])),
  }));
  const dialogues = gold.map(({ dialogue: { id, turns } }) => ({
    conversation_id: id,
    user_turns: turns.map(({ user }) => ({ content: user })),
  }));
  return packed(`${fileName(study.name)}.ntm.zip`, {
    'ntm/labels.json': `[${labels.map((one) => JSON.stringify(one)).join(',\n')}]\n`,
    'ntm/dialogues.jsonl': dialogues.map((one) => `${JSON.stringify(one)}\n`).join(''),
  });
};
