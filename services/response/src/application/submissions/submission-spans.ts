import { TRANSACTION_SPAN } from "@canvass/service";
import { errorType, isTraced, startSpan, type Span } from "@canvass/telemetry";
import type { OpenSubmission } from "./open-submission.ts";

export interface SubmissionSpans {
  parentOf(submission: OpenSubmission): string;
  end(error?: unknown): void;
}

const untraced: SubmissionSpans = { parentOf: ({ traceparent }) => traceparent, end: () => undefined };

export function startSubmissionSpans(submissions: readonly OpenSubmission[]): SubmissionSpans {
  if (!submissions.some(({ traceparent }) => isTraced(traceparent))) return untraced;
  const [kind, name, attributes] = TRANSACTION_SPAN;
  const spans = new Map<string, Span>();
  for (const { traceparent } of submissions) {
    if (spans.has(traceparent)) continue;
    const batched = { ...attributes, "db.operation.batch.size": submissions.length };
    const span = startSpan(traceparent, kind, name, batched);
    if (span) spans.set(traceparent, span);
  }
  return {
    parentOf: ({ traceparent }) => spans.get(traceparent)?.traceparent ?? traceparent,
    end(error) {
      for (const span of spans.values()) span.end(error === undefined ? undefined : errorType(error));
    },
  };
}
