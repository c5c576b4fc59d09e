/* A forest as it stands, with everything that is shown of it as plain data: it is drawn without the app, in a file as well as in the page. */

export interface Still {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly topics: readonly StillTopic[];
  /** In order of time. */
  readonly turns: readonly StillTurn[];
  /** Id of the active turn; null where there is none. */
  readonly activeId: string | null;
}

interface StillTopic {
  readonly title: string;
  /** Counts topics in the order they were created; picks the colour. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
}

export interface StillTurn {
  readonly id: string;
  readonly number: number;
  readonly parentId: string | null;
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly hidden: boolean;
  readonly message: string;
  /** Names of the files that came with it. */
  readonly files: readonly string[];
  readonly note: string | null;
  /** Markup that is safe to show: made of Markdown, nothing in it runs or is fetched. Empty where nobody replied. */
  readonly reply: string;
  readonly model: string | null;
  /** Where it went and why, in a line. */
  readonly why: string;
  /** How it was decided, step by step. */
  readonly decision: readonly { readonly head: string; readonly lines: readonly string[] }[];
  /** What was sent for its reply, in order. */
  readonly context: readonly { readonly head: string; readonly text: string }[];
  readonly tokens: number | null;
}
