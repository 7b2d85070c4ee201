import { uploadFileBody } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { readUpload } from "../../plugins/body/read-upload.ts";
import { multipartType } from "../../plugins/body/uploads.ts";
import type { Api } from "../api.ts";
import { created } from "../location.ts";
import { envelope, withExamples } from "../schemas.ts";
import { sendUpload } from "./send-upload.ts";
import { uploadedFileSchema, uploadedFileView, uploadErrors, uploadRules } from "./file-view.ts";

const body = withExamples(uploadFileBody, {
  picture: {
    summary: "For a question of a survey",
    value: { surveyId: "01h8x3k9q2m4a7zp", elementId: "01h8x3k9q2z4k6vn", file: "(bytes)" as never },
  },
});

export function registerUploadFileRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/files",
    {
      config: {
        scope: "responses:write",
        idempotent: true,
        upload: true,
        errors: ["survey_not_found", ...uploadErrors],
      },
      schema: {
        operationId: "uploadFile",
        tags: ["Responses"],
        summary: "Upload a file for an answer",
        description: uploadRules,
        consumes: [multipartType],
        body,
        response: { 201: envelope("The file, as an answer names it", uploadedFileSchema) },
      },
    },
    async (request, reply) => {
      using upload = await readUpload(request, uploadFileBody);
      const { signedCaller, caller } = request.identity!;
      using _ = context.uploads.ofCaller(caller.workspaceId);
      const { surveyId = "", elementId = "", respondentId = "" } = upload.fields;
      const by = { case: "caller" as const, value: signedCaller };
      const file = await sendUpload(context, request, upload, { by, surveyId, elementId, respondentId });
      const data = uploadedFileView(file);
      return respond(context, created(reply, `/files/${data.fileId}/download`), { data });
    },
  );
}
