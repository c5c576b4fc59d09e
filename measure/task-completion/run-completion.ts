import { contextAgent } from '../../src/engine/context/policies/context-agent.ts';
import { fullHistory } from '../../src/engine/context/policies/flat-policies.ts';
import { ALL_POLICIES } from '../../src/engine/context/policies/policies.ts';
import type { Policy } from '../../src/engine/context/policy.ts';
import type { DataFile } from '../../src/features/evaluate/datasets/data-files.ts';
import { learnedFor } from '../../src/features/evaluate/held-out/held-out-deciders.ts';
import type { RunInfo } from '../../src/features/evaluate/measurement/report.ts';
import { UnknownSubject } from '../../src/features/evaluate/measurement/subjects.ts';
import type { FigureRow } from '../../src/features/evaluate/measurement/tables.ts';
import { modelsFromDisk } from '../../src/models/embedded/testing/models-from-disk.ts';
import { baseUrlOf } from '../../src/models/runtimes/server/base-url.ts';
import { type createProgressBar, UsageError } from '../command-line.ts';
import { promptedSubject, serverModel } from '../server-model.ts';
import { completionReport, measureCompletion } from './completion.ts';
import { type Judge, judgeBy, judgesNamed, type ModelAt, sameModel } from './judges.ts';
import { tasksIn } from './tasks.ts';

export interface CompletionOptions {
  readonly server: string;
  readonly model: string;
  /** `NAME[@ADDRESS]`. */
  readonly judges: readonly string[];
  readonly policies: readonly string[];
  readonly deciders: readonly string[];
  /** Number of dialogues to play; null for all. */
  readonly most: number | null;
  /** Environment variables that hold the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The policies compared by default. */
const USUAL: readonly Policy[] = [contextAgent, fullHistory];

/** Measures task completion on the NTM dialogues of a folder (`--complete`). Rejects with a message for the caller. */
export const runCompletion = async (
  files: readonly DataFile[],
  { server, model, judges: names, policies: wanted, deciders, most, environment }: CompletionOptions,
  bar: ReturnType<typeof createProgressBar>,
  circumstances: RunInfo,
): Promise<{ readonly report: string; readonly rows: readonly FigureRow[] }> => {
  const policies = policiesNamed(wanted);
  const [decider = 'learned', another] = deciders;
  if (another !== undefined || (decider !== 'learned' && decider !== 'prompted')) {
    throw new UsageError('--complete has the turns placed by --decider learned, or --decider prompted.');
  }
  const chat: ModelAt = { model, address: baseUrlOf(server), key: environment.COPPICE_SERVER_KEY ?? '' };
  const judging = judgesNamed(names, chat, environment);
  const tasks = tasksIn(files).slice(0, most ?? undefined);
  if (tasks.length === 0)
    throw new UsageError('--complete plays the dialogues of ntm/*.jsonl, and the folder has none.');

  const generator = await serverModel(chat.address, chat.model, chat.key);
  const judges: Judge[] = [];
  for (const { address, model: name, key } of judging) judges.push(judgeBy(await serverModel(address, name, key)));
  const prompted = decider === 'prompted' ? await promptedSubject(chat.address, chat.model, chat.key) : null;
  const measured = await measureCompletion(tasks, {
    policies,
    chat: generator,
    judges,
    deciderFor: prompted?.placing.deciderFor ?? learnedFor,
    models: await modelsFromDisk(),
    progress: bar.show,
  });
  bar.end();
  const remarks = prompted === null ? measured.remarks : [...measured.remarks, prompted.summary()];
  const cast = {
    chat: generator.name,
    decider,
    judges: judges.map(({ name }) => name),
    itself: judging.every((one) => sameModel(one, chat)),
  };
  return { report: completionReport(tasks, { ...measured, remarks }, cast, circumstances), rows: measured.rows };
};

const policiesNamed = (names: readonly string[]): readonly Policy[] => {
  const known = ALL_POLICIES.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnknownSubject(
      `There is no policy “${unknown}” that a chat model can answer under. The policies are: ${known.join(', ')}.`,
    );
  }
  return names.length === 0 ? USUAL : ALL_POLICIES.filter(({ name }) => names.includes(name));
};
