import type { Violation } from "@canvass/inputs";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";

/** Returns why deliveries to a URL are not possible (contract 8.4). */
export async function destinationViolations(
  { sender }: WebhookContext,
  call: Call,
  url: URL | undefined,
): Promise<Violation[]> {
  if (url === undefined) return [];
  // Its name servers may take seconds, or never answer.
  const destination = await call.withoutPermit(() => sender.checkDestination(url));
  return destination.state === "permitted" ? [] : destination.problems.map((message) => ({ path: "url", message }));
}
