import { describe, expect, it } from 'vitest';
import { type Node, newTurnDefaults } from '../../../domain/forest.ts';
import { defaultReplySettings } from '../../../domain/reply.ts';
import { isRecalled } from '../../../engine/embedded-names.ts';
import type { ChatRequest, NodeView, TokenCounter } from '../../../engine/ports.ts';
import { createRecall, recalled } from './recall.ts';

const tokens: TokenCounter = { name: 'words', count: async (texts) => texts.map((text) => text.split(' ').length) };
const recall = createRecall({ tokens, wordDelay: () => 0 });

const view = (number: number, message: string, reply: string | null, similarity = 0): NodeView => {
  const node: Node = {
    id: `n${number}`,
    number,
    treeId: 't',
    branchId: 'b',
    parentId: number === 1 ? null : `n${number - 1}`,
    message,
    at: number,
    replies:
      reply === null
        ? []
        : [
            {
              id: 'r',
              text: reply,
              state: 'done',
              model: 'm',
              at: 0,
              failure: null,
              context: null,
              timings: [],
              usage: null,
            },
          ],
    replyId: reply === null ? null : 'r',
    summary: null,
    decision: { topic: 'continue-topic', branch: 'continue-branch', by: 'engine', trace: null },
    label: null,
    ...newTurnDefaults,
  };
  return { nodeId: node.id, node, similarity };
};

const request = (message: string, path: NodeView[], nearest: NodeView[] = [], begun = ''): ChatRequest => ({
  messages: [{ role: 'user', content: message }],
  begun,
  settings: defaultReplySettings,
  quotable: () => ({ path, nearest }),
});

const FERRY = view(
  1,
  'When does the ferry leave?',
  'It is a small harbour. The ferry leaves at nine from pier four.',
  0.6,
);
const TENT = view(2, 'Which tent suits two people?', 'A dome tent of three kilos is enough.', 0.05);
const ASKED = 'Remind me when the ferry leaves from the harbour';

const read = async (asked: ChatRequest, chat = recall): Promise<string[]> => {
  const pieces: string[] = [];
  for await (const piece of chat.reply(asked, new AbortController().signal)) pieces.push(piece);
  return pieces;
};

