import { type FormEvent, useId, useRef, useState } from 'react';
import { pendingTurn } from '../../domain/queries.ts';
import { INSTRUCTIONS, OVERVIEW_INSTRUCTIONS } from '../../engine/parameters.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { emptyForm, formOf, readForm, type SettingsForm } from '../../ui/chat/reply-settings-form.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { TextArea, TextField } from '../../ui/parts/fields.tsx';
import { Muted } from '../../ui/parts/text.tsx';
import styles from './reply-settings.module.css';

/** The reply settings of this conversation. */
export const ReplySettingsDialog = ({ onClose }: { onClose: () => void }) => {
  const { setReplySettings } = useActions();
  const settings = useApp((state) => state.forest.replySettings);
  const pending = useApp((state) => pendingTurn(state.forest) !== null);
  const [form, setForm] = useState(() => formOf(settings));
  const [wrong, setWrong] = useState<Partial<SettingsForm>>({});
  const element = useRef<HTMLFormElement>(null);
  const id = useId();

  const change = (field: keyof SettingsForm) => (text: string) => {
    setForm({ ...form, [field]: text });
    setWrong({ ...wrong, [field]: undefined });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(form);
    if (!read.ok) {
      setWrong(read.wrong);
      const [first] = Object.keys(read.wrong);
      return element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    }
    if (JSON.stringify(formOf(read.settings)) !== JSON.stringify(formOf(settings)))
      void setReplySettings(read.settings);
    onClose();
  };
  const unsaved = JSON.stringify(form) !== JSON.stringify(formOf(settings));
  const own = Object.values(form).every((text) => text === '');

  return (
    <Dialog
      title="Reply settings"
      description="For this conversation. An empty field uses the default."
      onClose={onClose}
      size="small"
      unsaved={unsaved}
      actions={
        <>
          <Button
            look="quiet"
            className={styles.reset ?? ''}
            disabled={own}
            onClick={() => {
              setForm(emptyForm);
              setWrong({});
            }}
          >
            Reset to the defaults
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} disabled={pending}>
            Save
          </Button>
        </>
      }
    >
      <form ref={element} id={id} className={styles.form} onSubmit={save} noValidate>
        <label className={styles.wide}>
          <span className={styles.label}>System prompt</span>
          <TextArea
            name="systemPrompt"
            rows={4}
            value={form.systemPrompt}
            placeholder={INSTRUCTIONS}
            onChange={(event) => change('systemPrompt')(event.target.value)}
          />
          <span className={styles.added}>Always added: “{OVERVIEW_INSTRUCTIONS}”</span>
        </label>
        {NUMBERS.map((one) => (
          <NumberField key={one.name} {...one} form={form} wrong={wrong} onChange={change(one.name)} />
        ))}
        <RecallNote />
        {pending && (
          <Muted className={styles.note}>A message is still being placed. You can save when it is done.</Muted>
        )}
      </form>
    </Dialog>
  );
};

const NUMBERS = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2: from predictable to free' },
  { name: 'topP', label: 'Top-p', hint: '0 to 1: how many likely words are considered' },
  { name: 'maxTokens', label: 'Longest reply', hint: 'in tokens' },
] as const;

const NumberField = ({
  name,
  label,
  hint,
  form,
  wrong,
  onChange,
}: (typeof NUMBERS)[number] & {
  form: SettingsForm;
  wrong: Partial<SettingsForm>;
  onChange: (text: string) => void;
}) => {
  const id = useId();
  const refused = wrong[name];
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <TextField
        id={id}
        name={name}
        inputMode="decimal"
        autoComplete="off"
        placeholder="model default"
        value={form[name]}
        aria-invalid={refused !== undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-about`} className={refused === undefined ? styles.hint : styles.refused}>
        {refused ?? hint}
      </p>
    </div>
  );
};

/** Recall replies until a model is chosen: settings that have no effect must not look as if they did. */
const RecallNote = () => {
  const recalls = useApp((state) => state.models.chat.choice.kind === 'embedded');
  return (
    <Muted className={styles.note}>
      {recalls
        ? 'Recall, which replies now, ignores all four: it quotes and is not a language model. They apply as soon as you choose one under Models.'
        : 'A reply by the embedded recall ignores all four: it quotes and is not a language model.'}
    </Muted>
  );
};
