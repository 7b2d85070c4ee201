import { create } from "@bufbuild/protobuf";
import { AppError, errorCatalogue, isErrorCode, type ErrorDetails } from "@canvass/errors";
import { ErrorDetailSchema, type ErrorDetail } from "@canvass/proto/rpc";
import { Code, ConnectError } from "@connectrpc/connect";
import { trailerBytes, cutDetails } from "./cut-details.ts";

const codeOfStatus: Record<number, Code> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  409: Code.FailedPrecondition,
  412: Code.FailedPrecondition,
  413: Code.ResourceExhausted,
  422: Code.InvalidArgument,
  428: Code.FailedPrecondition,
  429: Code.ResourceExhausted,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

/** Maximum bytes of one item's details, so that 500 items fit into a response. */
const itemBytes = 100_000;

export function toErrorDetail(
  { code, message, details }: Pick<AppError, "code" | "message" | "details">,
  mostBytes = itemBytes,
): ErrorDetail {
  return create(ErrorDetailSchema, {
    code,
    message: message === errorCatalogue[code].message ? "" : message,
    detailsJson: Object.keys(details).length === 0 ? "" : JSON.stringify(cutDetails(details, mostBytes)),
  });
}

/** An unknown code, sent by a newer service, becomes `internal_error`. */
export function fromErrorDetail(detail: ErrorDetail): AppError {
  if (!isErrorCode(detail.code)) return new AppError("internal_error");
  const details = detail.detailsJson === "" ? {} : (JSON.parse(detail.detailsJson) as ErrorDetails);
  return new AppError(detail.code, details, detail.message || undefined);
}

/** Sets a status code for foreign clients and a typed detail for ours. */
export function toConnectError(error: AppError): ConnectError {
  const status = codeOfStatus[errorCatalogue[error.code].status] ?? Code.Internal;
  const value = toErrorDetail(error, trailerBytes);
  return new ConnectError(error.message, status, undefined, [{ desc: ErrorDetailSchema, value }]);
}

/** Restores an error that the service threw. Other failures mean no response or a defect, so they become 5xx. */
export function fromConnectError(error: ConnectError): AppError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return fromErrorDetail(detail);
  const code = isReset(error) ? "service_unavailable" : (absences[error.code] ?? "internal_error");
  const converted = new AppError(code);
  converted.cause = error;
  return converted;
}

/** Start of the error message of connect-node or Node if the peer reset the stream. */
const resetText = /^(http\/2 s|S)tream closed with error code/;
/** The server refused the stream or sent GOAWAY (RFC 9113, 8.7), or the request was never sent. */
const unprocessedText =
  /REFUSED_STREAM|after receiving a GOAWAY|pending stream has been canceled|^connect E|^getaddrinfo E/;

export function isReset({ rawMessage }: ConnectError): boolean {
  return resetText.test(rawMessage);
}

/** Whether even a call with side effects may be repeated: the server has not processed it. */
export function isUnprocessed({ rawMessage }: ConnectError): boolean {
  return unprocessedText.test(rawMessage);
}

const absences: Partial<Record<Code, "service_unavailable" | "deadline_exceeded">> = {
  [Code.Unavailable]: "service_unavailable",
  [Code.Canceled]: "service_unavailable",
  // The connection broke.
  [Code.Aborted]: "service_unavailable",
  [Code.DeadlineExceeded]: "deadline_exceeded",
  [Code.ResourceExhausted]: "service_unavailable",
  // The callee runs an older version, which does not have the method.
  [Code.Unimplemented]: "service_unavailable",
};
