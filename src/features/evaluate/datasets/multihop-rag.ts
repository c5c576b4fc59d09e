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

/** Maximum characters per passage: about the 256 tokens that the authors use. */
const PASSAGE = 1000;
/** A question that cannot be answered from the articles. */
const UNANSWERABLE = 'null_query';

/**
 * MultiHop-RAG (Tang and Yang 2024, arXiv 2401.15391), in its two files `corpus.json` and `MultiHopRAG.json`: news articles
 * and questions that each need several of them. MemTree evaluates a memory on it, so it is read as one conversation in which
 * the articles are told in order of date. Each passage is a turn without a reply, with its title, source and date, which the
 * questions mention.
 *
 * A question's evidence is the passages that contain its facts. If any of its facts is not found word for word in a passage
 * of its article, the question has no evidence and is not counted; nor are unanswerable questions.
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

/** Packs consecutive sentences into passages up to the size limit; a longer sentence gets its own passage. */
const passagesOf = (body: string): string[] => {
  const passages: string[] = [];
  for (const sentence of body.match(/[^.!?\n]+(?:[.!?]+["”’)]*|\n+|$)\s*|[.!?\n]+/g) ?? []) {
    const last = passages.at(-1);
    if (last === undefined || last.length + sentence.length > PASSAGE) passages.push(sentence);
    else passages[passages.length - 1] = last + sentence;
  }
  return passages.map((passage) => passage.trim()).filter((passage) => passage !== '');
};

/** Keeps only letters and digits: white space and quotation marks differ between the two files. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
