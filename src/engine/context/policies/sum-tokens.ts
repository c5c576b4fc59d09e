import type { Segment } from '../../../domain/context.ts';

export const sumTokens = (segments: readonly Segment[]): number =>
  segments.reduce((total, { tokens }) => total + tokens, 0);
