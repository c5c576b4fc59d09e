import type { LabelledTurn } from './labelled-dialogue.ts';

export interface Utterance {
  readonly speaker: string;
  readonly text: string;
  /** When it was said, in milliseconds since 1970; left out where nobody knows. */
  readonly at?: number;
}

export interface Paired {
  readonly turns: readonly LabelledTurn[];
  /** By session and utterance, the index of the turn it is in; null for a blank utterance. */
  readonly turnOf: readonly (readonly (number | null)[])[];
}

/** Between utterances of one speaker that follow each other, as if they had been one. */
const JOINT = '\n';

/**
 * The turns of a chat of two people, session by session: whoever opens a session gives the messages, what anyone
 * else says to one is the reply. Utterances of one of them that follow each other are one. A turn never
 * spans two sessions, and a session's last one may lack its reply. Blank utterances are left out.
 */
export const pairUp = (sessions: readonly (readonly Utterance[])[]): Paired => {
  const turns: { message: string; reply: string | null; parent: null; disputed: false; at?: number }[] = [];
  const turnOf = sessions.map((session) => {
    const opener = session.find(({ text }) => text.trim() !== '')?.speaker;
    let turn: (typeof turns)[number] | undefined;
    return session.map(({ speaker, text, at }): number | null => {
      if (text.trim() === '') return null;
      if (turn !== undefined && speaker !== opener) {
        turn.reply = turn.reply === null ? text : turn.reply + JOINT + text;
      } else if (turn !== undefined && turn.reply === null) {
        turn.message += JOINT + text;
      } else {
        turn = { message: text, reply: null, parent: null, disputed: false, ...(at !== undefined && { at }) };
        turns.push(turn);
      }
      return turns.length - 1;
    });
  });
  return { turns, turnOf };
};
