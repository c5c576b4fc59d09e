import { expect, test } from 'vitest';
import { fold, frozen } from '../../../domain/apply.ts';
import type { PlainEvent } from '../../../domain/event-kinds.ts';
import { GIVEN, RECALL } from '../../../domain/forest.ts';
import { defaultReplySettings } from '../../../domain/reply.ts';
import { doneInSteps, reopened, resultOf } from '../../../domain/testing/plain-forest.ts';
import { Life } from '../../../domain/testing/random-life.ts';
import { syntheticLog } from '../../../domain/testing/synthetic-forest.ts';
import { htmlPage } from './html.tsx';
import { markdown } from './markdown.ts';
import { lostParts, unsupportedParts } from './parts.ts';
import { vectorPicture } from './picture.ts';
import { writtenPath, writtenText } from './testing/written.ts';
import { preferencePairs, sftMessages, shareGptList } from './training.ts';
import { ALL_PARTS, type WrittenConversation } from './writer.ts';
import { mermaid, WRITERS } from './writers.ts';

class Talk extends Life {
  record(event: PlainEvent, step: string | null = null) {
    this.do({ type: 'record', step, event });
  }

  /** Adds an answer to a turn; the last answer is the shown one. */
  answer(nodeId: string, text: string, { model = 'tiny', state = 'done' as 'done' | 'stopped' } = {}): string {
    const replyId = this.id();
    this.record({ type: 'reply-started', nodeId, replyId, model, context: null });
    this.record({ type: 'reply-received', nodeId, replyId, text });
    this.record({ type: 'reply-ended', nodeId, replyId, state, failure: null, timings: [] });
    return replyId;
  }

  get written(): WrittenConversation {
    return { id: 'c1', title: 'Hedges', entries: this.entries, forest: fold(this.entries) };
  }
}

/** Two topics; the first has a fork, and a turn with three answers of which the second is shown. */
const talk = () => {
  const life = new Talk();
  const root = life.say(null, 'How do I lay a hedge?');
  life.answer(root, 'Badly.');
  const shown = life.answer(root, '<think>\nwinter?\n</think>\n\nIn winter, with a billhook.');
  life.answer(root, 'Badly. ');
  life.record({ type: 'reply-chosen', nodeId: root, replyId: shown });
  const next = life.say(root, 'Which wood?');
  life.answer(next, 'Hazel.');
  const fork = life.say(root, 'And in summer?');
  const other = life.say(null, 'What is for dinner?');
  life.answer(other, 'Soup.');
  life.record({ type: 'activated', nodeId: next }, 'a step');
  return { life, root, next, fork, other };
};

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

test('every format has a name, an ending and an id of its own', () => {
  for (const of of ['id', 'name', 'ending'] as const) {
    expect(new Set(WRITERS.map((writer) => writer[of])).size).toBe(WRITERS.length);
  }
});

test('preference pairs: the shown reply against each other one, each text once, without what was thought', async () => {
  const { life } = talk();
  expect(lines(await writtenText(preferencePairs, life.written))).toEqual([
    {
      prompt: [user('How do I lay a hedge?')],
      chosen: [assistant('In winter, with a billhook.')],
      rejected: [assistant('Badly.')],
    },
  ]);
});

test('preference pairs: equal texts, quotes, replies that broke off and hidden turns make none', async () => {
  const life = new Talk();
  const turn = life.say(null, 'Hi');
  life.answer(turn, 'Hello.');
  life.answer(turn, 'You said: hi', { model: RECALL });
  life.answer(turn, 'Hel', { state: 'stopped' });
  life.answer(turn, ' Hello.\n');
  const secret = life.say(turn, 'A secret');
  life.answer(secret, 'One.');
  life.answer(secret, 'Two.');
  life.record({ type: 'turns-hidden', nodeIds: [secret], hidden: true }, 'a step');
  expect(await writtenText(preferencePairs, life.written)).toBe('');
});

test('preference pairs: the same message beside it is another answer to it, for the one that was gone on with', async () => {
  const life = new Talk();
  const root = life.say(null, 'Hi');
  life.answer(root, 'Hello.');
  const first = life.say(root, 'A joke');
  life.answer(first, 'Knock knock.');
  const second = life.say(root, 'A joke');
  life.answer(second, 'A horse walks in.');
  life.say(second, 'Why?');
  const pairs = lines(await writtenText(preferencePairs, life.written));
  expect(pairs).toEqual([
    {
      prompt: [user('Hi'), assistant('Hello.'), user('A joke')],
      chosen: [assistant('A horse walks in.')],
      rejected: [assistant('Knock knock.')],
    },
  ]);
});

