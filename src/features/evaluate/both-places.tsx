import type { EvaluatedDecision } from './evaluation-port.ts';
import { placeWords } from './figure-words.ts';

type Decided = Pick<EvaluatedDecision, 'gold' | 'predicted' | 'disputed'>;

/** Where a turn was labelled and where it was decided to go. `confidence`: of the decision shown; null for none. */
export const BothPlaces = ({
  decision: { gold, predicted, disputed },
  confidence,
}: {
  decision: Decided;
  confidence: number | null;
}) => (
  <>
    <span>
      labelled <b>{placeWords(gold)}</b>
      {disputed && ' (disputed)'}
    </span>
    <span>
      decided <b>{placeWords(predicted)}</b>
      {confidenceWords(confidence)}
    </span>
  </>
);

/** To be added to what was decided; nothing where the decider gave no confidence. */
export const confidenceWords = (confidence: number | null): string =>
  confidence === null ? '' : ` · confidence ${confidence.toFixed(2)}`;
