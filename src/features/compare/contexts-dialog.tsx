import { ArrowLeft } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Forest, Node } from '../../domain/forest.ts';
import { sentPolicy } from '../../domain/queries.ts';
import type { PolicyContext } from '../../engine/history/past-contexts.ts';
import { withAdvice } from '../../engine/model-failure.ts';
import { useApp, useShownForest, useShowsPast } from '../../ui/app-context.ts';
import { memoryModels, PolicyStructure, useMemory } from '../../ui/canvas/memories/policy-structure.tsx';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { ABOUT_POLICY, PolicyChooser, useComparedPolicies } from '../../ui/parts/policies.tsx';
import { Heading } from '../../ui/parts/text.tsx';
import styles from './compare-table.module.css';
import { CompareProgress, CompareTable } from './compare-table.tsx';
import { useContexts } from './context-rows.ts';

/** What other policies would have sent for the turn in the inspector, side by side. */
export const ContextsDialog = ({ onClose }: { onClose: () => void }) => {
  const forest = useShownForest();
  const selectedId = useApp((state) => state.session.selectedId);
  const then = useShowsPast() ? ' as it was at the moment on the timeline' : '';
  const node = forest.nodes[selectedId ?? ''] ?? forest.nodes[forest.active?.nodeId ?? ''];
  return (
    <Dialog
      size="full"
      title="Compare contexts"
      description={
        node === undefined
          ? 'What each policy would have sent for a turn.'
          : `What each policy would have sent for turn ${node.number}${then}: ${node.message.slice(0, 160)}`
      }
      onClose={onClose}
    >
      {node === undefined ? (
        <p className={styles.note}>No messages yet. Send one first.</p>
      ) : (
        <Contexts key={node.id} forest={forest} node={node} />
      )}
    </Dialog>
  );
};

const Contexts = ({ forest, node }: { forest: Forest; node: Node }) => {
  const sent = sentPolicy(node);
  const names = useComparedPolicies(sent);
  const shown = useContexts(node.id, names);
  const [memoryOf, setMemoryOf] = useState<string | null>(null);
  const beside = useRef<HTMLDivElement>(null);
  const back = () => {
    const from = memoryOf;
    setMemoryOf(null);
    // The element that opened it is back by the next frame.
    requestAnimationFrame(() => beside.current?.querySelector<HTMLElement>(`[data-memory='${from}']`)?.focus());
  };
  const { contexts, failure } = shown;
  return (
    <>
      {memoryOf !== null && (
        <MemoryView
          policy={memoryOf}
          node={node}
          context={contexts.find(({ policy }) => policy === memoryOf) ?? null}
          onBack={back}
        />
      )}
      {/* Stays mounted behind a memory, to preserve expanded rows and the scroll position. */}
      <div ref={beside} className={styles.beside} hidden={memoryOf !== null}>
        <div className={styles.choice}>
          <PolicyChooser sent={sent} />
          <CompareProgress shown={shown} names={names} />
        </div>
        {failure !== null && (
          <p className={styles.note} role="alert">
            Could not build the contexts: {withAdvice(failure, 'Choose an available model in Models and try again.')}
          </p>
        )}
        {sent !== null && ABOUT_POLICY[sent] === undefined && (
          <p className={styles.note}>
            This version of Coppice does not have {sent}, the policy that the turn was sent under. The Context tab of
            the inspector shows what was sent.
          </p>
        )}
        {contexts.length > 0 && (
          <CompareTable contexts={contexts} topic={forest.trees[node.treeId]?.order ?? 0} onMemory={setMemoryOf} />
        )}
      </div>
    </>
  );
};

interface MemoryViewProps {
  readonly policy: string;
  readonly node: Node;
  /** What it sends for the turn, once available. */
  readonly context: PolicyContext | null;
  readonly onBack: () => void;
}

/** A policy's memory before a turn, and what it recalls for the turn. */
const MemoryView = ({ policy, node, context, onBack }: MemoryViewProps) => {
  const { memory } = useMemory(node.id, policy, useApp(memoryModels));
  return (
    <PolicyStructure
      policy={policy}
      memory={memory}
      context={context}
      head={
        <div className={styles.memoryHead}>
          <Button size="small" onClick={onBack} autoFocus>
            <ArrowLeft size={14} aria-hidden />
            All contexts
          </Button>
          <Heading size="large">
            {policy}, before turn {node.number}
          </Heading>
          <p>{ABOUT_POLICY[policy]}</p>
        </div>
      }
    />
  );
};