test('SFT: a line a path up to its last answer, with the instructions, none twice', async () => {
  const { life } = talk();
  const settings = { ...defaultReplySettings, systemPrompt: 'Be brief.' };
  life.record({ type: 'reply-settings-set', settings });
  const system = { role: 'system', content: 'Be brief.' };
  const opening = [system, user('How do I lay a hedge?'), assistant('In winter, with a billhook.')];
  expect(lines(await writtenText(sftMessages, life.written))).toEqual([
    { messages: [...opening, user('Which wood?'), assistant('Hazel.')] },
    { messages: [system, user('What is for dinner?'), assistant('Soup.')] },
  ]);
});

test('SFT: what nobody answered is one with the next message, what is hidden is in no path', async () => {
  const life = new Talk();
  const first = life.say(null, 'Hello?');
  const second = life.say(first, 'Anybody?');
  life.answer(second, 'Yes.');
  const third = life.say(second, 'Secret');
  life.answer(third, 'Hush.');
  life.record({ type: 'turns-hidden', nodeIds: [third], hidden: true }, 'a step');
  expect(lines(await writtenText(sftMessages, life.written))).toEqual([
    { messages: [user('Hello?\n\nAnybody?'), assistant('Yes.')] },
  ]);
});

test('ShareGPT is a list of the same paths', async () => {
  const { life } = talk();
  const list = JSON.parse(await writtenText(shareGptList, life.written));
  expect(
    list.map(({ conversations }: { conversations: { from: string }[] }) => conversations.map(({ from }) => from)),
  ).toEqual([
    ['human', 'gpt', 'human', 'gpt'],
    ['human', 'gpt'],
  ]);
});

test('Markdown: topics and branches are headings, those of replies stand below them', async () => {
  const { life, other } = talk();
  life.answer(other, '# Soup\n\n```\n# not a heading\n```\n```js\nleft open');
  life.record({ type: 'turn-noted', nodeId: other, note: 'ask again' }, 'a note');
  const text = await writtenText(markdown, life.written);
  expect(text.split('\n').filter((line) => /^#{1,3} /.test(line))).toEqual([
    '# Hedges',
    '## How do I lay a hedge?',
    '### Branch from turn 1',
    '## What is for dinner?',
    '# not a heading',
  ]);
  expect(text).toContain('#### Soup');
  expect(text).toContain('> **Note:** ask again');
  expect(text).toContain('<summary>2 other replies</summary>');
  expect(text.match(/^```$/gm)).toHaveLength(3);
});

test('Markdown: an underlined line makes no heading, and HTML left open swallows nothing', async () => {
  const life = new Talk();
  const first = life.say(null, 'Agenda\n=====\nand\n---\n\n---\n<!-- a note\n```\n<!-- code\n===\n```');
  life.answer(first, '<!-- closed -->\nPlan\n---\n<!-- open');
  const text = await writtenText(markdown, life.written);
  expect(text).toContain('Agenda\n\\=====\nand\n\\---\n\n---\n\\<!-- a note\n```\n<!-- code\n===\n```');
  expect(text).toContain('<!-- closed -->\nPlan\n\\---\n\\<!-- open');
  const second = life.say(first, '<https://a.example>\n\n#tag\n===');
  life.answer(second, '```\ncode\n```\n---\n<!-- done -->\n---');
  const more = await writtenText(markdown, life.written);
  expect(more).toContain('\n<https://a.example>\n\n#tag\n\\===');
  expect(more).toContain('\n```\ncode\n```\n---\n<!-- done -->\n---');
});

test('Markdown: what is asked about a tag or a type keeps it, in the heading too', async () => {
  const life = new Talk();
  life.say(null, 'Is List<String> a <div>?');
  const text = await writtenText(markdown, life.written);
  expect(text.match(/Is List\\<String> a \\<div>\?/g)).toHaveLength(2);
});

test('Markdown: code in a list ends with its item, and code left open there is closed there', async () => {
  const life = new Talk();
  const first = life.say(null, 'How do I install it?');
  life.answer(first, '1. ```sh\n   npm i\n   ```\n\n# Next');
  const second = life.say(first, 'And then?');
  life.answer(second, '1. Run\n   ```sh\n   npm start', { state: 'stopped' });
  const text = await writtenText(markdown, life.written);
  expect(text).toContain('1. ```sh\n   npm i\n   ```\n\n#### Next\n');
  expect(text).toContain('   npm start\n   ```\n');
});

test('Markdown and HTML of one path hold nothing that is off it', async () => {
  const { life } = talk();
  for (const writer of [markdown, htmlPage]) {
    const text = await writtenPath(writer, life.written);
    expect(text).toContain('Which wood?');
    expect(text).not.toContain('And in summer?');
    expect(text).not.toContain('dinner');
  }
});

test('HTML: whatever is said stays words: no script, no handler, nothing that is fetched', async () => {
  const evil = `<script>alert(1)</script><img src=x onerror="alert(2)">\n\n![p](https://example.org/p.png) [x](javascript:alert(3)) </style></title><iframe src="//e">`;
  const life = new Talk();
  const turn = life.say(null, evil);
  life.answer(turn, evil, { model: evil });
  life.answer(turn, `<think>${evil}</think>\n\n${evil}`);
  life.record({ type: 'topic-titled', treeId: life.forest.nodes[turn]?.treeId ?? '', title: evil, by: 'person' });
  life.record({ type: 'turn-noted', nodeId: turn, note: evil }, 'a note');
  life.record({ type: 'reply-settings-set', settings: { ...defaultReplySettings, systemPrompt: evil } });
  const text = await writtenText(htmlPage, { ...life.written, title: evil });
  const tags = [...text.matchAll(/<\/?([a-z][a-z0-9]*)((?:"[^"]*"|[^>"])*)>/gi)];
  const names = new Set(tags.map(([, name]) => name?.toLowerCase()));
  for (const name of ['script', 'img', 'iframe', 'link', 'object', 'embed', 'form']) expect(names).not.toContain(name);
  for (const [, , attributes = ''] of tags) expect(attributes).not.toMatch(/\son\w+=|javascript:|\ssrc=/i);
  expect(text).toContain("default-src 'none'");
  expect(text).toContain('prefers-color-scheme:dark');
});

