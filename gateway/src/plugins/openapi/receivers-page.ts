import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { holdDocument } from "../responses/held-document.ts";
import { receiversStyle } from "./receivers-style.ts";

const source = new URL("../../../docs/receiving-webhooks.md", import.meta.url);

/** Serves the page for receivers of webhooks at `/docs/webhooks`, without scripts. Its commands contain `apiUrl`. */
export function receiversPage(docs: FastifyInstance, apiUrl: string): void {
  const page = lazy(async () => holdDocument(await renderPage(apiUrl)));
  docs.get("/docs/webhooks", { schema: { hide: true } }, async (_request, reply) => {
    const held = await page();
    return reply
      .type("text/html; charset=utf-8")
      .headers({ "content-security-policy": contentSecurityPolicy, "cache-control": "no-cache" })
      .send(held(reply));
  });
}

const styleHash = createHash("sha256").update(receiversStyle).digest("base64");
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

async function renderPage(apiUrl: string): Promise<string> {
  const { Marked, Renderer } = await import("marked");
  const renderer = new Renderer();
  const usual = { code: renderer.code.bind(renderer), table: renderer.table.bind(renderer) };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A code block may name a file or command after the language.
      code(token) {
        const [lang = "", name] = (token.lang ?? "").split(" ");
        const caption = name?.includes(".") ? `<figcaption>${name}</figcaption>` : "";
        return `<figure data-name="${name ?? ""}">${caption}${usual.code({ ...token, lang })}</figure>\n`;
      },
      table(token) {
        renderer.parser = this.parser;
        return `<div class="table">${usual.table(token)}</div>\n`;
      },
    },
  });
  const text = (await readFile(source, "utf8")).replaceAll("{{api}}", apiUrl);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Receiving webhooks – Canvass</title>
    <link rel="icon" href="/favicon.svg" />
    <style>${receiversStyle}</style>
  </head>
  <body>
    <header><a href="/docs/">API reference</a></header>
    <main>
${await marked.parse(text)}
    </main>
  </body>
</html>
`;
}

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
