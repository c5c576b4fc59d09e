import { EMBEDDER } from '../src/engine/embedded-names.ts';
import { errorMessage, ModelFailure } from '../src/engine/model-failure.ts';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import { atMost, NTM_LABELS, readDataFiles } from '../src/features/evaluate/datasets/data-files.ts';
import { BrokenLabels } from '../src/features/evaluate/datasets/dialogues.ts';
import { curvesOf } from '../src/features/evaluate/measurement/curves.ts';
import { textsToEmbed } from '../src/features/evaluate/measurement/measure.ts';
import { inShortOf, introOf, needReport, paperTokens, reportOf } from '../src/features/evaluate/measurement/report.ts';
import { subjectsNamed, UnknownSubject } from '../src/features/evaluate/measurement/subjects.ts';
import { rowsFile } from '../src/features/evaluate/measurement/tables.ts';
import { createProgressBar, ensureWritable, UsageError, withReport } from './command-line.ts';
import { curvesSvg } from './curves-svg.ts';
import { filesUnder, missedUnder } from './dialogues-on-disk.ts';
import { measureOnThreads, measureSets, setsIn } from './measure-sets.ts';
import { promptedSubject } from './server-model.ts';
import { runCompletion } from './task-completion/run-completion.ts';
import { tunedThresholds } from './tuned-thresholds.ts';
import { embedAll } from './vectors.ts';
/*
 * Measures decisions and contexts on labelled dialogues (docs/results.md):
 * npm run eval -- --data DIR [--most N] [--decider NAME …] [--policy NAME …] [--needs] [--json FILE] [--markdown FILE].
 * --most takes the first N dialogues of each set, and the first N questions of MultiHop-RAG, which is one dialogue. ImplexConv
 * needs it: all of it, over two million turns, fits no memory and takes days.
 * --decider prompted asks a language model, as in the paper: --server ADDRESS --model NAME of an OpenAI-compatible server; its
 * key, if it needs one, comes from the environment variable COPPICE_SERVER_KEY.
 * With --complete a chat model on the server does the tasks of ntm/*.jsonl, answering every turn from the context of each policy
 * (context-agent and full-history by default), and judges say which goals its last answers reach: --judge NAME[@ADDRESS], up to
 * two, whose agreement is measured too; by default the chat model itself. The key of a judge on another server comes from
 * COPPICE_JUDGE_KEY_1 or _2. --markdown then writes between <!-- task-completion --> and <!-- /task-completion -->.
 * --markdown writes between <!-- tables --> and <!-- /tables -->, and one table of all sets
 * between <!-- in-short --> and <!-- /in-short -->.
 * --needs measures only how much of what messages need is in the contexts (rewrites, everyday, LoCoMo; for what is read anew of
 * them, NTM too). Those figures go between <!-- needs --> and <!-- /needs -->, their curves into curves.svg beside the file, the
 * paper's tokens between <!-- paper-tokens --> and its end.
 * --tune prints the thresholds that the deciders by similarity should have, and measures nothing.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const USAGE =
  'usage: npm run eval -- --data DIR [--most N] [--decider NAME …] [--policy NAME …] [--needs] [--json FILE] [--markdown FILE] ' +
  '[--server ADDRESS --model NAME [--complete [--judge NAME[@ADDRESS] …]]]';

/** Options that take several values. */
const MANY = ['--decider', '--policy', '--judge'];

