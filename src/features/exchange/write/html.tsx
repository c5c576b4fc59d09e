import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { type Attachment, isPicture } from '../../../domain/attachment.ts';
import type { Forest, Node, Reply } from '../../../domain/forest.ts';
import { spokenOf } from '../../../domain/reply.ts';
import { formulasAsCode } from '../../../ui/chat/formulas.ts';
import { counted, dateTime, isTooNested, linkTarget } from '../../../ui/parts/format.ts';
import { TextLink } from '../../../ui/parts/text.tsx';
import { authorOf } from '../../../ui/parts/turn-words.ts';
import { TOPIC_COLOURS, TOPIC_PALETTES } from '../../../ui/topic-colour.ts';
import { fileMarks, READ_PARTS, sectionsOf, turnMarks } from './markdown.ts';
import { repliesOf, turnFiles } from './messages.ts';
import type { Writer, WrittenConversation } from './writer.ts';

/**
 * A self-contained page: it opens offline, in light and dark, and prints. It has no script, and its content security policy
 * lets nothing run or be fetched, whatever the conversation contains.
 */
export const htmlPage: Writer = {
  id: 'html',
  name: 'HTML page',
  about: 'Read it in any browser, offline, in light or dark, or print it. It runs no scripts and fetches nothing.',
  group: 'Reading',
  ending: '.html',
  type: 'text/html;charset=utf-8',
  form: 'text',
  several: false,
  path: true,
  holds: [...READ_PARTS, 'files', 'documents'],
  *write({ title, forest, files }, { scope }) {
    const sections = sectionsOf(forest, scope);
    const topics = sections.filter(({ fork }) => fork === null).map(({ tree }) => tree);
    yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="generator" content="Coppice">
${markup(<title>{title}</title>)}
<style>${STYLE}</style>
</head>
<body>
<main>
${markup(<h1 dir="auto">{title}</h1>)}
`;
    const { systemPrompt } = forest.replySettings;
    if (systemPrompt !== null) {
      yield markup(
        <section className="instructions">
          <h2>Instructions</h2>
          <p className="said" dir="auto">
            {systemPrompt}
          </p>
        </section>,
      );
    }
    if (topics.length > 1) {
      yield markup(
        <nav aria-label="Topics">
          <ol>
            {topics.map(({ id, title: name, order }) => (
              <li key={id}>
                <a href={`#topic-${order}`} className={colourOf(order)} dir="auto">
                  {name}
                </a>
              </li>
            ))}
          </ol>
        </nav>,
      );
    }
    for (const { tree, fork, nodes } of sections) {
      yield markup(
        fork === null ? (
          <h2 id={`topic-${tree.order}`} className={colourOf(tree.order)} dir="auto">
            {tree.title}
          </h2>
        ) : (
          <h3 className={colourOf(tree.order)}>
            Branch from <a href={`#turn-${fork.from.number}`}>turn {fork.from.number}</a>
            {fork.title === null ? '' : `: ${fork.title}`}
          </h3>
        ),
      );
      for (const node of nodes) yield turnMarkup({ forest, node, files });
    }
    yield '</main>\n</body>\n</html>\n';
  },
};

const markup = (element: ReactElement): string => `${renderToStaticMarkup(element)}\n`;

const colourOf = (order: number): string => `t${order % TOPIC_COLOURS}`;

interface TurnProps {
  readonly forest: Forest;
  readonly node: Node;
  readonly files: WrittenConversation['files'];
}

/**
 * A file embedded in the page: a picture to view, anything else to save. Without the files (on paper, when the browser prints
 * unasked), the page says which pictures it lacks.
 */
const FileOf = ({ attachment, files }: { attachment: Attachment } & Pick<TurnProps, 'files'>) => {
  const { id, name } = attachment;
  const url = id === null ? undefined : files?.get(id);
  if (files === undefined && isPicture(attachment)) return <p className="head">Not printed: {name}</p>;
  if (url === undefined) return null;
  return isPicture(attachment) ? (
    <img src={url} alt={name} />
  ) : (
    <p className="head">
      <a href={url} download={name}>
        {name}
      </a>
    </p>
  );
};

/** Thousands of nested quotes overflow the stack: the replies of such a turn are shown as they were written. */
const turnMarkup = (turn: TurnProps): string => {
  try {
    return markup(<Turn {...turn} asWritten={false} />);
  } catch {
    return markup(<Turn {...turn} asWritten />);
  }
};

