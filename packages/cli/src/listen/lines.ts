import type { Api } from "@canvass/sdk";
import type { Attempt } from "./forward-event.ts";

export function attemptLine(
  { id, type }: Api.FeedEvent,
  { status, reason, milliseconds }: Attempt,
  nextInMs: number | undefined,
): string {
  const time = new Date().toTimeString().slice(0, 8);
  const again = nextInMs === undefined ? "" : `, again in ${nextInMs / 1000} s`;
  return `${time}  ${type}  ${id}  ${status ?? reason}  ${milliseconds} ms${again}`;
}

export function outageLine({ message }: Error): string {
  return `The API is not reached; waiting for it, nothing is lost. (${message})`;
}

export const recoveryLine = "The API answers again.";

export const renewedLine = "The feed subscription was deleted, and is made again. Events from between may be missing.";
