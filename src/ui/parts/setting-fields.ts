import { NUMBERS, type NumberName } from '../../app/saved-settings.ts';
import { typedNumber, typedWhole } from './format.ts';

/** A number setting, as presented to the user. */
export interface NumberField {
  readonly kind: 'number';
  readonly name: NumberName;
  readonly label: string;
  /** What it does, in plain words. */
  readonly words: string;
  readonly unit: string;
  /** How many of the stored unit make one displayed unit; 1 if absent. */
  readonly per?: number;
  /** What an empty field means, if it may be empty. */
  readonly nothing?: string;
}

export interface FlagField {
  readonly kind: 'flag';
  readonly name: 'spareDirectParent' | 'fittedNeed';
  readonly label: string;
  readonly words: string;
}

export type SettingField = NumberField | FlagField;

/** Where a field says what kind of number it takes: no units, and not repeated beside a value. */
const KINDS_OF_NUMBER: readonly string[] = ['0 to 1', 'cosine', 'score'];

const number = (
  name: NumberName,
  label: string,
  unit: string,
  words: string,
  more: Pick<NumberField, 'per' | 'nothing'> = {},
): NumberField => ({ kind: 'number', name, label, unit, words, ...more });

export const SETTING_GROUPS: readonly {
  readonly title: string;
  readonly words: string;
  readonly fields: readonly SettingField[];
}[] = [
  {
    title: 'Where a turn goes',
    words: 'Used when a message is placed.',
    fields: [
      number(
        'theta',
        'θ, the fork threshold',
        'cosine',
        'How similar an earlier turn must be to the message before the decider is asked whether to fork there. The embedded decider costs nothing to ask and is asked whatever the similarity, so θ only matters to other deciders and under context-agent-code.',
        { nothing: 'the embedder’s own' },
      ),
      number(
        'k',
        'k, the turns kept in the trace',
        'turns',
        'How many of the most similar turns a decision’s trace keeps and the inspector lists. It changes no decision.',
      ),
      {
        kind: 'flag',
        name: 'spareDirectParent',
        label: 'Skip the direct parent',
        words:
          'However similar the active turn’s parent is, no decider is asked because of it, unless the message revises something. A decider that is asked may still fork there; the embedded one is asked anyway. No effect under context-agent-code and context-agent-without-rag.',
      },
      number(
        'sureFrom',
        'Confidence threshold',
        '0 to 1',
        'Answers less likely than this count as unsure. The model chosen for such cases is then asked, and the line under the message offers other places.',
      ),
      number(
        'reconsiderFrom',
        'Threshold for moving after the reply',
        '0 to 1',
        'After the reply, the embedded decider reviews where the message went. If it is at least this sure that the message belongs to another topic, the turn moves there, and the line under the message says so. Replies by recall have no effect.',
        { nothing: 'never' },
      ),
      number(
        'patience',
        'Model timeout',
        'seconds',
        'How long to wait for a model’s decision, summary or embedding before using the embedded model instead.',
        { per: 1000 },
      ),
    ],
  },
  {
    title: 'What is sent',
    words: 'What goes to the chat model. A field that is not for every policy says so.',
    fields: [
      number(
        'overviewBudget',
        'Overview budget',
        'tokens',
        'For the context-agent policies: how much the summaries of all other branches and topics may take together. 0 sends none of them.',
      ),
      number(
        'overviewLineBudget',
        'Overview budget per line',
        'tokens',
        'For the context-agent policies: how much of the overview one branch or topic may take.',
      ),
      number(
        'pathShare',
        'Path budget',
        'share',
        'For focused: the share of the whole conversation that the path may take, without its last exchange. A path that is a quarter longer is cut to half of this budget.',
      ),
      number(
        'pathFloor',
        'Minimum path budget',
        'tokens',
        'For focused: the path is not cut back while it uses no more than this besides its last exchange.',
      ),
      {
        kind: 'flag',
        name: 'fittedNeed',
        label: 'Need estimated by the trained model',
        words:
          'For focused: how likely the message is to need an earlier turn is estimated by a small model trained on everyday talk. Off: by a rule.',
      },
      number(
        'neededFrom',
        'Fetch threshold',
        'need per 100 tokens',
        'For focused: how likely a message must be to need a turn off the path for it to be fetched, per 100 tokens of that turn. Lower values fetch more.',
        { nothing: 'never' },
      ),
      number(
        'unsureBudget',
        'Budget for fetched turns',
        'tokens',
        'For focused: how many tokens fetched turns may take together.',
      ),
      number(
        'replyReserve',
        'Reserved for the reply',
        'tokens',
        'For all policies: part of the chat model’s window. A length set in Reply settings takes precedence.',
      ),
    ],
  },
  {
    title: 'For comparisons',
    words:
      'Keeps policies to the same size. Used for new messages; Compare takes what each turn was sent with, and What if tries other values.',
    fields: [
      number('lastTurns', 'Turns of truncation', 'turns', 'How many of the latest turns truncation sends.'),
      number(
        'retrievedTurns',
        'Turns of flat-rag',
        'turns',
        'How many of the turns found are sent by flat-rag (or vector-rag).',
      ),
      number(
        'contextBudget',
        'Tokens of the context',
        'tokens',
        'Limits the context of every policy, without the instructions and the message. If set, truncation, flat-rag and vector-rag send as many turns as fit, instead of a fixed number.',
        { nothing: 'as the policy sends' },
      ),
    ],
  },
  {
    title: 'For memories',
    words: 'Used by the memories of other papers.',
    fields: [
      number(
        'memoryK',
        'Recalled items, k of memories',
        'at most',
        'How many nodes, turns or notes MemTree, RAPTOR, MemoryStream, MemoryBank and DH-RAG recall per message.',
        { nothing: 'as in its source' },
      ),
      number(
        'threadDecay',
        'Thread memory: α',
        'per turn',
        'How fast a slot fades when it is not retrieved. At 0.001, it keeps 0.82 of its score over 196 turns.',
      ),
      number(
        'threadThreshold',
        'Thread memory: τ',
        'score',
        'The minimum score to retrieve a slot and revise it instead of starting a new one. Lower values create fewer slots.',
        { nothing: 'half of the embedder’s θ' },
      ),
      number(
        'memtreeThreshold',
        'MemTree: θ₀',
        'cosine',
        'How similar a turn must be to a node at the root to be inserted below it. Deeper nodes require more.',
      ),
    ],
  },
];

