import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ModelsPage } from '../../app/state.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { PHONE, useMedia } from '../../ui/shell/use-media.ts';
import { AddPage } from './add-page.tsx';
import { KeptPage } from './kept-page.tsx';
import styles from './models.module.css';
import { ModelsNav } from './models-nav.tsx';
import { OverviewPage } from './overview-page.tsx';
import { RolePage } from './role-page.tsx';
import { ServerPage } from './server-page.tsx';
import { type ModelsShown, useModels } from './use-models.ts';

/** Pages on the left, the chosen one beside them; on a phone one after the other. */
export const ModelsDialog = ({ onClose }: { onClose: () => void }) => {
  const { session } = useActions();
  const phone = useMedia(PHONE);
  const asked = useApp((state) => state.session.modelsPage);
  const page = asked ?? (phone ? null : 'overview');
  const shown = useModels();
  const nav = useRef<HTMLElement>(null);
  const beside = useRef<HTMLDivElement>(null);
  const last = useRef(page);

  // On a phone what was touched is gone: the focus goes on with the person, and back to where they came from.
  useEffect(() => {
    const from = last.current;
    last.current = page;
    if (from === page) return;
    if (beside.current !== null) beside.current.scrollTop = 0;
    if (!phone) return;
    if (page !== null) beside.current?.focus();
    else nav.current?.querySelector<HTMLElement>(`[data-page="${from}"]`)?.focus();
  }, [page, phone]);

  const go = (to: ModelsPage) => session({ modelsPage: to });
  return (
    <Dialog title="Models" onClose={onClose} size="pages">
      <div className={styles.pages}>
        {!(phone && page !== null) && <ModelsNav ref={nav} page={page} shown={shown} onGo={go} />}
        {page !== null && (
          <div
            ref={beside}
            className={styles.page}
            tabIndex={phone ? -1 : 0}
            role="region"
            aria-labelledby="models-page"
          >
            {phone && (
              <Button
                look="quiet"
                size="small"
                className={styles.back ?? ''}
                onClick={() => session({ modelsPage: null })}
              >
                <ChevronLeft size={14} aria-hidden />
                All models
              </Button>
            )}
            <Page key={page} page={page} shown={shown} />
          </div>
        )}
      </div>
    </Dialog>
  );
};

const Page = ({ page, shown }: { page: ModelsPage; shown: ModelsShown }) => {
  switch (page) {
    case 'overview':
      return <OverviewPage shown={shown} />;
    case 'add':
      return <AddPage shown={shown} />;
    case 'server':
      return <ServerPage shown={shown} />;
    case 'kept':
      return <KeptPage shown={shown} />;
    default:
      return <RolePage role={page} shown={shown} />;
  }
};
