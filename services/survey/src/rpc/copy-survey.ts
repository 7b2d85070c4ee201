import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { copySurveyBody, readObject, refuseViolations, shapeViolations } from "@canvass/inputs";
import { CopySurveyResponseSchema, type CopySurveyRequest } from "@canvass/proto/survey-documents";
import { leaveOutTranslations } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Static } from "typebox";
import type { SurveyContext } from "../context.ts";
import { parsingDocument } from "../domain/read-survey-document.ts";
import { splitSecrets } from "../domain/split-secrets.ts";
import { insertDocument } from "./insert-document.ts";
import { readSurveyAsDocument } from "./read-survey-as-document.ts";
import { requireLockedSurvey } from "./require-survey.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write } from "./write.ts";

/** Creates a survey like another one, by its document, in its workspace or in another one (contract 6.21). */
export function copySurvey(
  context: SurveyContext,
  { surveyId, bodyJson, targetCaller }: CopySurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof CopySurveyResponseSchema>> {
  return write(context, call, CopySurveyResponseSchema, async (sql) => {
    const body = readObject(bodyJson);
    refuseViolations(shapeViolations(copySurveyBody, body));
    const { name, version = 0, includeTranslations = true } = body as Static<typeof copySurveyBody>;
    const caller = targetCaller === "" ? call.caller : context.verifyCaller(targetCaller);
    if (caller?.personId !== call.caller.personId) throw new AppError("unauthorized");
    const { workspaceId } = call.caller;
    const survey = await requireLockedSurvey(sql, { workspaceId, surveyId });
    const isElsewhere = caller.workspaceId !== workspaceId;
    const { secrets, others } = splitSecrets(survey.settingsJson);
    // A secret stays in its workspace.
    const source = isElsewhere ? { ...survey, settingsJson: JSON.stringify(others) } : survey;
    const whole = await runInSlices(parsingDocument(await readSurveyAsDocument(sql, source, version)));
    const document = includeTranslations ? whole : leaveOutTranslations(whole);
    const copied = await insertDocument(
      sql,
      { caller, clientAddress: call.clientAddress, requestId: call.requestId },
      {
        document: { ...document, ...(name !== undefined && { name }) },
        ...(!isElsewhere && { secrets }),
        copiedFrom: { surveyId, ...(isElsewhere && { workspaceId }), ...(version > 0 && { version }) },
      },
      context.now(),
    );
    return { survey: toSurveyMessage(copied) };
  });
}
