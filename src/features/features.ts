import { analysis } from './analysis/feature.ts';
import { compare } from './compare/feature.ts';
import { deleted } from './deleted/feature.ts';
import { edits } from './edits/feature.ts';
import { evaluate } from './evaluate/feature.ts';
import { exchange } from './exchange/feature.ts';
import { installed } from './installed/feature.ts';
import { models } from './models/feature.ts';
import { palette } from './palette/feature.ts';
import { personas } from './personas/feature.ts';
import { present } from './present/feature.ts';
import { search } from './search/feature.ts';
import { settings } from './settings/feature.ts';
import { share } from './share/feature.ts';
import { shortcuts } from './shortcuts/feature.ts';
import { studies } from './studies/feature.ts';
import { tour } from './tour/feature.ts';
import { whatIf } from './what-if/feature.ts';

/** Every feature of the page, in the order of their buttons and commands. */
export const features = [
  search,
  palette,
  exchange,
  share,
  present,
  models,
  personas,
  deleted,
  edits,
  shortcuts,
  tour,
  compare,
  settings,
  analysis,
  whatIf,
  evaluate,
  studies,
  installed,
] as const;

declare module '../app/features.ts' {
  interface FeatureRegistry {
    readonly features: typeof features;
  }
}
