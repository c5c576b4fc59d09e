import { Machine } from './machine.tsx';
import { PageHead } from './page-head.tsx';
import { Recommended } from './recommended.tsx';
import type { ModelsShown } from './use-models.ts';

/** One click for everything, and what this machine can do. */
export const OverviewPage = ({ shown }: { shown: ModelsShown }) => (
  <>
    <PageHead title="Overview">
      Four roles, each done by a model. What ships with the page works at once; nothing else is downloaded, and no text
      leaves this browser, unless you choose a model that does.
    </PageHead>
    <Recommended shown={shown} />
    <Machine machine={shown.machine} />
  </>
);
