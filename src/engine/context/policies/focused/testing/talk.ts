import type { Node } from '../../../../../domain/forest.ts';
import { pathTo } from '../../../../../domain/queries.ts';
import type { ChatModel } from '../../../../ports.ts';
import { bareHost } from '../../../../testing/bare-host.ts';
import { countingChat } from '../../../../testing/plain-models.ts';
import { focused } from '../focused.ts';
import { lastingNeeds } from '../lasting-instructions.ts';

/** A conversation of messages and their replies. */
export const talk = async (...said: readonly (readonly [message: string, reply: string])[]) => {
  const replies = said.map(([, reply]) => reply);
  const base = countingChat(8192);
  const chat: ChatModel = {
    ...base,
    async *reply(request) {
      base.requests.push(request);
      yield replies[base.requests.length - 1] ?? 'Yes.';
    },
  };
  const host = bareHost({ chat }, { policy: focused, parameters: { pathFloor: 120, pathShare: 0, replyReserve: 10 } });
  const ids: string[] = [];
  for (const [message] of said) ids.push(await host.send(message));
  const { forest } = host.life;
  return { host, ids, path: pathTo(forest, ids.at(-1) as string) };
};

/** Why the parts of each turn of a path last, for a message. */
export const reasons = (path: readonly Node[], message: string) => {
  const lasting = lastingNeeds(path, message);
  return path.map(({ id }) => (lasting.get(id) ?? []).map(({ part, reason }) => `${part} ${reason}`));
};

/** A reply of some length that says nothing. */
export const chatter = (about: string): string =>
  Array.from({ length: 12 }, (_, i) => `A remark number ${i} on ${about}${i}, which nobody asked for ${about}.`).join(
    ' ',
  );
