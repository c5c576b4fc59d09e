import * as z from 'zod/mini';
import { expectationOf } from '../../../domain/expectation.ts';
import { has } from '../read/source.ts';
import type { Form, Script, SpokenLine } from './form.ts';
import { got, type JsonSource, type Read, unexpected } from './json-source.ts';

/** Replies are parsed one level at a time, so that no depth of nesting is too much. */
const Message = z.object({
  text: z.string(),
  role: z.enum(['prompter', 'assistant']),
  rank: z.optional(z.nullable(z.number())),
  deleted: z.optional(z.nullable(z.boolean())),
  replies: z.optional(z.nullable(z.array(z.unknown()))),
});
const Ranked = z.looseObject({
  rank: z.optional(z.nullable(z.number())),
  deleted: z.optional(z.nullable(z.boolean())),
});

/** OpenAssistant: `{message_tree_id, prompt: {text, role, replies: […]}}`. The best-ranked path is taken. */
export const messageTrees: Form = {
  recognises: (item) => has(item, 'prompt') && has((item as { prompt: unknown }).prompt, 'replies'),
  read: (source) => {
    const scripts: Script[] = [];
    for (const [index, item] of source.items.entries()) {
      const script = bestPath(source, index, (item as { prompt?: unknown } | null)?.prompt);
      if (!script.ok) return script;
      scripts.push(script.value);
    }
    return got(scripts);
  },
};

const bestPath = (source: JsonSource, index: number, prompt: unknown): Read<Script> => {
  const lines: SpokenLine[] = [];
  const path: PropertyKey[] = [index, 'prompt'];
  for (let message: unknown = prompt; ; ) {
    const parsed = Message.safeParse(message);
    if (!parsed.success) {
      const { path: inside, text } = expectationOf(parsed.error);
      return unexpected(source, { path: [...path, ...inside], text });
    }
    const { role, text, replies } = parsed.data;
    lines.push({ by: role === 'prompter' ? 'user' : 'assistant', text });
    const best = bestOf(replies ?? []);
    if (best === null) return got({ title: null, lines });
    path.push('replies', best);
    message = replies?.[best];
  }
};

/** Index of the reply that people ranked first; unranked ones come last, in the order given. */
const bestOf = (replies: readonly unknown[]): number | null => {
  const standing = replies.map((reply, index) => {
    const ranked = Ranked.safeParse(reply);
    return { index, deleted: ranked.data?.deleted === true, rank: ranked.data?.rank ?? Number.POSITIVE_INFINITY };
  });
  const [best] = standing.filter(({ deleted }) => !deleted).sort((a, b) => a.rank - b.rank || a.index - b.index);
  return best?.index ?? null;
};
