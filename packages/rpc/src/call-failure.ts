import { ErrorDetailSchema } from "@canvass/proto/rpc";
import type { AppError } from "@canvass/errors";
import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import type { ServiceError } from "@grpc/grpc-js";
import { fromConnectError, isReset } from "./error-conversion.ts";

export interface CallFailure {
  error: AppError;
  /** `refused`: the callee responded. `unanswered`: it did not. `reset`: it or its connection ended the call. */
  kind: "refused" | "unanswered" | "reset";
}

const unansweredCodes = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

export function callFailure(error: ServiceError): CallFailure {
  return callFailureOf(toConnectError(error));
}

export function callFailureOf(failure: ConnectError): CallFailure {
  return { error: fromConnectError(failure), kind: kindOf(failure) };
}

function kindOf(failure: ConnectError): CallFailure["kind"] {
  if (failure.findDetails(ErrorDetailSchema).length > 0) return "refused";
  if (isReset(failure)) return "reset";
  return unansweredCodes.has(failure.code) ? "unanswered" : "refused";
}

export function toConnectError(error: ServiceError): ConnectError {
  const trailer = new Headers({ "grpc-status": String(error.code), "grpc-message": encodeURIComponent(error.details) });
  const [detail] = error.metadata.get("grpc-status-details-bin");
  if (detail) trailer.set("grpc-status-details-bin", Buffer.from(detail).toString("base64"));
  return findTrailerError(trailer) ?? new ConnectError(error.details, Code.Unknown);
}
