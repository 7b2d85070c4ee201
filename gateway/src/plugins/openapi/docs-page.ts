import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { randomBytes } from "node:crypto";
import { holdDocument, type HeldDocument } from "../responses/held-document.ts";
import type { Guard } from "../guards/guard.ts";
import { apiPrefix } from "./openapi.ts";
import { receiversPage } from "./receivers-page.ts";
import { renderReference } from "./render-reference.ts";

const noncePlaceholder = "canvass-nonce";

/** The API reference and the receivers' page. Loads no files from other hosts, which would learn its readers. */
export async function docsPage(app: FastifyInstance, limit: Guard | undefined, apiUrl: string): Promise<void> {
  await app.register(async (pages) => {
    if (limit) pages.addHook("onRequest", limit);
    pages.get("/", { schema: { hide: true } }, (_request, reply) => reply.redirect("/docs/"));
    pages.get("/favicon.svg", { schema: { hide: true } }, (_request, reply) =>
      reply.headers({ "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" }).send(icon),
    );
    receiversPage(pages, apiUrl);
    await pages.register(reference);
  });
}

async function reference(docs: FastifyInstance): Promise<void> {
  let script: HeldDocument | undefined;
  const render = lazy(() => renderReference({ routePrefix: "/docs", configuration }));
  docs.get("/docs", { schema: { hide: true } }, (_request, reply) => reply.redirect("/docs/", 301));
  docs.get("/docs/", { schema: { hide: true } }, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    const { page } = await render();
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", contentSecurityPolicy(nonce))
      .send(completePage(page, nonce));
  });
  docs.get("/docs/js/scalar.js", { schema: { hide: true } }, async (_request, reply) => {
    script ??= holdDocument((await render()).script);
    reply.type("application/javascript; charset=utf-8").header("cache-control", "public, max-age=3600");
    return reply.send(script(reply));
  });
}

const configuration: NonNullable<FastifyApiReferenceOptions["configuration"]> = {
  url: `${apiPrefix}/openapi.json`,
  servers: [{ url: "/" }],
  authentication: { preferredSecurityScheme: "bearer" },
  pageTitle: "Canvass API",
  nonce: noncePlaceholder,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
};

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5a4a"/><path d="M8 24v-7M14 24v-4" stroke="#9be3cd" stroke-width="4" stroke-linecap="round"/><path d="m14 13 4 4 7-9" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Sets the nonce on style elements that the page's scripts create. Styles in the markup get none and do not apply. */
const markStyles = `
  const nonce = document.querySelector("meta[property=csp-nonce]").content;
  const make = Document.prototype.createElement;
  Document.prototype.createElement = function (...args) {
    const element = make.apply(this, args);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };`;

const additions = `  <link rel="icon" href="/favicon.svg" />
    <script nonce="${noncePlaceholder}">${markStyles}
    </script>
  </head>`;

function completePage(html: string, nonce: string): string {
  return html.replace("<html>", '<html lang="en">').replace("</head>", additions).replaceAll(noncePlaceholder, nonce);
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
