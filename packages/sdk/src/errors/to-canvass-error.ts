import type { ApiError } from "../../gen/api/types.gen.ts";
import { CanvassError } from "./canvass-error.ts";
import { asFailure } from "./read-failure.ts";

/** Converts errors of the generated client to a `CanvassError`. Returns the reason of an aborted signal unchanged. */
export function toCanvassError(thrown: unknown, response: Response | undefined, request: Request | undefined): unknown {
  if (thrown instanceof CanvassError || request?.signal.aborted) return thrown;
  if (response === undefined) return connectionFailed(thrown);
  const failure = asFailure(thrown);
  return failure ? failureError(failure, response) : unexpectedResponse(response, thrown);
}

/** The error of an envelope. That of another program may lack `meta`. */
export const failureError = ({ error, meta }: ApiError, { status }: Response): CanvassError =>
  new CanvassError(error, { status, requestId: (meta as ApiError["meta"] | undefined)?.requestId });

export const unexpectedResponse = ({ status }: Response, cause?: unknown): CanvassError =>
  new CanvassError(
    {
      code: "unexpected_response",
      message: `The response (status ${status}) is not one of the Canvass API.`,
      suggestion: "Check `url`, and what stands between this program and the installation.",
      retryable: status >= 500,
      details: {},
    },
    { status, cause },
  );

export const connectionFailed = (cause: unknown): CanvassError =>
  new CanvassError(
    {
      code: "connection_failed",
      message: "The connection failed or was cut.",
      suggestion: "Check `url` and the network, and repeat the call.",
      retryable: true,
      details: {},
    },
    { cause },
  );