const optionsFrom = (args: readonly string[]) => {
  const names = { type: 'string', multiple: true } as const;
  const text = { type: 'string' } as const;
  try {
    // `--decider a b` is what the usage says; the parser knows only `--decider a --decider b`.
    let option = '';
    const spread = args.flatMap((arg) => {
      if (arg.startsWith('--')) option = arg;
      else if (MANY.includes(option)) return [`${option}=${arg}`];
      return MANY.includes(arg) ? [] : [arg];
    });
    return parseArgs({
      args: spread,
      options: {
        data: text,
        most: text,
        decider: names,
        policy: names,
        json: text,
        markdown: text,
        server: text,
        model: text,
        judge: names,
        complete: { type: 'boolean' },
        needs: { type: 'boolean' },
        tune: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\n${USAGE}`);
  }
};

const main = async (): Promise<void> => {
  const args = process.argv.slice(2);
  const {
    data: folder,
    most,
    decider = [],
    policy = [],
    json,
    markdown,
    server,
    model,
    judge = [],
    complete = false,
    needs = false,
    tune = false,
  } = optionsFrom(args);
  if (folder === undefined || (server === undefined) !== (model === undefined)) throw new UsageError(USAGE);
  if (server === undefined && decider.includes('prompted'))
    throw new UsageError(`--decider prompted needs a server.\n${USAGE}`);
  if (!complete && judge.length > 0) throw new UsageError(`--judge is for --complete.\n${USAGE}`);
  if (needs && (complete || tune)) throw new UsageError(`--needs is a measurement of its own.\n${USAGE}`);
  if (complete && tune) throw new UsageError(`--complete and --tune are two measurements.\n${USAGE}`);
  if (complete && (server === undefined || model === undefined)) {
    throw new UsageError(`--complete needs a chat model: --server ADDRESS --model NAME.\n${USAGE}`);
  }
  const part = complete ? 'task-completion' : needs ? NEEDS : 'tables';
  const before = markdown === undefined ? null : await readFile(markdown, 'utf8').catch(() => null);
  if (markdown !== undefined) checked(markdown, () => withReport('', before, part));
  // Before measuring, which may take hours.
  for (const file of [json, markdown]) if (file !== undefined) await ensureWritable(file);
  const circumstances = {
    command: ['npm run eval --', ...args.map((arg) => (arg === folder ? 'DIR' : arg === json ? 'FILE' : arg))].join(
      ' ',
    ),
    date: new Date(),
    versions: [`Node ${process.versions.node}`, `Coppice ${manifest.version}`, `embedder ${EMBEDDER}`],
  };
  const filesIn = async () => {
    const missed = await missedUnder(folder);
    if (missed !== null) warn(`Not read: ${missed}. What is read of ${folder}: ${EXPECTED}.`);
    return filesUnder(folder);
  };
  const bar = createProgressBar(process.stderr);

  if (complete && server !== undefined && model !== undefined) {
    const named = { server, model, judges: judge, policies: policy, deciders: decider, most: countOf(most) };
    const options = { ...named, environment: process.env };
    const { report, rows } = await runCompletion(await filesIn(), options, bar, circumstances);
    console.log(report);
    if (json !== undefined) await writeFile(json, rowsFile(rows));
    if (markdown !== undefined) await writeFile(markdown, withReport(report, before, part));
    return;
  }
  const prompted =
    server === undefined || model === undefined
      ? null
      : await promptedSubject(server, model, process.env.COPPICE_SERVER_KEY ?? '');
  const subjects = subjectsNamed(decider, policy, prompted === null ? [] : [prompted.placing]);

  const files = await filesIn();
  const count = countOf(most);
  const data = count === null ? readDataFiles(files) : atMost(readDataFiles(files), count);
  if (files.length === 0) throw new UsageError(`${folder} has none of the sets: ${EXPECTED}.`);
  if (data.ntm.length === 0 && files.some(({ path }) => path === NTM_LABELS)) {
    warn(`${NTM_LABELS} is not used: none of its conversations is in ntm/*.jsonl.`);
  }

  await loadGlossaries();
  const vectorOf = await embedAll(
    textsToEmbed(data),
    () => undefined,
    (done, of) => bar.show(done, of, 'embedding'),
  );
  bar.end();
  if (tune) {
    for (const [name, { stay, back, score }] of Object.entries(await tunedThresholds(data, vectorOf))) {
      console.log(
        `${name}: stay ${stay.toFixed(2)}, back ${back.toFixed(2)} (mean topic-macro-f1 ${score.toFixed(3)})`,
      );
    }
    return;
  }
  // A server gets one request at a time.
  const measured =
    prompted === null
      ? await measureOnThreads(
          { folder, most: count, deciders: decider, policies: policy, needsOnly: needs },
          setsIn(data, needs),
          bar.show,
        )
      : await measureSets(data, subjects, needs, new Set(), bar.show);
  bar.end();

  const curves = curvesOf(measured.rows);
  const needed = needReport(measured.rows, curves.length === 0 ? null : CURVES);
  console.log(reportOf(measured, circumstances));
  if (prompted !== null) console.log(prompted.summary());
  if (json !== undefined) await writeFile(json, rowsFile(measured.rows));
  if (markdown === undefined) return;
  // A part without marks in the file stays in the report.
  const apart = (name: string, text: string): { readonly name: string; readonly text: string }[] =>
    text !== '' && before?.includes(`<!-- ${name} -->`) ? [{ name, text }] : [];
  const short = needs ? [] : apart(SHORT, inShortOf(measured));
  const parts = [
    ...(needs
      ? []
      : [
          {
            name: part,
            text: reportOf(measured, circumstances, {
              ...(short.length > 0 && { short: '' }),
              ...(apart(NEEDS, needed).length > 0 && { needed: '' }),
            }),
          },
        ]),
    ...short,
    ...(needs ? [{ name: NEEDS, text: `${introOf(circumstances)}\n\n${needed}` }] : apart(NEEDS, needed)),
    ...apart(PAPER, paperTokens(measured.rows) ?? ''),
  ];
  let file = before;
  for (const { name, text } of parts) file = withReport(text, file, name);
  await writeFile(markdown, file ?? '');
  if (curves.length > 0) await writeFile(join(dirname(markdown), CURVES), curvesSvg(curves));
};

/** Part of the report's file with all sets in one table; if the file has no marks for it, the report begins with it. */
const SHORT = 'in-short';
/** How much of what is needed contexts contain, by their size. */
const NEEDS = 'needs';
const PAPER = 'paper-tokens';
/** File of the curves, next to the report's. */
const CURVES = 'curves.svg';

const EXPECTED =
  'ntm/*.jsonl and ntm/labels.json; msc/**/*.txt or .jsonl; multihop-rag/corpus.json and MultiHopRAG.json; ' +
  '*.json or *.jsonl in everyday, sgd, tiage, cast2022, structflow, oasst, rewrites, coppice, study, topiocqa, msc-e, locomo, ' +
  'realtalk, implexconv';

const warn = (line: string): void => void process.stderr.write(`${line}\n`);

const countOf = (most: string | undefined): number | null => {
  if (most === undefined) return null;
  if (!/^[1-9]\d*$/.test(most)) throw new UsageError(`--most takes a whole number from 1 on, not “${most}”.`);
  return Number(most);
};

const checked = <T>(file: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${file}: ${errorMessage(error)}`);
  }
};

try {
  await main();
} catch (error) {
  if (
    !(
      error instanceof UsageError ||
      error instanceof BrokenLabels ||
      error instanceof UnknownSubject ||
      error instanceof ModelFailure
    )
  )
    throw error;
  warn(error.message);
  process.exitCode = 1;
}
