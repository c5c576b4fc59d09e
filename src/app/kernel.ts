import type { StoreApi } from 'zustand/vanilla';
import type { Handled, Intent } from '../domain/handle.ts';
import type { Engine } from '../engine/engine.ts';
import type { Storage } from '../engine/ports.ts';
import type { AppPorts } from './ports.ts';
import type { AppState, Notice, Problem, Session } from './state.ts';

/** What the parts of the app share. */
export interface Kernel {
  readonly store: StoreApi<AppState>;
  readonly ports: AppPorts;
  storage: Storage;
  /** The engine of the open conversation. */
  engine: Engine;
  /** Carries an intent out on the open conversation: into the log first, then into the store. */
  commit(intent: Intent): Promise<Handled>;
  /** Commits an event as an undo step of its own. */
  does(event: (Intent & { type: 'record' })['event']): Promise<Handled>;
}

/** Who selects one turn selects no other, unless the change says so. */
export const setSession = ({ store }: Kernel, change: Partial<Session>): void => {
  const { selectedId } = change;
  const selection = selectedId === undefined ? {} : { selection: selectedId === null ? [] : [selectedId] };
  store.setState(({ session }) => ({ session: { ...session, ...selection, ...change } }));
};

/** Shows a problem, in place of one with the same id. */
export const report = ({ store }: Kernel, problem: Problem): void =>
  store.setState(({ problems }) => ({ problems: [...problems.filter(({ id }) => id !== problem.id), problem] }));

let notices = 0;
export const notify = ({ store }: Kernel, text: string, action: Notice['action'] = null): void =>
  store.setState({ notice: { id: ++notices, text, action } });

/** Shows what nobody foresaw, so that no failure is silent. */
export const reportUnexpected = (kernel: Kernel, what: string, error: unknown): void => {
  const words = error instanceof Error ? error.message : String(error);
  report(kernel, {
    id: `unexpected-${what}`,
    title: `${what} failed`,
    advice: `${words}. What was there before is kept; try again, or reload the page.`,
    action: null,
  });
};
