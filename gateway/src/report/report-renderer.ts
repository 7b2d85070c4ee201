import { AppError } from "@canvass/errors";
import { createKeyedSemaphore } from "@canvass/fairness";
import { createThreads } from "@canvass/fairness/threads";
import type { Logger } from "@canvass/telemetry";
import type { ComputedTable } from "./computed-tables.ts";
import type { ReportedQuestion } from "./question-section.ts";
import type { ReportOpening } from "./report-page.ts";

export type ReportPart =
  | { kind: "opening"; opening: ReportOpening }
  | { kind: "table"; table: ComputedTable }
  | { kind: "questions"; questions: ReportedQuestion[] };

export interface ReportSession extends Disposable {
  render(part: ReportPart): Promise<string>;
}

export interface ReportRenderer extends AsyncDisposable {
  /** Throws `rate_limited` beyond the workspace's limit, and `service_unavailable` while no permit is left. */
  open(workspaceId: string): ReportSession;
}

export interface ReportRendererOptions {
  log: Pick<Logger, "warn">;
  perWorkspace?: number;
  total?: number;
  /** Milliseconds without a part until the thread ends. */
  idleMs?: number;
  /** Milliseconds until a part is given up; many times the duration of the parts of all reports together. */
  longestMs?: number;
  program?: URL;
}

const ownProgram = new URL("./report-worker.ts", import.meta.url);
/** MiB. The library itself takes 90 MB. */
const mostMemory = 256;

/** Renders parts of reports in one thread, round robin, so that a long report does not delay others. */
export function createReportRenderer(options: ReportRendererOptions): ReportRenderer {
  const { log, perWorkspace = 2, total = 6, idleMs = 30_000, longestMs = 60_000, program = ownProgram } = options;
  const permits = createKeyedSemaphore({ perKey: perWorkspace, total, reserved: total / 2, counted: "reports" });
  const turns = createKeyedSemaphore({ perKey: 1, total: 1, maxWaiting: Infinity });
  const threads = createThreads<ReportPart, string>({ program, mostMemory, idleMs });

  async function render(workspaceId: string, part: ReportPart): Promise<string> {
    const signal = AbortSignal.timeout(longestMs);
    try {
      return await turns.run(workspaceId, signal, () => threads.run(part, signal));
    } catch (err) {
      log.warn({ err, part: part.kind }, "a part of a report was not rendered");
      throw new AppError("service_unavailable");
    }
  }

  return {
    open(workspaceId) {
      const permit = permits.acquire(workspaceId);
      return { render: (part) => render(workspaceId, part), [Symbol.dispose]: () => permit[Symbol.dispose]() };
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
