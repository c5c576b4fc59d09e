import contextCss from './context.module.css';
import sectionCss from './section.module.css';

/** Words as they were said to a model, or by one. */
export const RawText = ({ heading, text }: { heading: string; text: string }) => (
  <div>
    <p className={sectionCss.subheading}>{heading}</p>
    <pre className={contextCss.pre}>{text === '' ? '(empty)' : text}</pre>
  </div>
);
