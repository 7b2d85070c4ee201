import type { FastifyInstance } from "fastify";
import type { Guard } from "../guards/guard.ts";
import { registerGuidePages, type ReadGuides } from "./guide-pages.ts";
import { registerReferencePage } from "./reference-page.ts";
import { lazy } from "@canvass/telemetry";
import { holdDocument } from "../responses/held-document.ts";
import { buildSearchIndex, type SearchedDocument } from "./search-index.ts";
import { readSearchLibrary } from "./search-library.ts";
import { readSearchScript, searchScriptPath } from "./search-script.ts";

/** The API reference, guides and their search. Loads no files from other hosts, so that none learns who reads them. */
export async function registerDocsPages(app: FastifyInstance, limit: Guard | undefined, apiUrl: string): Promise<void> {
  await app.register(async (pages) => {
    if (limit) pages.addHook("onRequest", limit);
    pages.get("/", { schema: { hide: true } }, (_request, reply) => reply.redirect("/docs/"));
    pages.get("/favicon.svg", { schema: { hide: true } }, (_request, reply) =>
      reply.headers({ "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" }).send(icon),
    );
    registerSearchRoutes(pages, registerGuidePages(pages, apiUrl));
    await pages.register(registerReferencePage);
  });
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5a4a"/><path d="M8 24v-7M14 24v-4" stroke="#9be3cd" stroke-width="4" stroke-linecap="round"/><path d="m14 13 4 4 7-9" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Serves the search's scripts and index to the pages of documents. The first request makes each. */
function registerSearchRoutes(docs: FastifyInstance, readGuides: ReadGuides): void {
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
