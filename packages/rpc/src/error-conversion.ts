import { create } from "@bufbuild/protobuf";
import { AppError, errorCatalogue, isErrorCode, type ErrorDetails } from "@canvass/errors";
import { ErrorDetailSchema, type ErrorDetail } from "@canvass/proto/rpc";
import { Code, ConnectError } from "@connectrpc/connect";

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

/** The message form of an error: a detail of a failed call, or the outcome of one item of a batch. */
export function toErrorDetail(error: AppError): ErrorDetail {
  return create(ErrorDetailSchema, {
    code: error.code,
    message: error.message === errorCatalogue[error.code].message ? "" : error.message,
    detailsJson: Object.keys(error.details).length === 0 ? "" : JSON.stringify(error.details),
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
  const code = codeOfStatus[errorCatalogue[error.code].status] ?? Code.Internal;
  return new ConnectError(error.message, code, undefined, [{ desc: ErrorDetailSchema, value: toErrorDetail(error) }]);
}

/**
 * What a failed call means for whoever made it. Only what the service itself said is passed on; a failure of the
 * connection or of the callee is the callee's absence, a deadline or a defect, never somebody else's 4xx.
 */
export function fromConnectError(error: ConnectError): AppError {
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return fromErrorDetail(detail);
  const code = absences[error.code] ?? "internal_error";
  const converted = new AppError(code);
  converted.cause = error;
  return converted;
}

const absences: Partial<Record<Code, "service_unavailable" | "deadline_exceeded">> = {
  [Code.Unavailable]: "service_unavailable",
  [Code.Canceled]: "service_unavailable",
  [Code.DeadlineExceeded]: "deadline_exceeded",
};
