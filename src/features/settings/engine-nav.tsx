import { GitCommitVertical, type LucideIcon, MessageSquareText, Route, SlidersHorizontal } from 'lucide-react';
import { PROMPT_NAMES } from '../../app/saved-settings.ts';
import type { Prompts } from '../../engine/settings.ts';
import { useApp } from '../../ui/app-context.ts';
import { FIELDS } from '../../ui/parts/setting-fields.ts';
import { PROMPT_TITLES } from './change-words.ts';
import styles from './nav.module.css';
import type { Drafting } from './use-draft.ts';

export type EnginePage = 'policy' | 'parameters' | keyof Prompts | 'versions';

/** The pages, each with what stands there, and a mark where something is not saved. */
export const EngineNav = ({
  page,
  drafting: { now, draft, change, wrong },
  onGo,
}: {
  page: EnginePage;
  drafting: Drafting;
  onGo: (page: EnginePage) => void;
}) => {
  const { current, versions } = useApp((state) => state.settings);
  const own = Object.keys(now.parameters).length;
  const touched = FIELDS.some(({ name }) => wrong[name] !== undefined || change.parameters?.[name] !== undefined);
  const item = (to: EnginePage, icon: LucideIcon, title: string, words: string, unsaved = false) => (
    <Item
      key={to}
      icon={icon}
      title={title}
      words={words}
      unsaved={unsaved}
      current={page === to}
      onGo={() => onGo(to)}
    />
  );
  return (
    <nav aria-label="Pages" className={styles.nav}>
      <ul>
        {item('policy', Route, 'Policy', draft.policy ?? now.policy, change.policy !== undefined)}
        {item('parameters', SlidersHorizontal, 'Parameters', own === 0 ? 'as shipped' : `${own} of yours`, touched)}
      </ul>
      <ul aria-label="Prompts">
        {PROMPT_NAMES.map((name) => {
          const unsaved = wrong[name] !== undefined || change.prompts?.[name] !== undefined;
          const words = now.prompts[name] === undefined ? 'as shipped' : 'yours';
          return item(name, MessageSquareText, PROMPT_TITLES[name], words, unsaved);
        })}
      </ul>
      <ul>
        {item(
          'versions',
          GitCommitVertical,
          'Versions',
          current > 0
            ? `${current} in use`
            : versions.length === 0
              ? 'as shipped'
              : `as shipped, ${versions.length} of yours`,
        )}
      </ul>
    </nav>
  );
};

const Item = ({
  icon: Icon,
  title,
  words,
  unsaved,
  current,
  onGo,
}: {
  icon: LucideIcon;
  title: string;
  words: string;
  unsaved: boolean;
  current: boolean;
  onGo: () => void;
}) => (
  <li>
    <button type="button" className={styles.item} aria-current={current ? 'page' : undefined} onClick={onGo}>
      <Icon size={14} strokeWidth={1.8} aria-hidden />
      <span className={styles.title}>{title}</span>
      {unsaved && <span className={styles.unsaved}>not saved</span>}
      <span className={styles.words}>{words}</span>
    </button>
  </li>
);
