import { isMemory } from '../../ui/parts/policies.tsx';
import styles from './beside-it.module.css';
import type { CompareRun } from './compare-run.ts';
import { useCompare } from './use-compare.ts';

/** Compressors that C-DIC is compared with in its paper, and what is made of a conversation in each. */
const NOT_BUILT = [
  ['ICAE', 'learned memory slots, in place of the text'],
  ['AutoCompressor', 'summary vectors that are fed back into the model'],
  ['LLMLingua', 'tokens dropped by how well a model foresees them'],
  ['InfLLM', 'blocks of a model’s own attention cache'],
  ['C-DIC’s compressor', 'latent states; thread-memory has its rule, with text in their place'],
] as const;

/** What the figures do not show, and what is not here. */
export const BesideIt = ({ run, unit }: { run: CompareRun; unit: string | null }) => {
  const { embed, summarise } = useCompare(run, (state) => state.madeBy);
  const anew = useCompare(run, (state) => state.anew);
  const some = useCompare(run, (state) => state.names.some(isMemory));
  return (
    <div className={styles.beside}>
      <p>
        <b>How to read it.</b> Every policy was given the same turns and the same replies as they were: each context is
        what it would have sent for that turn alone. No reply was written anew, so how good the answers would have been
        is not shown.{' '}
        {anew.length > 0 && (
          <>
            For <i>{anew.join(', ')}</i>, which would have placed turns by another rule than they were, all were placed
            anew.{' '}
          </>
        )}
        {some && 'Memories were made'}
        {some ? ', and what they cost was measured, ' : 'What it cost was measured '}
        with the models that are chosen now: <i>{embed}</i> embeds, <i>{summarise}</i> summarises
        {unit !== null && (
          <>
            , and tokens are counted as <i>{unit}</i> counts them
          </>
        )}
        . Other models give other figures.
      </p>
      <details>
        <summary>Not built: ICAE, AutoCompressor, LLMLingua, InfLLM, and C-DIC’s own compressor</summary>
        <p>They need the weights of a model opened up, which a model that is only asked does not allow:</p>
        <ul>
          {NOT_BUILT.map(([name, about]) => (
            <li key={name}>
              <b>{name}</b>: {about}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
};
