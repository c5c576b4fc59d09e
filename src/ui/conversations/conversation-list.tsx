import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  Archive,
  ArchiveRestore,
  ChevronRight,
  Drama,
  Ellipsis,
  Folder,
  FolderMinus,
  FolderPlus,
  PanelLeftClose,
  PanelLeftDashed,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Tag,
  Trash2,
  X,
} from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { type ConversationMeta, filingOf } from '../../engine/storage.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useBack, useFocusGivenBack } from '../parts/dialog.tsx';
import { SearchField, Segmented, TitleField } from '../parts/fields.tsx';
import { count, counted, timeAgo } from '../parts/format.ts';
import { PHONE, useEditing, useFocusAfterRemoval, useMedia, useNow, withFocusedRow } from '../parts/hooks.ts';
import { afterMenu, Menu, MenuChoice, MenuItem, MenuSeparator, Submenu } from '../parts/menu.tsx';
import { Heading } from '../parts/text.tsx';
import styles from './conversation-list.module.css';
import { conversationListRows, type ListRow, noMatch, tagsFrom, withoutTags } from './rows.ts';

/** Heights of a row and of its heading, in pixels; must match the stylesheet. */
const ROW = 48;
const HEADING = 30;
const FOLDER = 34;
/** How many tags are offered above the list: one or two lines. */
const TAGS_SHOWN = 8;

const heightOf = (row: ListRow | undefined): number =>
  row?.kind === 'folder' ? FOLDER : ROW + (row?.heading == null ? 0 : HEADING);

/** All conversations in the user's order, with a filter. */
export const ConversationList = ({ docked }: { docked: boolean }) => {
  const { session, newConversation } = useActions();
  const phone = useMedia(PHONE);
  // A streaming reply changes the list every second: typing takes priority.
  const conversations = useDeferredValue(useApp((state) => state.conversations));
  const deleted = useApp((state) => state.deleted.length);
  const closed = useApp((state) => state.session.closedFolders);
  const [filter, setFilter] = useState('');
  const [archive, setArchive] = useState(false);
  const now = useNow();
  const list = useMemo(
    () => conversationListRows(conversations, { filter, archive, closed, now }),
    [conversations, filter, archive, closed, now],
  );
  const filtered = filter.trim() !== '';
  const inMessages = withoutTags(filter, list.tags);
  return (
    <>
      <div className={styles.head}>
        <Heading level={2} className={styles.heading}>
          Conversations
        </Heading>
        <Button
          size="small"
          onClick={() => {
            // On a phone it would cover what was begun.
            if (!docked) session({ dialog: null });
            void newConversation();
          }}
        >
          <Plus size={14} aria-hidden />
          New
        </Button>
        {!phone && (
          <IconButton
            label="Keep the list open"
            icon={docked ? PanelLeftClose : PanelLeftDashed}
            size="small"
            aria-pressed={docked}
            // Either way it is opened anew, and takes the focus.
            onClick={() => session({ listStays: docked ? 'no' : 'folded', dialog: 'conversations' })}
          />
        )}
        <IconButton
          label="Close"
          icon={X}
          size="small"
          onClick={() => session(docked ? { listStays: 'folded' } : { dialog: null })}
        />
      </div>
      <div className={styles.tools}>
        <SearchField label="Filter conversations" value={filter} onChange={setFilter} />
        {list.tags.length > 0 && <TagFilter tags={list.tags} filter={filter} onFilter={setFilter} />}
        {list.switches && (
          <Segmented
            label="Show"
            options={[
              { value: 'list', label: 'List' },
              { value: 'archive', label: `Archive · ${count(list.archived)}`, icon: <Archive size={12} aria-hidden /> },
            ]}
            value={archive ? 'archive' : 'list'}
            onChange={(which) => setArchive(which === 'archive')}
          />
        )}
      </div>
      <Rows rows={list.rows} folders={list.folders} now={now} />
      <p className={styles.none} aria-live="polite">
        {list.rows.length > 0
          ? ''
          : filtered
            ? noMatch(list.elsewhere, { archive, inMessages })
            : archive
              ? 'The archive is empty.'
              : NO_CONVERSATIONS}
      </p>
      <div className={styles.foot}>
        {inMessages !== '' && (
          <Button size="small" onClick={() => session({ dialog: 'search', with: inMessages })}>
            Search in all messages
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => session({ dialog: 'personas' })}>
          <Drama size={14} aria-hidden />
          Personas…
        </Button>
        {deleted > 0 && (
          <Button
            size="small"
            look="quiet"
            onClick={() => session({ dialog: 'deleted', backTo: docked ? null : 'conversations' })}
          >
            <Trash2 size={14} aria-hidden />
            Recently deleted ({count(deleted)})
          </Button>
        )}
      </div>
    </>
  );
};

const NO_CONVERSATIONS = 'No conversations yet. What you write or play is saved here, in this browser only.';

const TagFilter = ({
  tags,
  filter,
  onFilter,
}: {
  tags: readonly string[];
  filter: string;
  onFilter: (filter: string) => void;
}) => {
  const words = filter.split(/\s+/).filter((word) => word !== '');
  return (
    <div role="group" aria-label="Tags" className={styles.tags}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => {
        const on = words.some((word) => word.toLowerCase() === `#${tag.toLowerCase()}`);
        const others = words.filter((word) => word.toLowerCase() !== `#${tag.toLowerCase()}`);
        return (
          <button
            key={tag}
            type="button"
            className={styles.tag}
            aria-pressed={on}
            onClick={() => onFilter((on ? others : [...words, `#${tag}`]).join(' '))}
          >
            #{tag}
          </button>
        );
      })}
    </div>
  );
};

