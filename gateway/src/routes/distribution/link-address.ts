import type { GatewayContext } from "../../context.ts";

/** Returns a function that builds the URL of a link's page. */
export function linkAddress({ config }: GatewayContext): (code: string) => string {
  const base = config.CANVASS_PUBLIC_URL.replace(/\/$/, "");
  return (code) => `${base}/s/${code}`;
}
