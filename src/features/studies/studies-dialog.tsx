import { FileDown, FileUp, Plus, Trash2, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, usePart } from '../../ui/app-context.ts';
import { Button, IconButton } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { download } from '../../ui/parts/download.ts';
import { useFilePicker } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { useDropZone } from '../../ui/parts/hooks.ts';
import { Loaded } from '../../ui/parts/lazy-parts.tsx';
import { Badge, Muted } from '../../ui/parts/text.tsx';
import type { Labeller } from './annotate-page.tsx';
import { newStudy } from './author.ts';
import styles from './studies-dialog.module.css';
import { packageName, packStudy } from './study-package.ts';
import { openShelf, type StoredStudy, type StudyShelf } from './study-shelf.ts';

const DESCRIPTION =
  'Label dialogues with several people and see how far you agree. There is no server; you share the files yourselves.';

/** The current page of the dialog. */
type View =
  | { readonly page: 'list' }
  | { readonly page: 'label'; readonly id: string; readonly who: Labeller }
  | { readonly page: 'author' | 'coordinate'; readonly id: string };

export const StudiesDialog = ({ onClose }: { onClose: () => void }) => {
  const part = usePart();
  const refreshed = async () => {
    const shelf = await part(openShelf);
    await shelf.refresh();
    return shelf;
  };
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog title="Studies" {...(isOpen ? {} : { description: DESCRIPTION })} onClose={onClose} size="full">
      <Loaded load={refreshed}>{(shelf) => <Studies shelf={shelf} onOpen={setOpen} />}</Loaded>
    </Dialog>
  );
};

const Studies = ({ shelf, onOpen }: { shelf: StudyShelf; onOpen: (open: boolean) => void }) => {
  const { reportFailure } = useActions();
  const { studies, damaged } = useStore(shelf.store);
  const [view, setView] = useState<View>({ page: 'list' });
  const [refusal, setRefusal] = useState<string | null>(null);
  /** A coordinator's copy that differs from the study here. */
  const [other, setOther] = useState<File | null>(null);
  const kept = view.page === 'list' ? undefined : studies.find(({ id }) => id === view.id);
  const go = (to: View) => {
    setRefusal(null);
    setOther(null);
    setView(to);
    onOpen(to.page !== 'list');
  };
  const back = () => go({ page: 'list' });
  const tried = (what: string, task: Promise<unknown>) => void task.catch((error) => reportFailure(what, error));

  const open = async (file: File, mayReplace = false) => {
    setRefusal(null);
    setOther(null);
    try {
      const opened = await shelf.open(new Uint8Array(await file.arrayBuffer()), mayReplace);
      if (opened === null) setOther(file);
      else if (opened.role === 'annotator') go({ page: 'label', id: opened.id, who: 'ask' });
    } catch (error) {
      setRefusal(`${file.name} was not opened. ${errorMessage(error)}`);
    }
  };
  const make = async () => {
    const made = await shelf.keep('coordinator', newStudy(shelf.newId(), Math.floor(Math.random() * 10_000)));
    go({ page: 'author', id: made.id });
  };

  if (view.page === 'label' && kept !== undefined) {
    return (
      <Loaded key="label" load={() => import('./annotate-page.tsx')}>
        {({ AnnotatePage }) => <AnnotatePage shelf={shelf} kept={kept} who={view.who} onBack={back} />}
      </Loaded>
    );
  }
  if (view.page === 'author' && kept !== undefined) {
    return (
      <Loaded key="author" load={() => import('./author-page.tsx')}>
        {({ AuthorPage }) => (
          <AuthorPage
            shelf={shelf}
            kept={kept}
            onBack={back}
            onCoordinate={() => go({ page: 'coordinate', id: kept.id })}
          />
        )}
      </Loaded>
    );
  }
  if (view.page === 'coordinate' && kept !== undefined) {
    return (
      <Loaded key="coordinate" load={() => import('./coordinate-page.tsx')}>
        {({ CoordinatePage }) => <CoordinatePage shelf={shelf} kept={kept} onBack={back} />}
      </Loaded>
    );
  }
  return (
    <StudyList
      studies={studies}
      damaged={damaged}
      refusal={refusal}
      question={
        other !== null && (
          <>
            <p>
              {other.name} differs from the study that is here. Opening it replaces your dialogues, gold and guidelines;
              the labels stay. If it is the older one, keep yours.
            </p>
            <Button look="danger" onClick={() => void open(other, true)}>
              Replace mine
            </Button>
            <Button onClick={() => setOther(null)}>Keep mine</Button>
          </>
        )
      }
      onOpen={(file) => void open(file)}
      onNew={() => tried('Creating a study', make())}
      onLabel={({ id }, who) => go({ page: 'label', id, who })}
      onAuthor={({ id }) => go({ page: 'author', id })}
      onCoordinate={({ id }) => go({ page: 'coordinate', id })}
      onSave={({ study }) =>
        download(packageName(study, 'coordinator'), new Blob([packStudy(study, 'coordinator')]), 'application/zip')
      }
      onRemove={({ id }) => tried('Removing the study', shelf.remove(id))}
    />
  );
};

