import { AppError } from "@canvass/errors";
import { createKeyedSemaphore } from "@canvass/fairness";
import { endOfThread, type Logger } from "@canvass/telemetry";
import { Worker } from "node:worker_threads";
import type { ReportedQuestion } from "./question-section.ts";
import type { ReportOpening } from "./report-page.ts";

export type ReportPart =
  | { kind: "opening"; opening: ReportOpening }
  | { kind: "questions"; questions: ReportedQuestion[] };
export interface PartRequest {
  id: number;
  part: ReportPart;
}
export interface RenderedPart {
  id: number;
  html: string;
}

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
  /** Milliseconds without a report until the thread ends. */
  idleMs?: number;
  /** Milliseconds until a part is given up; many times the duration of the parts of all reports together. */
  longestMs?: number;
  program?: URL;
}

const ownProgram = new URL("./report-worker.ts", import.meta.url);
/** The library itself takes 90 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Renders parts of reports round robin, so that a long report does not delay others. Replaces a thread that fails. */
export function createReportRenderer(options: ReportRendererOptions): ReportRenderer {
  const { log, perWorkspace = 2, total = 6, idleMs = 30_000, longestMs = 60_000, program = ownProgram } = options;
  const permits = createKeyedSemaphore({ perKey: perWorkspace, total, reserved: total / 2, counted: "reports" });
  let open = 0;
  let nextId = 0;
  let thread: ReturnType<typeof startThread> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function startThread() {
    const waiting = new Map<number, PromiseWithResolvers<string>>();
    const worker = new Worker(program, { execArgv: [], resourceLimits });
    worker.unref();
    worker.on("message", ({ id, html }: RenderedPart) => waiting.get(id)?.resolve(html));
    const started = { worker, waiting };
    void failWhenEnded(started);
    return started;
  }

  async function failWhenEnded({ worker, waiting }: ReturnType<typeof startThread>): Promise<void> {
    const err = await endOfThread(worker);
    leaveThread(worker);
    if (waiting.size > 0) log.warn({ err, parts: waiting.size }, "the thread of reports ended early");
    for (const { reject } of waiting.values()) reject(new AppError("service_unavailable"));
  }

  function leaveThread(worker: Worker): void {
    if (thread?.worker === worker) thread = undefined;
  }

  async function render(part: ReportPart): Promise<string> {
    const { worker, waiting } = (thread ??= startThread());
    const id = nextId++;
    const rendered = Promise.withResolvers<string>();
    const timeout = setTimeout(() => end(worker), longestMs).unref();
    waiting.set(id, rendered);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
      worker.postMessage({ id, part } satisfies PartRequest);
      return await rendered.promise;
    } finally {
      clearTimeout(timeout);
      waiting.delete(id);
    }
  }

  function end(worker: Worker): void {
    leaveThread(worker);
    void worker.terminate();
  }

  function leave(): void {
    open -= 1;
    if (open === 0) idle = setTimeout(() => thread && end(thread.worker), idleMs).unref();
  }

  return {
    open(workspaceId) {
      const held = new DisposableStack();
      held.use(permits.acquire(workspaceId));
      clearTimeout(idle);
      open += 1;
      held.defer(leave);
      return { render, [Symbol.dispose]: () => held.dispose() };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idle);
      await thread?.worker.terminate();
    },
  };
}