const Turn = ({ forest, node, files, asWritten }: TurnProps & { readonly asWritten: boolean }) => {
  const { shown, others } = repliesOf(node);
  const { sent, made } = turnFiles(node);
  return (
    <article id={`turn-${node.number}`}>
      <p className="head">
        <b>
          {node.number} <span>You</span>
        </b>
        <time dateTime={new Date(node.at).toISOString()}>{dateTime(node.at)}</time>
        {turnMarks(forest, node).map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
      <p className="said" dir="auto">
        {node.message}
      </p>
      {sent.map((attachment) => (
        <FileOf key={`${attachment.id} ${attachment.name}`} attachment={attachment} files={files} />
      ))}
      {node.note !== null && (
        <p className="note" dir="auto">
          <b>Note</b> {node.note}
        </p>
      )}
      {shown !== null && <Answer reply={shown} made={made} asWritten={asWritten} />}
      {made.map((attachment) => (
        <FileOf key={`${attachment.id} ${attachment.name}`} attachment={attachment} files={files} />
      ))}
      {others.length > 0 && (
        <details>
          <summary>{counted(others.length, 'other reply', 'other replies')}</summary>
          {others.map((reply) => (
            <Answer key={reply.id} reply={reply} made={[]} asWritten={asWritten} />
          ))}
        </details>
      )}
    </article>
  );
};

interface AnswerProps {
  readonly reply: Reply;
  readonly made: readonly Attachment[];
  readonly asWritten: boolean;
}

const Answer = ({ reply, made, asWritten }: AnswerProps) => {
  const { reasoning, answer } = spokenOf(reply.text);
  const { text, rehypePlugins } = formulasAsCode(answer);
  return (
    <div className="reply">
      <p className="head">
        <b>{authorOf(reply)}</b>
        {fileMarks(made).map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
      {reasoning !== null && (
        <details>
          <summary>Reasoning</summary>
          <p className="said" dir="auto">
            {reasoning}
          </p>
        </details>
      )}
      {asWritten || isTooNested(answer) ? (
        <p className="said" dir="auto">
          {answer}
        </p>
      ) : (
        <div dir="auto">
          <ReactMarkdown
            remarkPlugins={PLUGINS}
            rehypePlugins={rehypePlugins}
            components={COMPONENTS}
            urlTransform={linkTarget}
          >
            {text}
          </ReactMarkdown>
        </div>
      )}
    </div>
  );
};

const PLUGINS = [remarkGfm];

/** Pictures stay links, so that nothing is fetched without consent; links to turns point to them, those that lead nowhere are only text. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <TextLink to={href}>{children}</TextLink>,
  img: ({ src, alt }) => <TextLink to={src}>{alt || 'picture'}</TextLink>,
};

const coloursIn = (colours: readonly string[]): string =>
  colours.map((colour, at) => `.t${at}{--c:${colour}}`).join('');

const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf7;--panel:#fff;--ink:#1f1e1b;--quiet:#5f5d57;--line:#e3e1dc}
${coloursIn(TOPIC_PALETTES.light)}
@media (prefers-color-scheme:dark){:root{--bg:#171613;--panel:#1f1e1b;--ink:#edebe6;--quiet:#b3b0a9;--line:#3a3833}${coloursIn(TOPIC_PALETTES.dark)}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:46rem;margin:0 auto;padding:2rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1.5rem}
h2{font-size:1.2rem;margin:2.5rem 0 1rem;padding-left:.75rem;border-left:4px solid var(--c,var(--line))}
h3{font-size:1rem;margin:2rem 0 .75rem;padding-left:.75rem;border-left:4px dotted var(--c,var(--line))}
nav ol{margin:0;padding-left:1.5rem}
a{color:inherit;text-underline-offset:3px;text-decoration-color:var(--c,var(--quiet))}
article{margin:0 0 1.25rem;padding:1rem;border:1px solid var(--line);border-radius:10px;background:var(--panel);break-inside:avoid-page}
.head{display:flex;flex-wrap:wrap;gap:.25rem .75rem;margin:0 0 .35rem;color:var(--quiet);font-size:.8rem}
.head b{color:var(--ink)}
.said{margin:0;white-space:pre-wrap}
.note{margin:.75rem 0 0;padding:.5rem .75rem;border-left:3px solid var(--line);white-space:pre-wrap}
.reply{margin-top:1rem;padding-top:.75rem;border-top:1px solid var(--line)}
.reply>div>:first-child{margin-top:0}.reply>div>:last-child{margin-bottom:0}
.reply h1,.reply h2,.reply h3,.reply h4{margin:1rem 0 .4rem;padding:0;border:0;font-size:1rem}
details{margin-top:.75rem}summary{cursor:pointer;color:var(--quiet);font-size:.85rem}
pre{overflow:auto;padding:.75rem;border-radius:8px;background:var(--bg);border:1px solid var(--line)}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
img{display:block;max-width:100%;max-height:32rem;margin-top:.75rem;border-radius:8px}
table{border-collapse:collapse;display:block;overflow:auto}th,td{padding:.25rem .6rem;border:1px solid var(--line)}
blockquote{margin:.5rem 0;padding-left:.75rem;border-left:3px solid var(--line);color:var(--quiet)}
@media print{body{background:none}article{border-color:#bbb}pre{white-space:pre-wrap}table{overflow:visible}
details::details-content{content-visibility:visible}}
`;
