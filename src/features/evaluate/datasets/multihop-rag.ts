import * as z from 'zod/mini';
import { itemsOf, type LabelledTurn, type Question, type QuestionedDialogue } from './dialogues.ts';

const Article = z.object({
  title: z.string(),
  source: z.string(),
  published_at: z.string(),
  url: z.string(),
  body: z.string(),
});
const Query = z.object({
  query: z.string(),
  answer: z.string(),
  question_type: z.string(),
  evidence_list: z.array(z.object({ url: z.string(), fact: z.string() })),
});

/** Characters of a passage: about the 256 tokens of the authors' own. */
const PASSAGE = 1000;
/** A question that cannot be answered from the articles. */
const UNANSWERABLE = 'null_query';

/**
 * MultiHop-RAG (Tang and Yang 2024, arXiv 2401.15391), in its two files `corpus.json` and `MultiHopRAG.json`: news articles
 * and questions that need several of them. MemTree measures a memory on it, and so it is read as one conversation in
 * which the articles are told one after the other, by date: a turn without a reply for each passage, with its title, source
 * and date, which questions speak of.
 *
 * The evidence of a question are the passages that its facts stand in. A question of whose facts one stands in no passage of
 * its article word for word has none, and is not counted; nor is one that cannot be answered.
 */
export const readMultihopRag = (corpus: string, queries: string): QuestionedDialogue[] => {
  const articles = itemsOf(corpus, Article).toSorted((a, b) => a.published_at.localeCompare(b.published_at));
  const turns: LabelledTurn[] = [];
  const passages = new Map<string, { readonly turn: number; readonly plain: string }[]>();
  for (const { title, source, published_at, url, body } of articles) {
    const at = Date.parse(published_at);
    const day = Number.isNaN(at) ? published_at : new Date(at).toISOString().slice(0, 10);
    const own = passages.get(url) ?? [];
    for (const passage of passagesOf(body)) {
      own.push({ turn: turns.length, plain: plain(passage) });
      turns.push({
        message: `${title} (${source}, ${day})\n${passage}`,
        reply: null,
        parent: null,
        disputed: false,
        ...(!Number.isNaN(at) && { at }),
      });
    }
    passages.set(url, own);
  }
  const questions = itemsOf(queries, Query).map(({ query, answer, question_type, evidence_list: facts }): Question => {
    const turnsOf = facts.map(({ url, fact }) => {
      const words = plain(fact);
      return (passages.get(url) ?? []).filter((passage) => passage.plain.includes(words)).map(({ turn }) => turn);
    });
    const known = turnsOf.every((found) => found.length > 0);
    return {
      text: query,
      answers: question_type === UNANSWERABLE ? [] : [answer],
      evidence: known ? [...new Set(turnsOf.flatMap(([first]) => first ?? []))] : [],
    };
  });
  return [{ set: 'multihop-rag', id: 'articles', group: 'multihop-rag', labels: 'topics', turns, questions }];
};

/** Sentences as they follow each other, as many as a passage has room for; one that is longer stands alone. */
const passagesOf = (body: string): string[] => {
  const passages: string[] = [];
  for (const sentence of body.match(/[^.!?\n]+(?:[.!?]+["”’)]*|\n+|$)\s*|[.!?\n]+/g) ?? []) {
    const last = passages.at(-1);
    if (last === undefined || last.length + sentence.length > PASSAGE) passages.push(sentence);
    else passages[passages.length - 1] = last + sentence;
  }
  return passages.map((passage) => passage.trim()).filter((passage) => passage !== '');
};

/** Letters and figures alone: white space and quotation marks differ between the two files. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
