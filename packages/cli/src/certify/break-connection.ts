import type { ClientRequest } from "node:http";
import { openRequest, type Receiver } from "./exchange.ts";
import type { Message } from "../webhooks/sign-message.ts";

/** `whole` ends the connection. `half` ends the sending side and waits until the receiver ends its own. */
export type CloseMode = "whole" | "half";

/** Sends half of a body and breaks off. Never rejects. */
export function breakConnection(receiver: Receiver, { headers, body }: Message, how: CloseMode): Promise<void> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const request = openRequest(receiver, headers, bytes.length);
    const deadline = receiver.deadline();
    const timeOut = () => request.destroy();
    deadline.addEventListener("abort", timeOut);
    request.on("error", () => {});
    request.on("response", (response) => response.resume());
    request.on("close", () => {
      deadline.removeEventListener("abort", timeOut);
      resolve();
    });
    request.write(bytes.subarray(0, bytes.length >> 1), () => end(request, how));
  });
}

function end(request: ClientRequest, how: CloseMode): void {
  if (how === "whole") request.destroy();
  else request.socket?.end();
}
