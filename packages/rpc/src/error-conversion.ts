import { create } from "@bufbuild/protobuf";
import { AppError, errorCatalogue, isErrorCode, type ErrorDetails } from "@canvass/errors";
import { ErrorDetailSchema, type ErrorDetail } from "@canvass/proto/rpc";
import { Code, ConnectError } from "@connectrpc/connect";
import { trailerBytes, trailerDetails } from "./trailer-details.ts";

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

/** Details of one item's error at most: 500 items fit into an answer. */
const itemBytes = 100_000;

/**
 * The message form of an error, as the outcome of one item of a batch. Of a flood of details it names the first and how
 * many more there are, so that no item fills the answer.
 */
export function toErrorDetail(
  { code, message, details }: Pick<AppError, "code" | "message" | "details">,
  mostBytes = itemBytes,
): ErrorDetail {
  return create(ErrorDetailSchema, {
    code,
    message: message === errorCatalogue[code].message ? "" : message,
    detailsJson: Object.keys(details).length === 0 ? "" : JSON.stringify(trailerDetails(details, mostBytes)),
  });
}

/** The error behind its message form. An unknown code, of a newer service, becomes `internal_error`. */
export function fromErrorDetail(detail: ErrorDetail): AppError {
  if (!isErrorCode(detail.code)) return new AppError("internal_error");
  const details = detail.detailsJson === "" ? {} : (JSON.parse(detail.detailsJson) as ErrorDetails);
  return new AppError(detail.code, details, detail.message || undefined);
}

/** The error as a failed call: status code for strangers, typed detail for us. */
export function toConnectError(error: AppError): ConnectError {
  const status = codeOfStatus[errorCatalogue[error.code].status] ?? Code.Internal;
  const value = toErrorDetail(error, trailerBytes);
  return new ConnectError(error.message, status, undefined, [{ desc: ErrorDetailSchema, value }]);
}

/**
 * What a failed call means for whoever made it. Only what the service itself said is passed on; a failure of the
 * connection or of the callee is the callee's absence, a deadline or a defect, never somebody else's 4xx.
 */
export function fromConnectError(error: ConnectError): AppError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return fromErrorDetail(detail);
  const code = isReset(error) ? "service_unavailable" : (absences[error.code] ?? "internal_error");
  const converted = new AppError(code);
  converted.cause = error;
  return converted;
}

/** What grpc-js makes of a stream that the other side resets: it hands on this text and no code of its own. */
const resetTexts = /^(Received RST_STREAM|Stream refused|Bandwidth exhausted)/;

/** Whether the callee, or its end of the connection, took no further part in a call. */
export function isReset({ rawMessage }: ConnectError): boolean {
  return resetTexts.test(rawMessage);
}

const absences: Partial<Record<Code, "service_unavailable" | "deadline_exceeded">> = {
  [Code.Unavailable]: "service_unavailable",
  [Code.Canceled]: "service_unavailable",
  [Code.DeadlineExceeded]: "deadline_exceeded",
  // More than the callee can take or may send just now.
  [Code.ResourceExhausted]: "service_unavailable",
};
