import { FlaskConical } from 'lucide-react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions } from '../../ui/app-context.ts';
import { Section } from '../../ui/inspector/section.tsx';
import { Button } from '../../ui/parts/button.tsx';

/** Leads from a turn to What if, which then begins with that turn. */
export const AskWhatIf = ({ nodeId }: { nodeId: NodeId }) => {
  const { session } = useActions();
  return (
    <Section title="What if" aside="simulated">
      <Button size="small" onClick={() => session({ dialog: 'what-if', whatIfFrom: nodeId })}>
        <FlaskConical size={13} aria-hidden />
        Decide from here otherwise…
      </Button>
    </Section>
  );
};
