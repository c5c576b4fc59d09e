import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type {
  Choice,
  Machine,
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

/** What the pages of the dialog are made of. */
export interface ModelsState {
  readonly machine: Query<Machine>;
  readonly offers: Query<readonly Offer[]>;
  readonly recommended: Query<RecommendedSet | null>;
  readonly stored: Query<readonly StoredModel[]>;
  readonly settings: Query<ModelSettings>;
  /** Reads all but the machine anew. */
  refresh(): void;
}

export const useModels = (): ModelsState => {
  const { models } = useActions();
  const machine = useQuery((again) => models.probe(again));
  const offers = useQuery(() => models.offers());
  const recommended = useQuery(() => models.recommended());
  const stored = useQuery(() => models.stored());
  const settings = useQuery(() => models.settings());
  const refresh = useMemo(
    () => () => {
      for (const again of [offers.again, recommended.again, stored.again, settings.again]) again();
    },
    [offers.again, recommended.again, stored.again, settings.again],
  );

  // A model that has come or gone changes what is kept, and with it what fits.
  const standing = useApp(({ models: roles }) => ROLES.map((role) => standingOf(roles[role])).join());
  const last = useRef(standing);
  useEffect(() => {
    if (last.current === standing) return;
    last.current = standing;
    refresh();
  }, [standing, refresh]);
  return { machine, offers, recommended, stored, settings, refresh };
};

const standingOf = ({ name, state }: RoleState): string => `${name} ${state === 'busy' ? 'ready' : state}`;

/** An answer that takes a while. While it is asked for anew the last one stands. */
export interface Query<T> {
  readonly value: T | null;
  readonly failure: string | null;
  readonly asking: boolean;
  again(): void;
}

/** Asks when it is first shown, and again when told to; an answer that another question has overtaken is dropped. */
const useQuery = <T>(ask: (again: boolean) => Promise<T>): Query<T> => {
  const [answer, setAnswer] = useState<Omit<Query<T>, 'again'>>({ value: null, failure: null, asking: true });
  const asked = useRef(ask);
  const turn = useRef(0);
  const put = useCallback((again: boolean) => {
    turn.current += 1;
    const mine = turn.current;
    setAnswer((before) => ({ ...before, asking: true }));
    asked.current(again).then(
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
  const again = useCallback(() => put(true), [put]);
  return { ...answer, again };
};

/** Chooses a role's model. Its state tells how that goes, a failure included; one that it does not tell is a problem. */
export const useChoose = (role: Role): ((choice: Choice) => void) => {
  const { models, reportModelFailure } = useActions();
  const state = useAppState();
  return (choice) => {
    models.choose(role, choice).catch((error: unknown) => {
      if (state().models[role].state !== 'failed') reportModelFailure('Choosing the model', error);
    });
  };
};

export interface Task {
  readonly busy: boolean;
  /** Why the last one failed; null while another is under way. */
  readonly failure: string | null;
  /** Resolves to whether it was done. */
  run(task: () => Promise<unknown>): Promise<boolean>;
}

/** Something asked of the models. Its failure is shown where this is; once that is gone, as a problem. */
export const useTask = (what: string): Task => {
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
