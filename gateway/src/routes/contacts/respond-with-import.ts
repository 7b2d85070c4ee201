import { type importQuery } from "@canvass/inputs";
import type { FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { requireMessage } from "../require-message.ts";
import { accepted } from "../location.ts";
import { envelope } from "../schemas.ts";
import { importPreviewSchema, importPreviewView } from "./import-preview-view.ts";
import { importSchema, importView } from "./import-view.ts";

export const importResponse = {
  200: envelope("What would be imported", importPreviewSchema),
  202: envelope("The queued import", importSchema),
};

export const importAbout = `With \`dryRun=true\` nothing is stored: the response (200) shows the first ten rows as they would be stored, and the violations of all rows.

The import runs in the background: poll \`GET /contacts/imports/{importId}\` until its \`status\` is \`completed\`. Rows are applied in order;
invalid rows are reported by row and column, and the others are stored. With \`upsert\` (the default), a row changes the contact with the same
\`matchOn\` (default \`email\`); with \`create\`, such a row is skipped. A workspace has at most eleven unfinished imports (429 beyond).`;

/** Queues the import of the request's body, or shows what it would do. */
export async function respondWithImport(context: GatewayContext, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const { contacts } = context.clients;
  const { body, bodyText, bodyCharset: charset } = request;
  const { dryRun, ...settings } = request.query as Static<typeof importQuery>;
  const source = Buffer.isBuffer(body)
    ? { case: "csv" as const, value: body }
    : { case: "bodyJson" as const, value: bodyText! };
  const asked = { source, charset, ...settings };
  if (dryRun) {
    const preview = await contacts.previewImport({ import: asked }, rpcOptions(context, request));
    return respond(context, reply, { data: importPreviewView(preview) });
  }
  const { import: queued } = await contacts.createImport(asked, rpcOptions(context, request));
  const data = importView(requireMessage(queued));
  return respond(context, accepted(reply, `/contacts/imports/${data.id}`), { data });
}
