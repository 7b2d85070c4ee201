import { AppError } from "@canvass/errors";
import type { FastifyRequest } from "fastify";

/** Refuses a body of another type than the operation takes. Parsers alone would accept those of all of their scope. */
export function requireMediaType({ headers }: FastifyRequest, types: readonly string[]): void {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  if (types.some((taken) => type.startsWith(taken))) return;
  throw new AppError("unsupported_media_type", { "Content-Type": [`must be ${types.join(" or ")}`] });
}
