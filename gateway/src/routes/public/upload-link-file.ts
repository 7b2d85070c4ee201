import { uploadLinkFileBody } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";
import { readUpload } from "../../plugins/body/read-upload.ts";
import { multipartType, acceptUploadBodies } from "../../plugins/body/uploads.ts";
import type { Api } from "../api.ts";
import { uploadedFileSchema, uploadedFileView, uploadErrors, uploadRules } from "../files/file-view.ts";
import { sendUpload } from "../files/send-upload.ts";
import { createdByLink } from "../location.ts";
import { envelope, withExamples } from "../schemas.ts";
import { linkRespondentParams, publicErrors } from "./public-params.ts";

const body = withExamples(uploadLinkFileBody, {
  picture: { summary: "For a question", value: { elementId: "01h8x3k9q2z4k6vn", file: "(bytes)" as never } },
});

export function registerUploadLinkFileRoute(api: Api, context: GatewayContext): void {
  void api.register(async (scope: Api) => {
    acceptUploadBodies(scope);
    registerRoute(scope, context);
  });
}

function registerRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/links/:code/respondents/:respondentId/files",
    {
      config: {
        scope: "public",
        limit: "uploads",
        respondentToken: true,
        idempotent: true,
        upload: true,
        errors: [...publicErrors, ...uploadErrors],
      },
      schema: {
        operationId: "uploadLinkFile",
        tags: ["Public"],
        summary: "Upload a file as a respondent",
        description: `${uploadRules} Only answers of this respondent can refer to the file, and it cannot be read here.`,
        params: linkRespondentParams,
        consumes: [multipartType],
        body,
        response: { 201: envelope("The file, as an answer names it", uploadedFileSchema) },
      },
    },
    async (request, reply) => {
      using upload = await readUpload(request, uploadLinkFileBody);
      const { code, respondentId } = request.params;
      const sessionToken = respondentTokenOf(request);
      // The token starts with the workspace id. The service refuses a forged one before it reads the file.
      const workspaceId = sessionToken.split(".", 1)[0]!;
      const clientKey = context.clientKey(request, workspaceId);
      using _ = context.uploads.ofGuest({ workspaceId, code, respondentId, clientKey });
      const by = { case: "session" as const, value: { code, sessionToken, clientKey } };
      const { elementId = "" } = upload.fields;
      const file = await sendUpload(context, request, upload, { by, elementId, respondentId });
      createdByLink(reply, code, respondentId);
      return respond(context, reply, { data: uploadedFileView(file) });
    },
  );
}
