import { emptyForest, type Forest } from '../domain/forest.ts';
import { ModelFailure } from '../engine/model-failure.ts';
import { type Kernel, reportUnexpected } from './kernel.ts';

/**
 * Keeps `nextTokens` right: counted anew when a turn has ended, or the active node, system prompt,
 * tokenizer or the engine's settings are others.
 */
export const keepCounting = (kernel: Kernel): void => {
  const { store } = kernel;
  let counted = { ...emptyForest(), unit: '', settings: 0 };
  const unit = () => kernel.ports.models().chat.tokens.name;
  // Whatever is edited may change what the next message is sent.
  const steps = ({ past }: Forest['history']) => past.at(-1)?.id;
  const stands = ({ active, replySettings, history }: Forest) =>
    active === counted.active &&
    replySettings === counted.replySettings &&
    steps(history) === steps(counted.history) &&
    unit() === counted.unit &&
    store.getState().settings.current === counted.settings;

  const count = async () => {
    const { forest, turn } = store.getState();
    if (turn !== null || stands(forest)) return;
    counted = { ...forest, unit: unit(), settings: store.getState().settings.current };
    const nextTokens = await kernel.engine.nextTokens();
    if (stands(store.getState().forest)) store.setState({ nextTokens });
  };
  const recount = () =>
    void count().catch((error) => {
      // The model that counts is gone, which its state says; the next thing that happens counts anew.
      if (error instanceof ModelFailure) counted = { ...counted, unit: '' };
      else reportUnexpected(kernel, 'Counting tokens', error);
    });
  store.subscribe(recount);
  recount();
};
