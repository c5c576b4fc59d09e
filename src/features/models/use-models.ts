import { useEffect, useMemo, useRef } from 'react';
import type { Machine, ModelSettings, Offer, RecommendedSet, RoleState, StoredModel } from '../../app/model-control.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { ROLES } from '../../ui/parts/model-words.ts';
import { type Asked, useAsked } from './use-asked.ts';

/** What the pages of the dialog are made of. */
export interface ModelsShown {
  readonly machine: Asked<Machine>;
  readonly offers: Asked<readonly Offer[]>;
  readonly recommended: Asked<RecommendedSet | null>;
  readonly stored: Asked<readonly StoredModel[]>;
  readonly settings: Asked<ModelSettings>;
  /** Reads all but the machine anew. */
  refresh(): void;
}

export const useModels = (): ModelsShown => {
  const { models } = useActions();
  const machine = useAsked((again) => models.probe(again));
  const offers = useAsked(() => models.offers());
  const recommended = useAsked(() => models.recommended());
  const stored = useAsked(() => models.stored());
  const settings = useAsked(() => models.settings());
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
