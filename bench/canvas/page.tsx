import '../../src/ui/theme.css';
import { createRoot } from 'react-dom/client';
import { createStore } from 'zustand/vanilla';
import type { Actions } from '../../src/app/actions.ts';
import { type AppState, initialState } from '../../src/app/state.ts';
import { readyRoles } from '../../src/app/testing/plain-app.ts';
import { fold } from '../../src/domain/apply.ts';
import { syntheticLog } from '../../src/domain/testing/synthetic-forest.ts';
import { AppContext } from '../../src/ui/app-context.ts';
import { ForestCanvas } from '../../src/ui/canvas/forest-canvas.tsx';
import { AllNodes } from './all-nodes.tsx';
import { pan, zoom } from './motion.ts';

/** API for the benchmark runner. */
interface CanvasBench {
  /** Mounts a forest of `turns` turns; resolves to the milliseconds until its active turn's card is on the screen. */
  mount(turns: number, seed: number, how: 'window' | 'all-nodes'): Promise<number>;
  pan(frames: number): Promise<number[]>;
  zoom(frames: number): Promise<number[]>;
}

declare global {
  interface Window {
    bench: CanvasBench;
  }
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

window.bench = {
  pan,
  zoom,
  mount: async (turns, seed, how) => {
    const forest = fold(syntheticLog(turns, seed));
    const store = createStore<AppState>(() => ({
      ...initialState(readyRoles, 'memory'),
      phase: 'ready',
      conversationId: 'c',
      forest,
    }));
    const select: Actions['select'] = (selectedId) =>
      store.setState((state) => ({ session: { ...state.session, selectedId } }));
    const actions = { select } as Actions;
    const card = `[data-id="${forest.active?.nodeId}"]`;
    await nextFrame();
    const start = performance.now();
    createRoot(document.getElementById('root') as HTMLElement).render(
      <AppContext value={{ store, actions, part: () => Promise.reject(new Error('nothing is asked for here')) }}>
        {how === 'window' ? <ForestCanvas /> : <AllNodes forest={forest} />}
      </AppContext>,
    );
    while (document.querySelector(card) === null) await nextFrame();
    await nextFrame();
    return performance.now() - start;
  },
};
