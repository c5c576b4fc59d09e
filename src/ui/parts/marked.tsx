import { Fragment } from 'react';

/** A text whose letters that match stand out. `marks`: their indices. */
export const Marked = ({ text, marks }: { text: string; marks: readonly number[] }) => {
  if (marks.length === 0) return <span>{text}</span>;
  const marked = new Set(marks);
  const runs: { at: number; text: string; hit: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1);
    if (last !== undefined && last.hit === marked.has(at)) last.text += text[at];
    else runs.push({ at, text: text[at] ?? '', hit: marked.has(at) });
  }
  return (
    <span>
      {runs.map((run) => (run.hit ? <b key={run.at}>{run.text}</b> : <Fragment key={run.at}>{run.text}</Fragment>))}
    </span>
  );
};