interface StudyListProps {
  readonly studies: readonly StoredStudy[];
  /** Number of stored studies that cannot be read. */
  readonly damaged: number;
  readonly refusal: string | null;
  /** What has to be answered before a file is opened. */
  readonly question: ReactNode;
  readonly onOpen: (file: File) => void;
  readonly onNew: () => void;
  readonly onLabel: (kept: StoredStudy, who: Labeller) => void;
  readonly onAuthor: (kept: StoredStudy) => void;
  readonly onCoordinate: (kept: StoredStudy) => void;
  readonly onSave: (kept: StoredStudy) => void;
  readonly onRemove: (kept: StoredStudy) => void;
}

/** The studies stored in this browser, and the ways to add one. */
const StudyList = ({ studies, damaged, refusal, question, onOpen, onNew, ...on }: StudyListProps) => {
  const openFirst = ([file]: Iterable<File>) => {
    if (file !== undefined) onOpen(file);
  };
  const picker = useFilePicker('Study file', openFirst, { accept: '.zip,application/zip' });
  const zone = useDropZone(({ files }) => openFirst(files));
  return (
    <div className={styles.page}>
      {refusal !== null && (
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
      )}
      {question !== false && (
        <div role="alert" className={`${styles.refusal} ${styles.does}`}>
          {question}
        </div>
      )}
      {damaged > 0 && (
        <p role="alert" className={styles.refusal}>
          {counted(damaged, 'study', 'studies')} kept here could not be read. Open the study file again. The labels are
          stored separately and are safe.
        </p>
      )}
      <div className={styles.ways}>
        <div role="group" aria-label="Open a study" className={styles.way} {...zone}>
          <FileUp size={22} strokeWidth={1.5} aria-hidden />
          <div>
            <h3>Label</h3>
            <p>If you received a file ending in .study.zip, drop it here or choose it.</p>
          </div>
          <Button look="primary" onClick={picker.pick}>
            Open a study
          </Button>
          {picker.input}
        </div>
        <div role="group" aria-label="Make a study" className={styles.way}>
          <Users size={22} strokeWidth={1.5} aria-hidden />
          <div>
            <h3>Have others label</h3>
            <p>
              Choose dialogues, write guidelines and hand out one file. Then collect the labels and see how far people
              agree.
            </p>
          </div>
          <Button onClick={onNew}>
            <Plus size={14} aria-hidden />
            New study
          </Button>
        </div>
      </div>
      {studies.length > 0 && (
        <ul aria-label="Studies in this browser" className={styles.list}>
          {studies.map((kept) => (
            <StudyRow
              key={kept.id}
              kept={kept}
              isTwice={studies.some(({ id, study }) => id !== kept.id && study.id === kept.study.id)}
              {...on}
            />
          ))}
        </ul>
      )}
    </div>
  );
};

const removalQuestion = (role: StoredStudy['role'], isTwice: boolean): string => {
  if (role === 'annotator') {
    return isTwice
      ? 'Remove it from this browser? Its labels stay with your own copy; leave people out under Coordinate, People.'
      : 'Remove it and its labels from this browser?';
  }
  return isTwice
    ? 'Remove it from this browser, and what it taught the decider? Its labels stay, because it is also here to label.'
    : 'Remove it from this browser, with its labels and what it taught the decider?';
};

const StudyRow = ({
  kept,
  isTwice,
  onLabel,
  onAuthor,
  onCoordinate,
  onSave,
  onRemove,
}: {
  kept: StoredStudy;
  /** Whether the study is also here in the other role, which keeps its labels. */
  isTwice: boolean;
} & Pick<StudyListProps, 'onLabel' | 'onAuthor' | 'onCoordinate' | 'onSave' | 'onRemove'>) => {
  const [asking, setAsking] = useState(false);
  const { study, role, person } = kept;
  const turns = study.dialogues.reduce((sum, dialogue) => sum + dialogue.turns.length, 0);
  return (
    <li className={styles.row} aria-label={study.name}>
      <div className={styles.about}>
        <b>{study.name}</b>
        <Muted as="span">
          {counted(study.dialogues.length, 'dialogue')}, {counted(turns, 'turn')}
          {role === 'annotator' && person !== null && ` · labelled by ${person}`}
        </Muted>
      </div>
      <Badge>{role === 'annotator' ? 'to label' : study.mode === 'blind' ? 'yours, blind' : 'yours, assisted'}</Badge>
      {asking ? (
        <div className={styles.does}>
          <span>{removalQuestion(role, isTwice)}</span>
          <Button look="danger" onClick={() => onRemove(kept)}>
            Remove it
          </Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </div>
      ) : (
        <div className={styles.does}>
          {role === 'annotator' ? (
            <>
              <Button look="primary" onClick={() => onLabel(kept, 'same')}>
                {person === null ? 'Label' : `Continue as ${person}`}
              </Button>
              {person !== null && <Button onClick={() => onLabel(kept, 'other')}>Someone else</Button>}
            </>
          ) : (
            <>
              <Button onClick={() => onAuthor(kept)}>Edit</Button>
              <Button look="primary" onClick={() => onCoordinate(kept)}>
                Coordinate
              </Button>
              <IconButton label="Save your own copy, with the gold" icon={FileDown} onClick={() => onSave(kept)} />
            </>
          )}
          <IconButton label={`Remove ${study.name}`} icon={Trash2} onClick={() => setAsking(true)} />
        </div>
      )}
    </li>
  );
};
