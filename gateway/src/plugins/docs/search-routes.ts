import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { holdDocument } from "../responses/held-document.ts";
import type { ReadGuides } from "./guide-pages.ts";
import { buildSearchIndex, type SearchedDocument } from "./search-index.ts";
import { readSearchLibrary } from "./search-library.ts";
import { readSearchScript, searchScriptPath } from "./search-script.ts";

/** Serves the search's scripts and index to the pages of documents. The first request makes each. */
export function searchRoutes(docs: FastifyInstance, readGuides: ReadGuides): void {
  const scripts = { [searchScriptPath]: readSearchScript, "/docs/js/minisearch.js": readSearchLibrary };
  const index = lazy(async () =>
    holdDocument(await buildSearchIndex(await readGuides(), docs.swagger() as unknown as SearchedDocument)),
  );
  for (const [path, read] of Object.entries(scripts)) {
    const script = lazy(async () => holdDocument(await read()));
    docs.get(path, { schema: { hide: true } }, async (_request, reply) => {
      const held = await script();
      reply.type("application/javascript; charset=utf-8").header("cache-control", "public, max-age=3600");
      return reply.send(held(reply));
    });
  }
  docs.get("/docs/search.json", { schema: { hide: true } }, async (_request, reply) => {
    const held = await index();
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache");
    return reply.send(held(reply));
  });
}
