import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { randomBytes } from "node:crypto";
import { apiPrefix } from "../openapi/openapi.ts";
import { holdDocument, type HeldDocument } from "../responses/held-document.ts";
import { pageHeader } from "./page-header.ts";
import { headerStyle, referenceStyle } from "./page-style.ts";
import { renderReference } from "./render-reference.ts";
import { searchScriptPath } from "./search-script.ts";

const noncePlaceholder = "canvass-nonce";

/** Serves the API reference at `/docs/`. */
export async function registerReferencePage(docs: FastifyInstance): Promise<void> {
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
  // The page's own search finds operations, too.
  hideSearch: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
};

/** Sets the nonce on style elements that the page's scripts create. Without it the policy blocks them. */
const markStyles = `
  const nonce = document.querySelector("meta[property=csp-nonce]").content;
  const make = Document.prototype.createElement;
  Document.prototype.createElement = function (...args) {
    const element = make.apply(this, args);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };`;

const additions = `  <link rel="icon" href="/favicon.svg" />
    <style nonce="${noncePlaceholder}">${headerStyle}${referenceStyle}</style>
    <script nonce="${noncePlaceholder}">${markStyles}
    </script>
  </head>`;

const searchScript = `<script type="module" nonce="${noncePlaceholder}" src="${searchScriptPath}"></script>`;

const completePage = (html: string, nonce: string): string =>
  html
    .replace("<html>", '<html lang="en">')
    .replace("</head>", additions)
    .replace(/<body[^>]*>/, (body) => `${body}\n    ${pageHeader("app")}`)
    .replace("</body>", `  ${searchScript}\n  </body>`)
    .replaceAll(noncePlaceholder, nonce);

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
