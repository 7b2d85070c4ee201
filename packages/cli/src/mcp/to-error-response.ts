import {
  ProtocolErrorCode,
  SdkHttpError,
  type JSONRPCErrorResponse,
  type RequestId,
} from "@modelcontextprotocol/client";
import { reasonOf } from "@canvass/provisioning";
import { isUnsent } from "../is-unsent.ts";

type Failure = { error?: { code?: string; message?: string; suggestion?: string } };

/** The error of JSON-RPC for a request that got no response of the protocol. */
export function toErrorResponse(id: RequestId, error: unknown): JSONRPCErrorResponse {
  const { code, message } = error instanceof SdkHttpError ? refusalOf(error) : notReached(error);
  return { jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InternalError, message, data: { code } } };
}

/** Refusals before the protocol have the error envelope (contract 12.2). */
function refusalOf({ status, data: { text } }: SdkHttpError) {
  const { code = "unexpected_response", message, suggestion = "" } = envelopeOf(text).error ?? {};
  const said = message ?? `The response (status ${status}) is not one of the Canvass API.`;
  const remedy =
    status === 401 ? "Log in with another token (canvass login), and start canvass mcp again." : suggestion;
  return { code, message: `${said} ${remedy}`.trim() };
}

function envelopeOf(text: unknown): Failure {
  try {
    return Object(JSON.parse(String(text))) as Failure;
  } catch {
    return {};
  }
}

function notReached(error: unknown) {
  const { cause = error } = Object(error) as { cause?: unknown };
  const reason = reasonOf(cause);
  const message = isUnsent(cause)
    ? `The API was not reached (${reason}). Check the address and the network, and repeat the call.`
    : `The connection ended before the response (${reason}). A call that writes may have been carried out: look before you repeat it, or repeat it with the same idempotencyKey.`;
  return { code: "connection_failed", message };
}
