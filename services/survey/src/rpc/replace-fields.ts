import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject, shapeViolations } from "@canvass/inputs";
import { ReplaceFieldsResponseSchema, type ReplaceFieldsRequest } from "@canvass/proto/survey";
import { fieldsBody, fieldViolations, readFields, type SurveySettingsPatch } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { askedFieldViolations } from "../domain/asked-fields.ts";
import { findElementNameKeys } from "../storage/element-names.ts";
import { readOutline } from "../storage/outline.ts";
import { auditedFields } from "./append-audit-event.ts";
import { replaceList } from "./replace-list.ts";
import { surveyTag } from "./survey-message.ts";
import { write } from "./write.ts";

/** Replaces the hidden fields of the draft (contract 6.18). */
export function replaceFields(
  context: SurveyContext,
  { surveyId, ifMatch, bodyJson }: ReplaceFieldsRequest,
  call: Call,
): Promise<MessageInitShape<typeof ReplaceFieldsResponseSchema>> {
  return write(context, call, ReplaceFieldsResponseSchema, async (sql) => {
    const body = readObject(bodyJson);
    const fields = readFields(body["fields"]);
    const { survey, lists } = await replaceList(context, sql, call, {
      surveyId,
      ifMatch,
      shapeViolations: shapeViolations(fieldsBody, body),
      read: async (transaction, found) => {
        const taken = await findElementNameKeys(transaction, found);
        const { definition } = await readOutline(transaction, found, []);
        const settings = JSON.parse(found.settingsJson) as SurveySettingsPatch;
        const asked = await runInSlices(askedFieldViolations(definition, fields, settings));
        return { list: { fields }, violations: [...fieldViolations(fields, taken, "fields"), ...asked] };
      },
      action: "survey.fields_replaced",
      audited: (all) => ({ fields: auditedFields(all.fields ?? []) }),
    });
    return { fieldsJson: JSON.stringify(lists.fields ?? []), etag: surveyTag(survey) };
  });
}
