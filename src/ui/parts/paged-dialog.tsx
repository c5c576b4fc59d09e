import { ChevronLeft, type LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { PHONE, useMedia } from './hooks.ts';
import styles from './paged-dialog.module.css';
import { Ellipsis } from './text.tsx';

/** A page in the list: its name, what it holds, and optionally a mark at its end. */
interface PageItem<P extends string> {
  readonly page: P;
  readonly icon: LucideIcon | ReactNode;
  readonly title: string;
  readonly words: string;
  readonly mark?: ReactNode;
}

/** Related pages; a label names them for screen readers. */
export interface PageGroup<P extends string> {
  readonly label?: string;
  readonly items: readonly PageItem<P>[];
}

interface PagedDialogProps<P extends string>
  extends Pick<DialogProps, 'title' | 'description' | 'onClose' | 'actions'> {
  readonly groups: readonly PageGroup<P>[];
  /** null shows only the list, where the list and the page alternate. */
  readonly page: P | null;
  readonly onPage: (page: P | null) => void;
  /** On a phone the list is a row above the page; with `back`, the list and the page alternate, and it labels the way back. */
  readonly back?: string;
  readonly children: ReactNode;
}

/** A dialog of pages: their list on the left, the chosen one next to it. */
export const PagedDialog = <P extends string>({
  groups,
  page,
  onPage,
  back,
  children,
  ...dialog
}: PagedDialogProps<P>) => {
  const phone = useMedia(PHONE);
  const oneAtATime = phone && back !== undefined;
  const nav = useRef<HTMLElement>(null);
  const beside = useRef<HTMLDivElement>(null);
  const last = useRef(page);

  // Where the list and the page alternate, the pressed element is gone: move the focus along, and back to where it came
  // from.
  useEffect(() => {
    const from = last.current;
    last.current = page;
    if (from === page) return;
    if (beside.current !== null) beside.current.scrollTop = 0;
    if (!oneAtATime) return;
    if (page !== null) beside.current?.focus();
    else nav.current?.querySelector<HTMLElement>(`[data-page="${from}"]`)?.focus();
  }, [page, oneAtATime]);

  return (
    <Dialog size="pages" {...dialog}>
      <div className={styles.pages} data-phone={back === undefined ? 'row' : 'turns'}>
        {!(oneAtATime && page !== null) && (
          <nav ref={nav} aria-label="Pages" className={styles.nav}>
            {groups.map(({ label, items }) => (
              <ul key={items[0]?.page} aria-label={label}>
                {items.map((item) => (
                  <Item key={item.page} item={item} current={item.page === page} onGo={() => onPage(item.page)} />
                ))}
              </ul>
            ))}
          </nav>
        )}
        {page !== null && (
          <div
            ref={beside}
            className={styles.page}
            tabIndex={oneAtATime ? -1 : 0}
            role="region"
            aria-labelledby={PAGE_HEADING}
          >
            {oneAtATime && (
              <Button look="quiet" size="small" className={styles.back ?? ''} onClick={() => onPage(null)}>
                <ChevronLeft size={14} aria-hidden />
                {back}
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </Dialog>
  );
};

const Item = <P extends string>({
  item: { page, icon: Icon, title, words, mark },
  current,
  onGo,
}: {
  item: PageItem<P>;
  current: boolean;
  onGo: () => void;
}) => (
  <li>
    <button
      type="button"
      className={styles.item}
      data-page={page}
      aria-current={current ? 'page' : undefined}
      onClick={onGo}
    >
      {isIcon(Icon) ? <Icon size={14} strokeWidth={1.8} aria-hidden /> : Icon}
      <Ellipsis fit className={styles.title}>
        {title}
      </Ellipsis>
      <Ellipsis fit className={styles.words}>
        {words}
      </Ellipsis>
      {mark}
    </button>
  </li>
);

const isIcon = (icon: LucideIcon | ReactNode): icon is LucideIcon =>
  typeof icon === 'object' && icon !== null && 'render' in icon;

const PAGE_HEADING = 'page-heading';

/** A page's heading, which names its region, and its purpose. */
export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.head}>
    <h3 id={PAGE_HEADING}>{title}</h3>
    {children !== undefined && <p>{children}</p>}
  </div>
);

interface Props {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  /** By name; the first is open initially. */
  readonly pages: Readonly<Record<string, ReactNode>>;
  readonly onTurn?: (name: string) => void;
}

/** Pages shown one at a time, with their names above as tabs. */
export const PageTabs = ({ label, pages, onTurn }: Props) => (
  <Tabs.Root
    defaultValue={Object.keys(pages)[0] ?? ''}
    className={styles.tabs}
    {...(onTurn !== undefined && { onValueChange: onTurn })}
  >
    <Tabs.List aria-label={label} className={styles.tabList}>
      {Object.keys(pages).map((name) => (
        <Tabs.Trigger key={name} value={name}>
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {Object.entries(pages).map(([name, page]) => (
      <Tabs.Content key={name} value={name} tabIndex={-1} className={styles.tabPage}>
        {page}
      </Tabs.Content>
    ))}
  </Tabs.Root>
);
