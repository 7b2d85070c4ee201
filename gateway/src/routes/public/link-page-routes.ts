import { pageFiles, type PageFile } from "@canvass/respondent-page";
import type { FastifyInstance } from "fastify";
import Negotiator from "negotiator";
import type { GatewayContext } from "../../context.ts";
import type { Guard } from "../../plugins/guards/guard.ts";
import { registerLinkPageRoute } from "./link-page.ts";

const schema = { hide: true };

export function registerLinkPageRoutes(app: FastifyInstance, context: GatewayContext, limit: Guard | undefined): void {
  let files: ReadonlyMap<string, PageFile> | undefined;
  registerLinkPageRoute(app, context, limit);

  // People and some programs add a trailing slash.
  app.get("/s/:code/", { schema }, ({ url }, reply) => reply.redirect(url.replace(/\/(?=\?|$)/, ""), 308));

  app.get<{ Params: { name: string } }>("/s/assets/:name", { schema }, (request, reply) => {
    files ??= pageFiles();
    const file = files.get(request.params.name);
    if (!file) return reply.callNotFound();
    const coding = new Negotiator(request.raw).encoding(["br", "gzip", "identity"]) ?? "identity";
    if (coding !== "identity") reply.header("content-encoding", coding);
    // The name identifies the content. Any origin may load it, since a sandboxed frame has no origin.
    reply.headers({
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "access-control-allow-origin": "*",
    });
    return reply.type(file.type).send(bytesOf(file, coding));
  });
}

function bytesOf({ plain, br, gzip }: PageFile, coding: string): Buffer {
  if (coding === "br") return br;
  return coding === "gzip" ? gzip : plain;
}
