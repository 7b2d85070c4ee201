import { AppError } from "@canvass/errors";
import { createKeyedSemaphore } from "@canvass/fairness";
import { createThreads } from "@canvass/fairness/threads";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";
import { answerCalls } from "../exports/thread-calls.ts";
import type { ComputationName, ComputationWork, InputOf, ResultOf } from "./computation.ts";
import type { RespondentQuery } from "./matching-respondents.ts";

export interface Computations extends AsyncDisposable {
  /**
   * Computes over the respondents that match, in a thread with a snapshot of its own. Workspaces take turns. Throws
   * `rate_limited` if the workspace has too many under way or waiting, `service_unavailable` if all workspaces together
   * have, `deadline_exceeded` if it takes too long, and the signal's reason if the caller leaves.
   */
  run<Name extends ComputationName>(
    name: Name,
    query: RespondentQuery,
    input: InputOf<Name>,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>>;
}

export interface ComputationOptions {
  databaseUrl: string;
  surveys: Pick<SurveyDirectory, "version">;
  /** Under way and waiting, of a workspace and in all. */
  perWorkspace?: number;
  total?: number;
  /** Less than the deadline of such requests, so that the message says what to do. */
  longestMs?: number;
  program?: URL;
}

/** Computations that run at a time. A workspace runs one, so it never takes both threads. */
const atOnce = 2;
const ownProgram = new URL("./computation-thread.ts", import.meta.url);
/** In MiB. A computation that needs more fails alone. */
const mostMemory = 512;
const idleMs = 60_000;

export function openComputations(options: ComputationOptions): Computations {
  const { databaseUrl, surveys, perWorkspace = 4, total = 32, longestMs = 28_000, program = ownProgram } = options;
  const permits = createKeyedSemaphore({ perKey: perWorkspace, total, reserved: total / 2, counted: "computations" });
  const turns = createKeyedSemaphore({ perKey: 1, total: atOnce, maxWaiting: Infinity });
  const threads = createThreads<ComputationWork, unknown>({ program, mostMemory, idleMs });
  return {
    async run(name, query, input, signal) {
      const { workspaceId, surveyId } = query;
      using _permit = permits.acquire(workspaceId);
      const tooLate = AbortSignal.timeout(longestMs);
      const either = AbortSignal.any([signal, tooLate]);
      const host = {
        definition: async (versionId: string) =>
          (await surveys.version({ workspaceId, surveyId, versionId })).definition,
      };
      let thrown: { error: unknown } | undefined;
      try {
        const work = { name, query, input, databaseUrl };
        const result = await turns.run(workspaceId, either, () =>
          threads.run(work, either, (thread) => answerCalls(thread, host, (error) => (thrown ??= { error }))),
        );
        return result as never;
      } catch (error) {
        if (tooLate.aborted) throw tookTooLong(longestMs);
        throw thrown && !signal.aborted ? thrown.error : error;
      }
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

function tookTooLong(longestMs: number): AppError {
  const message = `Counting took longer than ${longestMs / 1000} seconds. Ask for fewer respondents, for example by \`from\` and \`to\`.`;
  return new AppError("deadline_exceeded", {}, message);
}
