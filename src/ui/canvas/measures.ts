/** Lengths on the canvas in pixels at a zoom of 1. Cards have one size, so a layout needs no measuring. */
export const CARD = { width: 184, height: 76 };
/** Between a card and the one under it. */
export const ROW_GAP = 28;
/** Between siblings. */
export const SIBLING_GAP = 16;
/** Distance between cards of different parents, in siblings' distances. */
export const COUSIN_SEPARATION = 1.15;
/** Room above a root for its topic's title. */
export const TITLE_HEIGHT = 32;
export const TOPIC_GAP = 40;
export const SHELF_GAP = 80;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below this zoom words cannot be read: cards give way to an overview that is drawn. */
export const OVERVIEW_ZOOM = 0.4;
/** Below this zoom cards show fewer and larger words. */
export const WORDS_ZOOM = 0.68;
/** Below this zoom single cards cannot be told apart: straight runs are drawn as trunks. */
export const TRUNK_ZOOM = 0.09;
export const MAX_ZOOM = 2;