/** Mounts only the visible rows and the focused one: there may be thousands. */
const Rows = ({ rows, folders, now }: { rows: readonly ListRow[]; folders: readonly string[]; now: number }) => {
  const openId = useApp((state) => state.conversationId);
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => rows.map(keyOf), [rows]);
  const getItemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    // A different list is measured again; the same one is not.
    getItemKey,
    overscan: 8,
    rangeExtractor: (range: Range) =>
      withFocusedRow(defaultRangeExtractor(range), scroller.current, (key) => keys.indexOf(key)),
  });
  const focus = ({ index }: { index: number }) => {
    virtual.scrollToIndex(index);
    return requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-main]`)?.focus(),
    );
  };
  const noteFocus = useFocusAfterRemoval(keys, scroller, focus);
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    // It has opened a row's menu.
    if (event.defaultPrevented) return;
    const item = itemOf(event.target);
    if (item === null || (event.target as HTMLElement).tagName === 'INPUT') return;
    const at = Number(item.dataset.index);
    const press = (name: string) => item.querySelector<HTMLElement>(`[data-action="${name}"]`)?.click();
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined && to >= 0 && to < rows.length) focus({ index: to });
    else if (event.key === 'F2') press('rename');
    // A key that is held down deletes once.
    else if (event.key === 'Delete') event.repeat || press('delete');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={scroller} className={styles.scroller} data-empty={rows.length === 0}>
      <datalist id="conversation-folders">
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <ul
        aria-label="Conversations"
        className={styles.list}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={walk}
        onFocus={({ target }) => {
          const item = itemOf(target);
          noteFocus(item && { index: Number(item.dataset.index) });
        }}
        // The focus has gone elsewhere, not with its row.
        onBlur={({ relatedTarget }) => relatedTarget !== null && noteFocus(null)}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              data-index={index}
              data-row={key}
              className={styles.place}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              {row.kind === 'folder' ? (
                <FolderItem row={row} />
              ) : (
                <>
                  {row.heading !== null && <h3 className={styles.group}>{row.heading}</h3>}
                  <ConversationItem
                    meta={row.meta}
                    current={row.meta.id === openId}
                    inFolder={row.inFolder}
                    folders={folders}
                    ago={timeAgo(row.meta.updatedAt, now)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
};

const keyOf = (row: ListRow): string => (row.kind === 'folder' ? `folder ${row.folder}` : row.meta.id);

/** The row that an element is in. */
const itemOf = (target: EventTarget): HTMLElement | null => (target as HTMLElement).closest('[data-index]');

/** The field of a conversation that is being edited. */
type EditedField = 'title' | 'folder' | 'tags';

interface Props {
  readonly meta: ConversationMeta;
  readonly current: boolean;
  readonly inFolder: boolean;
  readonly folders: readonly string[];
  /** When it was last changed, in words. */
  readonly ago: string;
}

const ConversationItem = memo(({ meta, current, inFolder, folders, ago }: Props) => {
  const actions = useActions();
  const stays = useApp(({ session }) => session.dialog !== 'conversations');
  const { editing, setEditing, finish, main } = useEditing<EditedField>();
  const title = meta.title || 'Untitled';
  const { pinned, tags } = filingOf(meta);

  const open = () => {
    actions.session({ ...(stays ? {} : { dialog: null }), pane: 'chat' });
    if (!current) void actions.openConversation(meta.id);
  };
  return (
    <div className={styles.item} data-current={current} data-in-folder={inFolder}>
      {editing !== null ? (
        <EditField meta={meta} title={title} what={editing} onDone={finish} />
      ) : (
        <>
          <button
            type="button"
            className={styles.open}
            ref={main}
            data-main
            aria-current={current ? 'true' : undefined}
            onClick={open}
          >
            <span className={styles.title} dir="auto">
              {pinned && <Pin size={11} fill="currentColor" aria-label="Pinned:" />}
              {title}
            </span>
            <span className={styles.facts}>
              {counted(meta.turns, 'turn')} · {ago}
              {tags.map((tag) => (
                <span key={tag} className={styles.tagged}>
                  {' '}
                  #{tag}
                </span>
              ))}
            </span>
          </button>
          <div className={styles.actions}>
            <IconButton
              size="small"
              label={`Rename ${title}`}
              icon={Pencil}
              data-action="rename"
              onClick={() => setEditing('title')}
            />
            <IconButton
              size="small"
              label={`Delete ${title}`}
              icon={Trash2}
              data-action="delete"
              onClick={() => void actions.deleteConversation(meta.id)}
            />
            <FilingMenu meta={meta} title={title} folders={folders} onEdit={setEditing} />
          </div>
        </>
      )}
    </div>
  );
});

const EditField = ({
  meta,
  title,
  what,
  onDone,
}: {
  meta: ConversationMeta;
  title: string;
  what: EditedField;
  onDone: (byKey: boolean) => void;
}) => {
  const actions = useActions();
  const { folder, tags } = filingOf(meta);
  const keep = async (name: string | null, byKey: boolean) => {
    if (what === 'title' && name !== null && !(await actions.renameConversation(meta.id, name))) return false;
    onDone(byKey);
    if (name === null || what === 'title') return true;
    if (what === 'folder') void actions.fileConversations([meta.id], { folder: name === '' ? null : name });
    else void actions.fileConversations([meta.id], { tags: tagsFrom(name) });
    return true;
  };
  if (what === 'title') return <TitleField title={title} onDone={keep} />;
  if (what === 'folder') {
    return (
      <TitleField
        title={folder ?? ''}
        label={`Folder of ${title}`}
        placeholder="Name of the folder"
        options="conversation-folders"
        mayBeEmpty
        onDone={keep}
      />
    );
  }
  return (
    <TitleField
      title={tags.join(', ')}
      label={`Tags of ${title}`}
      placeholder="work, garden"
      mayBeEmpty
      onDone={keep}
    />
  );
};

const FilingMenu = ({
  meta,
  title,
  folders,
  onEdit,
}: Pick<Props, 'meta' | 'folders'> & { title: string; onEdit: (what: EditedField) => void }) => {
  const { fileConversations, archiveConversation } = useActions();
  const { pinned, archived, folder } = filingOf(meta);
  const file = (change: Parameters<typeof fileConversations>[1]) =>
    afterMenu(() => void fileConversations([meta.id], change));
  // The field that replaces the row takes the focus after the menu has released it.
  const edit = (what: EditedField) => setTimeout(() => onEdit(what));
  return (
    <Menu
      align="end"
      label={`More for ${title}`}
      trigger={<IconButton size="small" label={`More for ${title}`} icon={Ellipsis} />}
    >
      <MenuItem
        icon={pinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />}
        onSelect={() => file({ pinned: !pinned })}
      >
        {pinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <Submenu icon={<Folder size={14} aria-hidden />} label="Folder">
        <MenuChoice chosen={folder === null} onChoose={() => file({ folder: null })}>
          No folder
        </MenuChoice>
        {folders.map((one) => (
          <MenuChoice key={one} chosen={one === folder} onChoose={() => file({ folder: one })}>
            {one}
          </MenuChoice>
        ))}
        <MenuSeparator />
        <MenuItem icon={<FolderPlus size={14} aria-hidden />} onSelect={() => edit('folder')}>
          New folder…
        </MenuItem>
      </Submenu>
      <MenuItem icon={<Tag size={14} aria-hidden />} onSelect={() => edit('tags')}>
        Tags…
      </MenuItem>
      <MenuItem
        icon={archived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
        onSelect={() => afterMenu(() => void archiveConversation(meta.id, !archived))}
      >
        {archived ? 'Unarchive' : 'Archive'}
      </MenuItem>
    </Menu>
  );
};

const FolderItem = ({ row: { folder, size, open } }: { row: ListRow & { kind: 'folder' } }) => {
  const { session, fileConversations } = useActions();
  const state = useAppState();
  const { editing, setEditing, finish, main } = useEditing<'name'>();
  const toggle = () => {
    const { closedFolders } = state().session;
    const others = closedFolders.filter((one) => one !== folder);
    session({ closedFolders: open ? [...others, folder] : others });
  };
  /** Everything in the folder, including archived conversations. */
  const within = () => state().conversations.flatMap((meta) => (filingOf(meta).folder === folder ? [meta.id] : []));
  if (editing !== null) {
    return (
      <div className={styles.folder}>
        <TitleField
          title={folder}
          label={`Name of the folder ${folder}`}
          onDone={(name, byKey) => {
            finish(byKey);
            if (name !== null) void fileConversations(within(), { folder: name });
            return true;
          }}
        />
      </div>
    );
  }
  return (
    <div className={styles.folder}>
      <button type="button" className={styles.folderName} ref={main} data-main aria-expanded={open} onClick={toggle}>
        <ChevronRight size={14} aria-hidden />
        <span dir="auto">{folder}</span>
        <small>{count(size)}</small>
      </button>
      <Menu
        align="end"
        label={`More for the folder ${folder}`}
        trigger={<IconButton size="small" label={`More for the folder ${folder}`} icon={Ellipsis} />}
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setTimeout(() => setEditing('name'))}>
          Rename the folder
        </MenuItem>
        <MenuItem
          icon={<FolderMinus size={14} aria-hidden />}
          onSelect={() => afterMenu(() => void fileConversations(within(), { folder: null }))}
        >
          Remove all from folder
        </MenuItem>
      </Menu>
    </div>
  );
};

/** The header's buttons. */
const OPENS = '[data-opens-conversations]';

/** The header's buttons toggle it, a toast may restore a conversation, and its rows have menus: none of these count as outside. */
const belongs = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`${OPENS}, [data-toast], [data-radix-popper-content-wrapper]`) !== null;

/** The list as a drawer over the page, which stays interactive. */
export const ConversationsDrawer = () => {
  const { session } = useActions();
  useFocusGivenBack(OPENS);
  useBack(() => session({ dialog: null }));
  return (
    <Dialog.Root modal={false} open onOpenChange={(next) => !next && session({ dialog: null })}>
      <Dialog.Portal>
        <Dialog.Content
          id="conversations"
          className={styles.drawer}
          data-drawer
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const drawer = event.currentTarget as HTMLElement;
            (drawer.querySelector<HTMLElement>('[aria-current]') ?? drawer).focus();
          }}
          // A name that is being edited is discarded first.
          onEscapeKeyDown={(event) => document.activeElement?.closest('[data-own-escape]') && event.preventDefault()}
          onInteractOutside={(event) => belongs(event.target) && event.preventDefault()}
        >
          <Dialog.Title className="visually-hidden">Conversations</Dialog.Title>
          <ConversationList docked={false} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
