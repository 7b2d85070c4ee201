import type { GatewayContext } from "../../context.ts";

export function linkUrlBuilder({ config }: GatewayContext): (code: string) => string {
  const base = config.CANVASS_PUBLIC_URL.replace(/\/$/, "");
  return (code) => `${base}/s/${code}`;
}
