import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type {
  Machine,
  ModelChoice,
  ModelSettings,
  Offer,
  RecommendedSet,
  RoleState,
  StoredModel,
} from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { errorMessage, ModelFailure } from '../../engine/model-failure.ts';
import { useActions, useApp, useAppState } from '../../ui/app-context.ts';
import { ROLES } from '../../ui/parts/model-words.ts';

/** The data shown on the pages of the dialog. */
export interface ModelsState {
  readonly machine: Query<Machine>;
  readonly offers: Query<readonly Offer[]>;
  readonly recommended: Query<RecommendedSet | null>;
  readonly stored: Query<readonly StoredModel[]>;
  readonly settings: Query<ModelSettings>;
  /** The addresses of the servers whose key is kept on this machine. */
  readonly serversWithKey: Query<readonly string[]>;
  /** Reloads everything, except for testing the machine again. */
  refresh(): void;
}

export const useModels = (): ModelsState => {
  const { models } = useActions();
  const machine = useQuery((fresh) => models.probe(fresh));
  const offers = useQuery(() => models.offers());
  const recommended = useQuery(() => models.recommended());
  const stored = useQuery(() => models.stored());
  const settings = useQuery(() => models.settings());
  const serversWithKey = useQuery(() => models.serversWithKey());
  const refresh = useMemo(
    () => () => {
      machine.refresh();
      for (const reload of [offers.reload, recommended.reload, stored.reload, settings.reload, serversWithKey.reload])
        reload();
    },
    [machine.refresh, offers.reload, recommended.reload, stored.reload, settings.reload, serversWithKey.reload],
  );

  // A model that was added or removed changes what is stored, and therefore what fits.
  const standing = useApp(({ models: roles }) => ROLES.map((role) => standingOf(roles[role])).join());
  const last = useRef(standing);
  useEffect(() => {
    if (last.current === standing) return;
    last.current = standing;
    refresh();
  }, [standing, refresh]);
  return { machine, offers, recommended, stored, settings, serversWithKey, refresh };
};

const standingOf = ({ name, state }: RoleState): string => `${name} ${state === 'busy' ? 'ready' : state}`;

/** A slow answer. The last one stays available while it is requested again. */
export interface Query<T> {
  readonly value: T | null;
  readonly failure: string | null;
  readonly asking: boolean;
  reload(): void;
  /** As `reload`, but what takes long to find out may come from a cache. */
  refresh(): void;
}

/** Asks on first display, and again on request; an answer overtaken by a newer request is dropped. */
const useQuery = <T>(ask: (fresh: boolean) => Promise<T>): Query<T> => {
  const [answer, setAnswer] = useState<Omit<Query<T>, 'reload' | 'refresh'>>({
    value: null,
    failure: null,
    asking: true,
  });
  const asked = useRef(ask);
  const turn = useRef(0);
  const put = useCallback((fresh: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    if (fresh) setAnswer((before) => ({ ...before, asking: true }));
    asked.current(fresh).then(
      (value) => mine === turn.current && setAnswer({ value, failure: null, asking: false }),
      (error: unknown) =>
        mine === turn.current &&
        setAnswer(({ value }) => ({
          value,
          failure: errorMessage(error),
          asking: false,
        })),
    );
  }, []);
  useEffect(() => {
    put(false);
    return () => {
      turn.current += 1;
    };
  }, [put]);
  const reload = useCallback(() => put(true), [put]);
  const refresh = useCallback(() => put(false), [put]);
  return { ...answer, reload, refresh };
};

/** Chooses a role's model. The role's state reports the progress and any failure; other failures are reported as a problem. */
export const useChoose = (role: Role): ((choice: ModelChoice) => void) => {
  const { models, reportModelFailure } = useActions();
  const state = useAppState();
  return (choice) => {
    models.choose(role, choice).catch((error: unknown) => {
      if (state().models[role].state !== 'failed') reportModelFailure('Choosing the model', error);
    });
  };
};

export interface TaskState {
  readonly busy: boolean;
  /** Why the last task failed; null while another is running. */
  readonly failure: string | null;
  /** Resolves to whether it succeeded. */
  run(task: () => Promise<unknown>): Promise<boolean>;
}

/** Runs a task on the models. A failure is shown by the component that started it, or as a problem if that is gone. */
export const useTask = (what: string): TaskState => {
  const { reportModelFailure } = useActions();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const run = async (task: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await task();
      return true;
    } catch (error) {
      if (!shown.current) reportModelFailure(what, error);
      else if (!(error instanceof ModelFailure && error.kind === 'closed')) {
        setFailure(errorMessage(error));
      }
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
};
