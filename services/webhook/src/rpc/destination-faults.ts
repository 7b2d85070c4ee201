import type { Fault } from "@canvass/inputs";
import type { WebhookContext } from "../context.ts";

/** Why nothing could be delivered to a URL at this moment (contract 8.4). */
export async function destinationFaults({ sender }: WebhookContext, url: URL | undefined): Promise<Fault[]> {
  if (url === undefined) return [];
  const destination = await sender.checkDestination(url);
  return destination.state === "permitted" ? [] : destination.problems.map((message) => ({ path: "url", message }));
}
