import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { holdDocument } from "../responses/held-document.ts";
import { guides, type Guide } from "./guides.ts";
import { pageHeader } from "./page-header.ts";
import { headerStyle, pageStyle } from "./page-style.ts";
import { readGuide, type RenderedGuide } from "./read-guide.ts";
import { searchScriptPath } from "./search-script.ts";

export type ReadGuides = () => Promise<{ guide: Guide; rendered: RenderedGuide }[]>;

/** Serves the Markdown pages as HTML. Returns a function that reads all of them. */
export function registerGuidePages(docs: FastifyInstance, apiUrl: string): ReadGuides {
  for (const guide of guides) {
    const page = lazy(async () => {
      const { title, html } = await readGuide(guide, apiUrl);
      return holdDocument(renderPage(title, html));
    });
    docs.get(guide.path, { schema: { hide: true } }, async (_request, reply) => {
      const held = await page();
      return reply
        .type("text/html; charset=utf-8")
        .headers({ "content-security-policy": contentSecurityPolicy, "cache-control": "no-cache" })
        .send(held(reply));
    });
  }
  docs.get("/docs/guides", { schema: { hide: true } }, (_request, reply) => reply.redirect("/docs/guides/", 301));
  return () => Promise.all(guides.map(async (guide) => ({ guide, rendered: await readGuide(guide, apiUrl) })));
}

const style = headerStyle + pageStyle;
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The only script of the page, which loads that of the search. The page's policy allows scripts that it adds. */
const script = `document.head.append(
  Object.assign(document.createElement("script"), { type: "module", src: "${searchScriptPath}" }));`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)} 'strict-dynamic'`,
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const renderPage = (title: string, html: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} – Canvass</title>
    <link rel="icon" href="/favicon.svg" />
    <style>${style}</style>
  </head>
  <body>
    ${pageHeader("text")}
    <main id="text">
${html}
    </main>
    <script>${script}</script>
  </body>
</html>
`;
