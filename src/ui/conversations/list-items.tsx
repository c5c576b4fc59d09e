import {
  Archive,
  ArchiveRestore,
  ChevronRight,
  Ellipsis,
  Folder,
  FolderMinus,
  FolderPlus,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
} from 'lucide-react';
import { memo, useState } from 'react';
import { type ConversationMeta, filingOf } from '../../engine/storage.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { count, counted, timeAgo } from '../parts/format.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator, Submenu } from '../parts/menu.tsx';
import { TitleField } from '../parts/title-field.tsx';
import styles from './conversation-list.module.css';
import { type ListRow, tagsFrom } from './rows.ts';

/** What of a conversation is being written anew. */
type Editing = 'title' | 'folder' | 'tags';

interface Props {
  readonly meta: ConversationMeta;
  readonly current: boolean;
  readonly inFolder: boolean;
  readonly folders: readonly string[];
}

export const ConversationItem = memo(({ meta, current, inFolder, folders }: Props) => {
  const actions = useActions();
  const stays = useApp(({ session }) => session.dialog !== 'conversations');
  const [editing, setEditing] = useState<Editing | null>(null);
  const title = meta.title || 'Untitled';
  const { pinned, tags } = filingOf(meta);

  const open = () => {
    actions.session({ ...(stays ? {} : { dialog: null }), pane: 'chat' });
    if (!current) void actions.openConversation(meta.id);
  };
  return (
    <div className={styles.item} data-current={current} data-in-folder={inFolder}>
      {editing !== null ? (
        <EditField meta={meta} title={title} what={editing} onDone={() => setEditing(null)} />
      ) : (
        <>
          <button
            type="button"
            className={styles.open}
            data-main
            aria-current={current ? 'true' : undefined}
            onClick={open}
          >
            <span className={styles.title}>
              {pinned && <Pin size={11} fill="currentColor" aria-label="Pinned:" />}
              {title}
            </span>
            <span className={styles.facts}>
              {counted(meta.turns, 'turn')} · {timeAgo(meta.updatedAt, Date.now())}
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
              data-does="rename"
              onClick={() => setEditing('title')}
            />
            <IconButton
              size="small"
              label={`Delete ${title}`}
              icon={Trash2}
              data-does="delete"
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
  what: Editing;
  onDone: () => void;
}) => {
  const actions = useActions();
  const { folder, tags } = filingOf(meta);
  const keep = (name: string | null) => {
    onDone();
    if (name === null) return;
    if (what === 'title') void actions.renameConversation(meta.id, name);
    else if (what === 'folder') void actions.fileConversations([meta.id], { folder: name === '' ? null : name });
    else void actions.fileConversations([meta.id], { tags: tagsFrom(name) });
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
}: Pick<Props, 'meta' | 'folders'> & { title: string; onEdit: (what: Editing) => void }) => {
  const { fileConversations, archiveConversation } = useActions();
  const { pinned, archived, folder } = filingOf(meta);
  const file = (change: Parameters<typeof fileConversations>[1]) => void fileConversations([meta.id], change);
  // The field that takes the row's place is to have the focus, once the menu has let go of it.
  const edit = (what: Editing) => setTimeout(() => onEdit(what));
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
        onSelect={() => void archiveConversation(meta.id, !archived)}
      >
        {archived ? 'Back into the list' : 'Archive'}
      </MenuItem>
    </Menu>
  );
};

export const FolderItem = ({ row: { folder, size, open } }: { row: ListRow & { kind: 'folder' } }) => {
  const { session, fileConversations } = useActions();
  const state = useAppState();
  const [renaming, setRenaming] = useState(false);
  const toggle = () => {
    const { closedFolders } = state().session;
    const others = closedFolders.filter((one) => one !== folder);
    session({ closedFolders: open ? [...others, folder] : others });
  };
  /** All that is in it, of the archive too. */
  const within = () => state().conversations.flatMap((meta) => (filingOf(meta).folder === folder ? [meta.id] : []));
  if (renaming) {
    return (
      <div className={styles.folder}>
        <TitleField
          title={folder}
          label={`Name of the folder ${folder}`}
          onDone={(name) => {
            setRenaming(false);
            if (name !== null) void fileConversations(within(), { folder: name });
          }}
        />
      </div>
    );
  }
  return (
    <div className={styles.folder}>
      <button type="button" className={styles.folderName} data-main aria-expanded={open} onClick={toggle}>
        <ChevronRight size={14} aria-hidden />
        <span>{folder}</span>
        <small>{count(size)}</small>
      </button>
      <Menu
        align="end"
        label={`More for the folder ${folder}`}
        trigger={<IconButton size="small" label={`More for the folder ${folder}`} icon={Ellipsis} />}
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setTimeout(() => setRenaming(true))}>
          Rename the folder
        </MenuItem>
        <MenuItem
          icon={<FolderMinus size={14} aria-hidden />}
          onSelect={() => void fileConversations(within(), { folder: null })}
        >
          Take all out of it
        </MenuItem>
      </Menu>
    </div>
  );
};
