/* Conversations whose language has been told of: the person has seen it, on this device. */

const KEY = 'coppice-language-noted';
const KEPT = 200;

const read = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
};

let noted = read();

export const isNoted = (conversationId: string): boolean => noted.includes(conversationId);

export const note = (conversationId: string): void => {
  noted = [conversationId, ...noted.filter((id) => id !== conversationId)].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(noted));
  } catch {
    // Holds for this visit only.
  }
};
