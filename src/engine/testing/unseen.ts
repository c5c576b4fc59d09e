/** Of a topic or a turn whose replies and vectors are not known. */
const noVectors = { tipMessage: null, tipReply: null, messages: null, replies: null };
export const unseenTurn = { replySimilarity: 0, vectors: noVectors };
export const unseenTopic = { ...unseenTurn, activeReplySimilarity: 0 };
