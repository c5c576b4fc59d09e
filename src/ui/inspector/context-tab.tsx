import { Columns3 } from 'lucide-react';
import type { Forest, Node } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import contextCss from './context.module.css';
import { ContextView } from './context-view.tsx';
import frameCss from './inspector.module.css';
import sectionCss from './section.module.css';
import { SinceBefore } from './since-before.tsx';
import { useShownContext } from './use-shown-context.ts';

interface Props {
  readonly forest: Forest;
  readonly node: Node;
}

/** What was sent for the turn's reply: the one that counts, where there are several. */
export const ContextTab = ({ forest, node }: Props) => {
  const { select, session } = useActions();
  const reply = replyOf(node);
  const shown = useShownContext(reply);
  if (reply === null) return <p className={frameCss.empty}>Nothing has been sent for this turn yet.</p>;
  const given = reply.model === 'given' || shown === null;
  const compare = () => {
    select(node.id);
    session({ dialog: 'contexts' });
  };
  return (
    <>
      {given && (
        <p className={sectionCss.banner}>
          {reply.model === 'given' ? 'The reply was given with the dialogue; nothing was sent.' : 'Nothing was sent.'}
          {shown !== null && ' This is what a chat model would have been sent.'}
        </p>
      )}
      <p className={contextCss.compare}>
        <Button size="small" onClick={compare}>
          <Columns3 size={14} aria-hidden />
          Compare contexts
        </Button>
      </p>
      {shown !== null && (
        <ContextView key={reply.id} title={given ? 'Would be sent' : 'Sent'} now={forest} shown={shown} node={node}>
          <SinceBefore now={forest} node={node} shown={shown} />
        </ContextView>
      )}
    </>
  );
};
