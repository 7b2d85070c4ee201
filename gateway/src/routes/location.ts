import type { FastifyReply } from "fastify";
import { apiPrefix, publicPrefix } from "../plugins/openapi/openapi.ts";

/** Sets 201 for a created resource (RFC 9110, 15.3.2). `path` is where it can be read, or its list. */
export function created(reply: FastifyReply, path: string): FastifyReply {
  return at(reply.code(201), apiPrefix + path);
}

/** Sets 201 for a resource created by a respondent of a link. `Location` is the respondent's own state. */
export function createdByLink(reply: FastifyReply, code: string, respondentId: string): FastifyReply {
  return at(reply.code(201), `${publicPrefix}/links/${code}/respondents/${respondentId}`);
}

/** Sets 202 for queued work (RFC 9110, 15.3.3). `path` is where its state can be read. */
export function accepted(reply: FastifyReply, path: string): FastifyReply {
  return at(reply.code(202), apiPrefix + path);
}

/** Encodes the path, whose ids are decoded. */
const at = (reply: FastifyReply, path: string) => reply.header("location", encodeURI(path));
