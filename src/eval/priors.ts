/*
 * What features are taken to be worth before any data, in log-odds for one unit. The labelled sets hold few
 * messages that say outright where they go, and a penalty towards zero let accidents of those few speak louder
 * than the words. So for these the penalty pulls towards what the words mean.
 */

/** Words that open another topic open one; words that return, go on, or refer back do not. */
export const TOPIC_PRIOR: Readonly<Record<string, number>> = {
  'create: opens': 4,
  'create: associates': 0.5,
  'create: returns': -1.5,
  'create: goes on': -0.7,
  'create: refers back': -0.5,
  'create: short reference': -1,
  'create: no content': -1.5,
  'create: wraps up': -1.2,
  'create: revises': -0.8,
  'create: alternative': -0.8,
  'switch: opens': -0.5,
  'switch: returns': 1,
  'target title named': 1.5,
  'target similarity, returns': 1.5,
};

/**
 * Going on is the rule; a branch wants words for it, or a fork point much nearer than the active turn. The sets
 * hold a few dozen forks among thousands of turns.
 */
export const BRANCH_PRIOR: Readonly<Record<string, number>> = {
  'create: bias': -2.5,
  'create: alternative': 0.4,
  'create: alternative asked': 2.6,
  'create: returns': 0.6,
  'create: revises': 0.3,
  'create: ahead of the active turn': 4,
  'create: overlap ahead': 2,
  'create: goes on': -0.8,
  'create: refers back': -0.4,
  'create: wraps up': -1.5,
  'switch: bias': -1,
  'switch: reconsiders': 1.8,
  'switch: returns': 1.2,
  'switch: ahead of the active turn': 5,
  'switch: overlap ahead': 2,
  'switch: goes on': -0.8,
  'switch: refers back': -0.4,
  'switch: wraps up': -1,
};
