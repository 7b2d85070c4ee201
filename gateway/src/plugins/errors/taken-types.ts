import type { AppError } from "@canvass/errors";
import type { FastifyRequest } from "fastify";

const headerOf: Record<string, string> = { POST: "accept-post", PATCH: "accept-patch" };

/** Returns the accepted media types as `Accept-Post` (W3C LDP) or `Accept-Patch` (RFC 5789). */
export function takenTypes(
  { code }: Pick<AppError, "code">,
  { method, routeOptions: { config, schema } }: Pick<FastifyRequest, "method" | "routeOptions">,
): Record<string, string> {
  const name = code === "unsupported_media_type" ? headerOf[method] : undefined;
  if (name === undefined) return {};
  const types = [...(schema?.consumes ?? ["application/json"]), ...(config.otherBodyTypes ?? [])];
  return { [name]: types.join(", ") };
}
