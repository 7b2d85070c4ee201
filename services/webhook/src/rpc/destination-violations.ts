import type { Violation } from "@canvass/inputs";
import type { WebhookContext } from "../context.ts";

/** Returns why deliveries to a URL are not possible (contract 8.4). */
export async function destinationViolations({ sender }: WebhookContext, url: URL | undefined): Promise<Violation[]> {
  if (url === undefined) return [];
  const destination = await sender.checkDestination(url);
  return destination.state === "permitted" ? [] : destination.problems.map((message) => ({ path: "url", message }));
}
