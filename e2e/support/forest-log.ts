import { printLog } from '../../src/app/testing/conversation-files.ts';
import type { Intent } from '../../src/domain/handle.ts';
import { Life } from '../../src/domain/testing/random-life.ts';

type Plain = (Intent & { type: 'record' })['event'];

const TITLE = 4;

/** Names of turns, each mapped to its parent's name; null starts a topic. In order of time. */
export type Shape = Readonly<Record<string, string | null>>;

/**
 * A conversation of that shape, as a Coppice export. A turn's message is its name; the reply quotes it. `more` returns
 * further events, given the turns' ids.
 */
export const forestLog = (
  shape: Shape,
  more: (idOf: (name: string) => string) => readonly Plain[] = () => [],
): string => {
  const life = new Life();
  const ids = new Map<string, string>();
  const idOf = (name: string): string => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`no turn ${name}`);
    return id;
  };
  const record = (event: Plain, step: string | null = null) => life.do({ type: 'record', step, event });
  for (const [name, parent] of Object.entries(shape)) {
    const nodeId = life.say(parent === null ? null : idOf(parent), name);
    ids.set(name, nodeId);
    const replyId = life.id();
    record({ type: 'reply-started', nodeId, replyId, model: 'made up', context: null });
    record({ type: 'reply-received', nodeId, replyId, text: `An answer to “${name}”.` });
    record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings: [] });
    record({ type: 'summarised', nodeId, text: `The user said: ${name}`, by: 'made up' });
    const words = name.split(' ');
    const { treeId } = life.forest.nodes[nodeId] ?? {};
    // By the person, so that no edit has it titled anew.
    if (parent === null && treeId !== undefined) {
      record({ type: 'topic-titled', treeId, title: words.slice(-TITLE).join(' '), by: 'person' });
    }
  }
  for (const event of more(idOf)) record(event, life.id());
  return printLog('Made up', life.entries);
};

/** Two topics; the second one is active. */
export const oakAndShip: Shape = { Oak: null, Acorn: 'Oak', Squirrel: 'Acorn', Ship: null, Mast: 'Ship' };