export const FIELDS: readonly SettingField[] = SETTING_GROUPS.flatMap(({ fields }) => fields);

const plain = (value: number): string => String(Number(value.toPrecision(12)));

/** A value as it is typed. */
export const inputValue = ({ name, per = 1 }: NumberField, value: number | null): string =>
  value === null || value === NUMBERS[name].none ? '' : plain(value / per);

/** A value as it is displayed. */
export const displayValue = (field: NumberField, value: number | null): string =>
  inputValue(field, value) === '' ? (field.nothing ?? '') : inputValue(field, value);

/** A setting's value as it is read, with the unit of its field: `20 seconds`, `480 tokens`, `0.65`, `never`, `no`. */
export const settingWords = (field: SettingField, value: number | boolean | null): string => {
  if (field.kind === 'flag') return value === true ? 'yes' : 'no';
  const number = value as number | null;
  const written = inputValue(field, number);
  if (written === '' || KINDS_OF_NUMBER.includes(field.unit)) return displayValue(field, number);
  return `${written} ${written === '1' ? field.unit.replace(/s$/, '') : field.unit}`;
};

/** Parses what was typed, or says what can be typed instead. */
export const readNumber = (
  field: NumberField,
  text: string,
): { ok: true; value: number | null } | { ok: false; words: string } => {
  const { none } = NUMBERS[field.name];
  if (text.trim() === '' && none !== undefined) return { ok: true, value: none };
  const { least, most, whole } = NUMBERS[field.name];
  const { per = 1 } = field;
  const typed = whole && per === 1 ? typedWhole(text) : typedNumber(text);
  const value = Number((typed * per).toPrecision(12));
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return { ok: true, value };
  return { ok: false, words: rangeWords(field) };
};

/** The allowed input, as a sentence. */
export const rangeWords = (field: NumberField): string => {
  const { least, most, whole } = NUMBERS[field.name];
  const { per = 1, nothing } = field;
  const kind = whole && per === 1 ? 'A whole number' : 'A number';
  const or = nothing === undefined ? '' : `, or nothing for ${nothing}`;
  return `${kind} from ${plain(least / per)} to ${(most / per).toLocaleString('en')}${or}.`;
};

/** `1–50`, `0–1 or nothing`: the allowed input, shown next to the field. */
export const rangeShort = (field: NumberField): string => {
  const { least, most } = NUMBERS[field.name];
  const { per = 1, nothing } = field;
  const range = `${plain(least / per)}–${(most / per).toLocaleString('en')}`;
  return nothing === undefined ? range : `${range}; empty: ${nothing}`;
};
