import { Search } from 'lucide-react';
import { type ComponentProps, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { isComposing } from './composing.ts';
import styles from './fields.module.css';

/** A line of text. */
export const TextField = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input dir="auto" className={`${styles.text} ${className}`} {...rest} />
);

/** A text of several lines. */
export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea dir="auto" className={`${styles.text} ${className}`} {...rest} />
);

/** A choice from a list. `wide`: it looks like the text fields of its form. */
export const Select = ({ wide = false, className = '', ...rest }: ComponentProps<'select'> & { wide?: boolean }) => (
  <select className={`${wide ? styles.text : styles.select} ${className}`} {...rest} />
);

/** Selects the text: the user has just asked to edit it. */
const writeHere = (input: HTMLInputElement | null): void => input?.select();

/** What is to be kept of a title that was `begun` as such; null for nothing: it was discarded, left as it was, or emptied. */
export const typedTitle = (value: string | null, begun: string, mayBeEmpty = false): string | null => {
  const name = value?.trim() ?? null;
  // The field has a single line: it takes out the line breaks of a message that serves as a title.
  const isSame = name === begun.replace(/[\r\n]/g, '').trim();
  return isSame || (name === '' && !mayBeEmpty) ? null : name;
};

interface TitleEdit {
  readonly title: string;
  readonly mayBeEmpty?: boolean;
  /**
   * `null`: nothing to keep. `byKey`: the focus goes with the field, rather than having gone elsewhere. Returns whether it
   * is over; if it could not be kept, the field stays with what was typed.
   */
  readonly onDone: (name: string | null, byKey: boolean) => boolean | Promise<boolean>;
}

/** Ends the editing of a title, once: Enter or leaving the field keeps it, Escape (null) discards it. */
export const useTitleEdit = ({ title, mayBeEmpty, onDone }: TitleEdit) => {
  // The field keeps it: leaving it unchanged must not replace a title that the engine has found meanwhile.
  const [begun] = useState(title);
  const done = useRef(false);
  return async (value: string | null, byKey: boolean): Promise<void> => {
    if (done.current) return;
    done.current = true;
    done.current = await onDone(typedTitle(value, begun, mayBeEmpty), byKey);
  };
};

/** Edits a short text in place: Enter or leaving the field keeps it, Escape discards it. */
export const TitleField = ({
  label = 'Title',
  placeholder,
  options,
  ...edit
}: TitleEdit & {
  label?: string;
  placeholder?: string;
  /** Suggestions while typing: the id of a `datalist`. */
  options?: string;
}) => {
  const finish = useTitleEdit(edit);
  return (
    <input
      ref={writeHere}
      dir="auto"
      className={styles.title}
      aria-label={label}
      placeholder={placeholder}
      list={options}
      defaultValue={edit.title}
      maxLength={120}
      data-own-escape
      onBlur={(event) => void finish(event.target.value, false)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') {
          // The key would otherwise press the button that gets the focus now.
          event.preventDefault();
          void finish(event.currentTarget.value, true);
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation();
        void finish(null, true);
      }}
    />
  );
};

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  /** The label. */
  readonly children: ReactNode;
}

export const Checkbox = ({ on, onChange, children, ...rest }: CheckboxProps) => (
  <label className={styles.checkbox}>
    <input {...rest} type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
);

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const SearchField = ({ label, value, onChange, ...rest }: SearchFieldProps) => (
  <div className={styles.search}>
    <Search size={14} aria-hidden />
    <input
      type="search"
      dir="auto"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  </div>
);

interface SegmentedOption<V> {
  readonly value: V;
  readonly label: string;
  readonly icon?: ReactNode;
}

/** A few options side by side, one of them selected. `label` names the group; `fixed` says why it cannot be changed. */
export const Segmented = <V extends string>({
  label,
  options,
  value,
  fixed,
  onChange,
}: {
  label: string;
  options: readonly SegmentedOption<V>[];
  value: V;
  fixed?: string | undefined;
  onChange: (value: V) => void;
}) => (
  <div
    role="group"
    aria-label={fixed === undefined ? label : `${label}: ${fixed}`}
    title={fixed}
    className={styles.group}
  >
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        disabled={fixed !== undefined}
        className={styles.option}
        onClick={() => onChange(option.value)}
      >
        {option.icon}
        {option.label}
      </button>
    ))}
  </div>
);

/** The same as a radio group: arrow keys move between the options. */
export const RadioSegments = <V extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly Pick<SegmentedOption<V>, 'value' | 'label'>[];
  value: V;
  onChange: (value: V) => void;
}) => {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.radio}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span className={styles.option}>{option.label}</span>
        </label>
      ))}
    </div>
  );
};

/**
 * Picks files, or a folder of them, from this machine. `pick`, for a button, opens the browser's dialog; `input`, which must be
 * rendered, receives what was chosen. `label`: its name.
 */
export const useFilePicker = (
  label: string,
  onFiles: (files: readonly File[]) => void,
  { folder = false, ...rest }: { folder?: boolean; multiple?: boolean; accept?: string } = {},
): { readonly input: ReactElement; readonly pick: () => void } => {
  const input = useRef<HTMLInputElement>(null);
  return {
    pick: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        aria-label={label}
        hidden
        {...rest}
        // Supported by browsers but missing from React's types.
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Allows the same file to be chosen again.
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    ),
  };
};
