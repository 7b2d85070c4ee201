import { AppError } from "@canvass/errors";
import type { FastifyRequest } from "fastify";
import type { Guard } from "../guards/guard.ts";

/** Returns the session token of a link's respondent, or "". Only the response service can read it. */
export function respondentTokenOf({ headers }: FastifyRequest): string {
  const token = headers["x-respondent-token"];
  return typeof token === "string" ? token : "";
}

export const respondentTokenGuard: Guard = (request, _reply, done) => {
  if (respondentTokenOf(request) === "") throw new AppError("unauthorized");
  return done();
};
