import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/client";
import { reasonOf } from "@canvass/provisioning";
import { toErrorResponse } from "./to-error-response.ts";

type Relay = { stop: AbortSignal; note: (line: string) => void };

/**
 * Passes each message of the near side to the far one, and what comes back, until the near side closes or `stop`
 * aborts. A request that the far side does not answer gets an error that says why.
 */
export async function relayMessages(near: Transport, far: Transport, { stop, note }: Relay): Promise<void> {
  const pending = new Map<RequestId, AbortController>();
  const closed = Promise.withResolvers<void>();
  const reply = (message: JSONRPCMessage) => near.send(message).catch((error: unknown) => note(reasonOf(error)));

  async function pass(request: JSONRPCRequest): Promise<void> {
    const { id } = request;
    const cancelled = new AbortController();
    const fail = async (error: unknown) => {
      if (pending.delete(id) && !cancelled.signal.aborted) await reply(toErrorResponse(id, error));
    };
    pending.set(id, cancelled);
    const onRequestStreamEnd = () => void fail(new Error("the connection was cut"));
    await far.send(request, { requestSignal: cancelled.signal, onRequestStreamEnd }).catch(fail);
  }

  function passBack(message: JSONRPCMessage): void {
    if ("id" in message && message.id !== undefined) pending.delete(message.id);
    if (isJSONRPCResultResponse(message) && typeof message.result["protocolVersion"] === "string") {
      far.setProtocolVersion?.(message.result["protocolVersion"]);
    }
    void reply(message);
  }

  function passOn(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) return void pass(message);
    // Without sessions, a call ends by its own connection only.
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      return pending.get(message.params?.["requestId"] as RequestId)?.abort();
    }
    // Refused notifications have no response.
    far.send(message).catch((error: unknown) => note(reasonOf(error)));
  }

  Object.assign(far, { onmessage: passBack });
  Object.assign(near, {
    onmessage: passOn,
    onerror: (error: Error) => note(sentenceOf(error)),
    onclose: () => closed.resolve(),
  });
  stop.addEventListener("abort", () => void near.close());
  await far.start();
  await near.start();
  await closed.promise;
  await far.close();
}

/** A message that does not parse has a report of many lines. */
function sentenceOf(error: Error): string {
  return error.message.includes("\n") ? "A line that is no message of the protocol was left out." : error.message;
}
