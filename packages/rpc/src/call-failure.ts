import { ErrorDetailSchema } from "@canvass/proto/rpc";
import type { AppError } from "@canvass/errors";
import { Code, type ConnectError } from "@connectrpc/connect";
import { fromConnectError, isReset, isUnprocessed } from "./error-conversion.ts";

export interface CallFailure {
  error: AppError;
  /** Whether another attempt may succeed: of any method, of methods without side effects, or of none. */
  repeatable: "always" | "reads" | "never";
  /** `refused`: the callee responded. `unanswered`: it did not. `reset`: it ended the stream. */
  kind: "refused" | "unanswered" | "reset";
}

/** Aborted: the connection broke. */
const unansweredCodes = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Aborted]);

export function callFailureOf(failure: ConnectError): CallFailure {
  const kind = kindOf(failure);
  return { error: fromConnectError(failure), kind, repeatable: repeatableOf(failure, kind) };
}

function kindOf(failure: ConnectError): CallFailure["kind"] {
  if (failure.findDetails(ErrorDetailSchema).length > 0) return "refused";
  if (isReset(failure)) return "reset";
  return unansweredCodes.has(failure.code) ? "unanswered" : "refused";
}

function repeatableOf(failure: ConnectError, kind: CallFailure["kind"]): CallFailure["repeatable"] {
  if (kind === "refused") return "never";
  if (isUnprocessed(failure)) return "always";
  return failure.code === Code.DeadlineExceeded ? "never" : "reads";
}
