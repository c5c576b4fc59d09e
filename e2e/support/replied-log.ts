import { printLog } from '../../src/app/testing/conversation-files.ts';
import type { EventOf } from '../../src/domain/event-kinds.ts';
import { Life } from '../../src/domain/testing/random-life.ts';

type ReplyEnded = EventOf<'reply-ended'>;

export interface Replied {
  readonly message: string;
  readonly reply: string;
  /** The model that wrote it; a language model if absent. */
  readonly model?: string;
  readonly state?: ReplyEnded['state'];
  readonly failure?: string;
  readonly timings?: ReplyEnded['timings'];
  readonly usage?: ReplyEnded['usage'];
}

/** A conversation of one topic with these replies, as a Coppice export. */
export const repliedLog = (turns: readonly Replied[]): string => {
  const life = new Life();
  const record = (event: Parameters<typeof life.do>[0] & { type: 'record' }) => life.do(event);
  let parent: string | null = null;
  for (const { message, reply, model = 'Small-1B (made up)', state = 'done', failure, timings = [], usage } of turns) {
    const nodeId: string = life.say(parent, message);
    const replyId = life.id();
    const write = (event: (Parameters<typeof record>[0] & { type: 'record' })['event']) =>
      record({ type: 'record', step: null, event });
    write({ type: 'reply-started', nodeId, replyId, model, context: null });
    if (reply !== '') write({ type: 'reply-received', nodeId, replyId, text: reply });
    const end = { type: 'reply-ended', nodeId, replyId, state, failure: failure ?? null, timings } as const;
    write(usage === undefined ? end : { ...end, usage });
    write({ type: 'summarised', nodeId, text: `The user said: ${message}`, by: 'made up' });
    const { treeId } = life.forest.nodes[nodeId] ?? {};
    if (parent === null && treeId !== undefined) write({ type: 'topic-titled', treeId, title: message, by: 'engine' });
    parent = nodeId;
  }
  return printLog('Made up', life.entries);
};

export const thinking =
  '<think>\nThe user asks for a number.\n\nSix times seven is forty-two.\n</think>\n\nIt is **42**.';

export const code = `Read the file line by line:

\`\`\`python
# Broken lines are counted and skipped.
import csv

def rows(path: str, skip: bool = True) -> list[dict]:
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if not skip or None not in row.values()]

print(len(rows("orders.csv")), "rows", 3.14)
\`\`\`

Then run it:

\`\`\`sh
python3 rows.py | sort -u
\`\`\`
`;

/** What a model with two hundred tokens per second would report. */
export const paced = {
  timings: [
    { step: 'context', start: 0, ms: 3 },
    { step: 'first token', start: 3, ms: 800 },
    { step: 'reply', start: 3, ms: 4800 },
  ],
  usage: { prefilled: 412, reused: 1204, generated: 101 },
};

export const failed = {
  reply: 'The best way to begin is',
  state: 'failed' as const,
  failure: 'The GPU was lost while it wrote. Try again, or choose a smaller model.',
};
