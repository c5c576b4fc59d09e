import type { WriteOptions, Writer, WrittenConversation } from '../writer.ts';
import { writeFile } from '../writers.ts';

const SOME_INKS: WriteOptions['inks'] = {
  ground: '#fbfaf7',
  panel: '#ffffff',
  ink: '#222222',
  quiet: '#666666',
  line: '#dddddd',
  topics: ['#111111', '#333333'],
};

async function* oneByOne(conversations: readonly WrittenConversation[]) {
  yield* conversations;
}

/** The text of the file written from some conversations; null if there is none. */
const written = async (
  writer: Writer,
  conversations: readonly WrittenConversation[],
  options: Partial<WriteOptions> = {},
): Promise<string | null> => {
  const whole: WriteOptions = { scope: 'forest', inks: SOME_INKS, now: 1_700_000_000_000, ...options };
  const file = await writeFile(writer, oneByOne(conversations), whole, new AbortController().signal);
  return file === null ? null : file.text();
};

export const writtenText = async (writer: Writer, ...conversations: WrittenConversation[]): Promise<string> =>
  (await written(writer, conversations)) ?? '';

/** The same for the active path only. */
export const writtenPath = async (writer: Writer, conversation: WrittenConversation): Promise<string> =>
  (await written(writer, [conversation], { scope: 'path' })) ?? '';
