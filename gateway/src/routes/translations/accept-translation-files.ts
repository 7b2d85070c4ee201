import { validationFailed, violationAt } from "@canvass/inputs";
import type { FastifyInstance } from "fastify";
import { decode } from "../../plugins/body/body-coding.ts";
import { maxBodyBytes } from "../../plugins/body/body-parsing.ts";
import { requireUtf8 } from "../../plugins/body/charset.ts";
import { csvType } from "../../plugins/body/accept-csv-bodies.ts";

export const poType = "text/x-gettext-translation";

/** Lets the routes of `scope` take translators' files. The route's `body` is then the file as text. */
export function acceptTranslationFiles(scope: Pick<FastifyInstance, "addContentTypeParser">): void {
  const options = { parseAs: "buffer", bodyLimit: maxBodyBytes } as const;
  scope.addContentTypeParser<Buffer>([poType, csvType], options, (request, sent, done) => {
    try {
      requireUtf8(request.headers["content-type"]);
      const bytes = decode(sent, request.headers["content-encoding"], maxBodyBytes);
      request.bodyBytes = bytes;
      done(null, textOf(bytes));
    } catch (error) {
      done(error as Error);
    }
  });
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw validationFailed(violationAt("body", "must be text in UTF-8"));
  }
}
