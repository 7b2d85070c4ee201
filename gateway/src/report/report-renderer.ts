import { AppError } from "@canvass/errors";
import { createPlaces } from "@canvass/rpc";
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

/** A report that is being made. Disposing gives its place back. */
export interface ReportSession extends Disposable {
  render(part: ReportPart): Promise<string>;
}

export interface ReportRenderer extends AsyncDisposable {
  /** While too many reports are being made, throws `rate_limited` for those of the workspace, else `service_unavailable`. */
  open(workspaceId: string): ReportSession;
}

export const usualReports = { perWorkspace: 2, together: 6, restMs: 30_000 };

/** The library's own memory is 90 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/**
 * Renders reports in one thread, a part of each in turn, so a long report keeps no other waiting. The thread begins with
 * the first report and ends when nobody asked for a while: at rest it costs nothing.
 */
export function createReportRenderer(limits = usualReports): ReportRenderer {
  const places = createPlaces({ ...limits, perOwner: limits.perWorkspace, counted: "reports" });
  let open = 0;
  let nextId = 0;
  let thread: ReturnType<typeof startThread> | undefined;
  let rest: NodeJS.Timeout | undefined;

  function startThread() {
    const waiting = new Map<number, PromiseWithResolvers<string>>();
    const worker = new Worker(new URL("./report-worker.ts", import.meta.url), { execArgv: [], resourceLimits });
    worker.unref();
    worker.on("message", ({ id, html }: RenderedPart) => {
      waiting.get(id)?.resolve(html);
      waiting.delete(id);
    });
    const end = () => {
      if (thread?.worker === worker) thread = undefined;
      for (const { reject } of waiting.values()) reject(new AppError("service_unavailable"));
      waiting.clear();
    };
    worker.on("error", end);
    worker.on("exit", end);
    return { worker, waiting };
  }

  async function render(part: ReportPart): Promise<string> {
    thread ??= startThread();
    const id = nextId++;
    const rendered = Promise.withResolvers<string>();
    thread.waiting.set(id, rendered);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
    thread.worker.postMessage({ id, part } satisfies PartRequest);
    return rendered.promise;
  }

  function leave(): void {
    open -= 1;
    if (open === 0) rest = setTimeout(() => void thread?.worker.terminate(), limits.restMs).unref();
  }

  return {
    open(workspaceId) {
      const held = new DisposableStack();
      held.use(places.take(workspaceId));
      clearTimeout(rest);
      open += 1;
      held.defer(leave);
      return { render, [Symbol.dispose]: () => held.dispose() };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(rest);
      await thread?.worker.terminate();
    },
  };
}