test('HTML: a link leads to a web page, an e-mail address or a turn, or is only text', async () => {
  const life = new Talk();
  const links = '[a](?b=c) [d](irc://e.org) [f](https:?g) [h](https://i.org) [j](#turn-1) ![k](l.png)';
  life.answer(life.say(null, 'Links?'), links);
  expect(await writtenText(htmlPage, life.written)).toContain(
    '<p>a d f <a href="https://i.org" rel="noreferrer noopener">h</a> <a href="#turn-1" rel="noreferrer noopener">j</a> k</p>',
  );
});

test('HTML and Markdown: a reply that a conversation was given with is imported', async () => {
  const life = new Talk();
  life.answer(life.say(null, 'Hi'), 'Hello.', { model: GIVEN });
  expect(await writtenText(htmlPage, life.written)).toContain('<b>imported</b>');
  expect(await writtenText(markdown, life.written)).toContain('**imported**');
});

test('HTML: a formula stays as it was written', async () => {
  const life = new Talk();
  const turn = life.say(null, 'And in signs?');
  life.answer(turn, 'So $a*b*c$, or\n\n\\[ \\begin{pmatrix} a \\\\\nb \\end{pmatrix} \\]\n\nand `$x*y*z$`.');
  const text = await writtenText(htmlPage, life.written);
  expect(text).toContain('<code style="white-space:pre-wrap">$a*b*c$</code>');
  expect(text).toContain('>\\[ \\begin{pmatrix} a \\\\\nb \\end{pmatrix} \\]</code>');
  expect(text).toContain('<code>$x*y*z$</code>');
});

test('HTML: a reply that Markdown cannot draw is shown as it was written, among the others', async () => {
  const life = new Talk();
  const replies = ['*Before.*', `${'> '.repeat(20_000)}x`, '*After.*'];
  for (const reply of replies) life.answer(life.say(null, 'Quote me'), reply);
  const text = await writtenText(htmlPage, life.written);
  expect(text).toContain('<em>Before.</em>');
  expect(text).toContain('<p class="said" dir="auto">&gt; &gt; ');
  expect(text).toContain('<em>After.</em>');
});

test('the picture is well-formed XML with a card a turn, whatever is said', async () => {
  const { life } = talk();
  life.say(null, '<&"\u0007 ]]> \u{1F6A2} '.repeat(60));
  const svg = await writtenText(vectorPicture, life.written);
  expect(svg.match(/rx="8"/g)).toHaveLength(5);
  expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;)|href|url\(|var\(/);
  expect(svg).not.toContain('\u0007');
  expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
});