describe('recall', () => {
  it('names itself no language model and quotes the sentence that fits, with a link', () => {
    const text = recalled(request(ASKED, [FERRY, TENT]));
    expect(text).toMatch(/no(t a)? language model/);
    expect(text).toContain('> The ferry leaves at nine from pier four.\n>\n> — the reply, [Turn 1](#turn-1)');
    expect(text).not.toContain('tent');
  });

  it('tells quotes of the path from those of elsewhere', () => {
    const text = recalled(request(ASKED, [TENT], [FERRY]));
    expect(text).toContain('Elsewhere');
    expect(text).not.toContain('On this path');
  });

  it('says plainly when nothing fits, and what to do', () => {
    const text = recalled(request('How do whales sleep?', [{ ...FERRY, similarity: 0.1 }, TENT]));
    expect(text).toContain('Nothing said so far');
    expect(text).toContain('Models');
    expect(text).not.toContain('>');
  });

  it('quotes neither the message itself nor its own earlier replies', () => {
    const own = view(3, 'What of the ferry?', recalled(request('What of the ferry?', [FERRY])), 0.6);
    const text = recalled(request(ASKED, [FERRY, own, view(4, ASKED, null, 1)]));
    expect(text).not.toContain(`> ${ASKED}`);
    expect(text.match(/\(#turn-3\)/g)?.length ?? 0).toBeLessThan(2);
    expect(text).not.toMatch(/> (I am recall|No language model|This is recall)/);
  });

  it('quotes the earlier answer where a question is repeated', () => {
    const text = recalled(request(FERRY.node.message, [FERRY]));
    expect(text).toContain('> The ferry leaves at nine from pier four.');
    expect(text).not.toContain(`> ${FERRY.node.message}`);
  });

  it('answers the message, not what is sent before it', () => {
    const asked = request(ASKED, [FERRY, TENT]);
    const sent = request(`Which tent suits two people? A dome tent of three kilos is enough.\n\n${ASKED}`, []);
    const quotable = () => ({ ...asked.quotable(), message: ASKED });
    expect(recalled({ ...sent, quotable })).toBe(recalled(asked));
  });

  it('does not let a quote become markup', () => {
    const text = recalled(
      request('What does snake_case[0] mean?', [view(1, 'x', 'snake_case[0] is <b>an index</b> | a name.', 0.7)]),
    );
    expect(text).toContain('snake\\_case[0\\]');
    expect(text).not.toContain('<b>');
  });

  it('does not let quoted code or money become a formula', () => {
    const code = 'rows = [parse(r) for r in reader] costs $5 or $x$';
    const text = recalled(request('What does rows = [parse(r)] cost?', [view(1, code, null, 0.7)]));
    expect(text).toContain('> rows = [parse(r) for r in reader\\] costs \\$5 or \\$x\\$');
  });

  it.each([
    ['de', 'Was soll ich mit dem alten Auto machen?', 'Was soll ich heute mit dem Hund machen?', false],
    ['de', 'ich habe eine frage zur steuer', 'ich habe eine katze', false],
    ['fr', "Qu'est-ce que je peux faire pour le dîner ?", "Qu'est-ce que je peux faire pour mon dos ?", false],
    ['es', '¿Qué puedo hacer con el pollo que sobró?', '¿Qué puedo hacer con mi perro?', false],
    ['de', 'Mein Hund heißt Bello und ist drei Jahre alt.', 'Wie heißt mein Hund?', true],
    ['es', 'Mi perro se llama Toby y come poco.', '¿cómo se llama mi perro?', true],
    ['ja', 'うちの猫の名前はタマです。', '猫の名前は何だった？', true],
    ['ja', '今日は東京で会議があります。', '猫の名前は何だった？', false],
  ])('compares the words that carry the subject, in the language spoken (%s): %s', (spoken, said, asked, fits) => {
    const turns = request(asked, [view(1, said, null)]).quotable();
    const text = recalled({ messages: [], quotable: () => ({ ...turns, message: asked, spoken }) });
    expect(text.includes('[Turn 1]')).toBe(fits);
  });

  it.each([
    ['de', 'Unser Hotel heißt Adler.', 'Wie heißt unser Hotel?', true],
    ['de', 'Mein Name ist Max Berger.', 'Wie ist mein Name?', true],
    ['de', 'Die Party ist am Samstag.', 'Wann ist die Party?', true],
    ['de', 'Der Test ist am Freitag.', 'Wann ist der Test?', true],
    ['de', 'Ich mag keine Pilze.', 'Was mag ich nicht?', true],
    ['de', 'Der Bus ist um acht gekommen.', 'Wann ist die Party?', false],
    ['fr', 'Mon hôtel est à Nice.', 'Où est mon hôtel ?', true],
    ['fr', 'Mon budget est de 500 euros.', 'Quel est mon budget ?', true],
    ['fr', 'Le bus part à huit heures.', 'Quand part le bus ?', true],
    ['es', 'El bus sale a las ocho.', '¿Cuándo sale el bus?', true],
    ['es', 'Mi plan es viajar en mayo.', '¿Cuál es mi plan?', true],
    ['es', 'Trabajo en un hospital.', '¿Dónde trabajo?', true],
    ['es', 'Mi hotel es caro.', '¿Cuál es mi plan?', false],
    ['it', 'Ho 34 anni e vivo a Torino.', 'Quanti anni ho?', true],
  ])('finds words that are spelt like common English ones (%s): %s', (spoken, said, asked, fits) => {
    const turns = request(asked, [view(1, said, null, 0.3)]).quotable();
    const text = recalled({ messages: [], quotable: () => ({ ...turns, message: asked, spoken }) });
    expect(text.includes('[Turn 1]')).toBe(fits);
  });

  it('keeps most of a long quote in a script without spaces', () => {
    const said = `猫叫 ${'小白今年三岁'.repeat(80)}`;
    const turns = request('x', [view(1, said, null, 0.9)]).quotable();
    const text = recalled({ messages: [], quotable: () => ({ ...turns, message: '猫叫什么名字', spoken: 'zh' }) });
    expect(text).toContain('小白今年三岁'.repeat(40));
  });

  it('reads nothing again of a turn that it has read and that does not fit', () => {
    let read = 0;
    const message = 'Which tent suits two people?';
    const { node, ...tent } = TENT;
    const watched = Object.defineProperty({ ...node }, 'message', {
      get: () => {
        read += 1;
        return message;
      },
    });
    const path = [{ ...tent, node: watched }, FERRY];
    const text = recalled(request(ASKED, path));
    expect(read).toBeGreaterThan(0);
    read = 0;
    expect(recalled(request(ASKED, path))).toBe(text);
    expect(read).toBe(0);
  });

  it('streams in pieces that make up the text, where there is no delay in one', async () => {
    const text = recalled(request(ASKED, [FERRY]));
    const pieces = await read(request(ASKED, [FERRY]), createRecall({ tokens, wordDelay: () => 1 }));
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(text);
    expect(await read(request(ASKED, [FERRY]))).toEqual([text]);
  });

  it('goes on exactly after what it had said', async () => {
    const whole = recalled(request(ASKED, [FERRY]));
    for (const cut of [0, 7, 40, whole.length - 1, whole.length]) {
      expect(whole.slice(0, cut) + (await read(request(ASKED, [FERRY], [], whole.slice(0, cut)))).join('')).toBe(whole);
    }
  });

  it('sets the whole off where what was said no longer fits', async () => {
    expect((await read(request(ASKED, [FERRY], [], 'Something else')))[0]).toMatch(/^\n\n/);
  });

  it('stops when it is told to, also while it waits', async () => {
    const slow = createRecall({ tokens, wordDelay: () => 60_000 });
    const stop = new AbortController();
    const pieces = slow.reply(request(ASKED, [FERRY]), stop.signal)[Symbol.asyncIterator]();
    const next = pieces.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('knows its own replies from others', () => {
    expect(isRecalled(recalled(request(ASKED, [FERRY])))).toBe(true);
    expect(isRecalled('I recall the ferry leaves at nine.')).toBe(false);
  });
});
