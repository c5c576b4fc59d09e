import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../../ui/parts/button.tsx';
import styles from './panel.module.css';

/** What a choice leads to, beside the matrices or over them where it is narrow. It takes the focus as it opens. */
export const Panel = ({
  label,
  title,
  facts,
  onBack,
  onClose,
  children,
}: {
  label: string;
  title: ReactNode;
  facts: ReactNode;
  onBack?: () => void;
  onClose: () => void;
  children: ReactNode;
}) => {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={panel} aria-label={label} tabIndex={-1} className={styles.panel}>
      <header className={styles.head}>
        {onBack !== undefined && <IconButton label="Back to the list" icon={ArrowLeft} onClick={onBack} />}
        <div>
          <h4>{title}</h4>
          <p>{facts}</p>
        </div>
        <IconButton label="Close the examples" icon={X} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={`${label}, content`}>
        {children}
      </div>
    </section>
  );
};
