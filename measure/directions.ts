/*
 * What words that say outright what a message does may do to a score: only raise or only lower it. The labelled
 * sets hold few such messages, and accidents of those few would speak louder than the words.
 */
export const DIRECTIONS: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>> = {
  'create-topic': {
    opens: 1,
    associates: 1,
    returns: -1,
    'goes on': -1,
    'refers back': -1,
    'short reference': -1,
    'no content': -1,
    'wraps up': -1,
    'active own overlap': -1,
    'tip similarity': -1,
  },
  'switch-topic': {
    opens: -1,
    returns: 1,
    'target title named': 1,
    'target similarity': 1,
    'target own overlap': 1,
    'target pointed at': 1,
    'active own overlap': -1,
    'tip similarity': -1,
  },
};
