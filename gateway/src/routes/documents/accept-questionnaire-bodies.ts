import { mostQuestionnaireBytes } from "@canvass/inputs";
import type { FastifyInstance } from "fastify";
import { decode } from "../../plugins/body/body-coding.ts";

export const octetStreamType = "application/octet-stream";
export const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Media types of the files. Each file may also come as `application/octet-stream`. */
export const questionnaireTypes: readonly string[] = [xlsxType, "application/xml", "text/xml", "application/json"];

/** Lets the routes of `scope` take questionnaires. The route's `body` is then the inflated file. */
export function acceptQuestionnaireBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser("application/json");
  const options = { parseAs: "buffer", bodyLimit: mostQuestionnaireBytes } as const;
  scope.addContentTypeParser<Buffer>([octetStreamType, ...questionnaireTypes], options, (request, sent, done) => {
    try {
      const bytes = decode(sent, request.headers["content-encoding"], mostQuestionnaireBytes);
      request.bodyBytes = bytes;
      done(null, bytes.length === 0 ? undefined : bytes);
    } catch (error) {
      done(error as Error);
    }
  });
}