test('the picture: a title ends before the next one, and before the edge', async () => {
  const life = new Talk();
  for (const topic of ['oak', 'elm', 'ash']) life.say(null, `Is the ${topic} here older than the church? `.repeat(2));
  const svg = await writtenText(vectorPicture, life.written);
  const edge = Number(/width="(\d+)"/.exec(svg)?.[1]);
  const titles = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="14"[^>]*>([^<]*)</g)];
  expect(titles.map(([, , , words]) => words)).toEqual(
    ['oak', 'elm', 'ash'].map((topic) => expect.stringMatching(new RegExp(`^Is the ${topic} .*…$`))),
  );
  for (const [at, [, x, y, words = '']] of titles.entries()) {
    const [, next, row] = titles[at + 1] ?? [];
    expect(row ?? y).toBe(y);
    expect(Number(x) + words.length * 14 * 0.58).toBeLessThan(next === undefined ? edge - 32 : Number(next));
  }
});

test('the picture: a text without spaces is broken into lines, and no letter is lost', async () => {
  const life = new Talk();
  life.say(null, '木'.repeat(60));
  life.say(null, `see ${'x'.repeat(24)} here`);
  const svg = await writtenText(vectorPicture, life.written);
  const lines = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, words = '']) => words);
  const trees = lines.filter((line) => /^木+…?$/.test(line)).slice(1);
  expect(trees).toEqual(['木'.repeat(13), '木'.repeat(13), `${'木'.repeat(12)}…`]);
  expect(lines.slice(-3)).toEqual(['see', 'x'.repeat(22), 'xx here']);
});

test('Mermaid: a box a topic, an arrow from each turn to what follows it, nothing said breaks out of its label', async () => {
  const { life } = talk();
  life.say(null, 'say "end" [a] {b} ; `c` #1');
  const text = await writtenText(mermaid, life.written);
  expect(text.match(/subgraph/g)).toHaveLength(3);
  expect(text.match(/-->/g)).toHaveLength(2);
  expect(text).toContain('t1 --> t3');
  for (const line of text.split('\n')) expect((line.match(/"/g) ?? []).length % 2).toBe(0);
  expect(text).toContain('#34;end#34;');
});

test.each([
  ['1. Oaks', '1#46; Oaks'],
  ['12) Oaks', '12#41; Oaks'],
  ['- Oaks', '#45; Oaks'],
  ['***', '#42;**'],
  ['3 oaks - old', '3 oaks - old'],
])('Mermaid: a topic called %j is no list', async (title, shown) => {
  const { life, root } = talk();
  life.record({ type: 'topic-titled', treeId: life.forest.nodes[root]?.treeId ?? '', title, by: 'person' }, 'a title');
  expect(await writtenText(mermaid, life.written)).toContain(`["${shown}"]`);
});

test('what a format has no place for is named, as far as the conversation has it', () => {
  const { life, root, next } = talk();
  life.record({ type: 'turn-noted', nodeId: root, note: 'remember' }, 'a note');
  life.record({ type: 'turns-hidden', nodeIds: [next], hidden: true }, 'hiding');
  const conversation = life.written;
  const missing = resultOf(lostParts(sftMessages, conversation, 'forest'));
  expect(missing).toEqual(
    expect.arrayContaining([
      '1 note',
      '1 hidden turn',
      '2 replies beside the shown ones',
      '1 unanswered message at the end of a path',
    ]),
  );
  expect(missing).not.toContain('your instructions to the model');
  expect(resultOf(lostParts(markdown, conversation, 'path'))).toContain('2 turns off the path');
  expect(resultOf(lostParts(markdown, conversation, 'forest'))).not.toContain('1 note');
  expect(resultOf(lostParts({ holds: ALL_PARTS }, conversation, 'forest'))).toEqual([]);
  expect(unsupportedParts({ holds: ALL_PARTS.filter((part) => part !== 'notes') })).toEqual(['notes']);
});

test('what a format leaves out of a long conversation is counted in steps, and only what is asked about is read', () => {
  const entries = syntheticLog(300, 3);
  const plain = { id: 'a', title: 'A', entries, forest: frozen(fold(entries)) };
  const { forest, reads } = reopened(plain.forest);
  for (const writer of WRITERS) {
    const { result, counts } = doneInSteps(lostParts(writer, { ...plain, forest }, 'forest'), () => reads.texts);
    expect(counts.length).toBeGreaterThan(4);
    expect(result).toEqual(resultOf(lostParts(writer, plain, 'forest')));
  }
  // Not even once, if only where turns are is left out.
  reads.texts = 0;
  resultOf(
    lostParts(
      { holds: ALL_PARTS.filter((part) => part !== 'times' && part !== 'notes') },
      { ...plain, forest },
      'forest',
    ),
  );
  expect(reads.texts).toBe(0);
});
