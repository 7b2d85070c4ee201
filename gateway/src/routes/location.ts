import type { FastifyReply } from "fastify";
import { apiPrefix, publicPrefix } from "../plugins/openapi/openapi.ts";

/** 201 for what was made (RFC 9110, 15.3.2). `path`: where it is read, or the list that it is in. */
export function created(reply: FastifyReply, path: string): FastifyReply {
  return at(reply.code(201), apiPrefix + path);
}

/** 201 for what a respondent that came by a link made: its own state tells of it. */
export function createdByLink(reply: FastifyReply, code: string, respondentId: string): FastifyReply {
  return at(reply.code(201), `${publicPrefix}/links/${code}/respondents/${respondentId}`);
}

/** 202 for work that was queued (RFC 9110, 15.3.3). `path`: where its state is read. */
export function accepted(reply: FastifyReply, path: string): FastifyReply {
  return at(reply.code(202), apiPrefix + path);
}

/** Ids of the path are decoded by then. */
const at = (reply: FastifyReply, path: string) => reply.header("location", encodeURI(path));
