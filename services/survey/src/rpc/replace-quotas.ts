import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject } from "@canvass/inputs";
import { ReplaceQuotasResponseSchema, type ReplaceQuotasRequest } from "@canvass/proto/survey";
import {
  quotaShapeViolations,
  quotaViolations,
  readNamedQuotas,
  comparisonViolations,
  type QuotaInput,
  askedElements,
  withoutTranslations,
} from "@canvass/questions";
import { newId } from "@canvass/values";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { weighLists } from "../domain/outline-weight.ts";
import { readOutline } from "../storage/outline.ts";
import { auditedQuotas } from "./append-audit-event.ts";
import { replaceList } from "./replace-list.ts";
import { surveyTag } from "./survey-message.ts";
import { write } from "./write.ts";

/** Replaces the quotas of the draft (contract 6.20). */
export function replaceQuotas(
  context: SurveyContext,
  { surveyId, ifMatch, bodyJson }: ReplaceQuotasRequest,
  call: Call,
): Promise<MessageInitShape<typeof ReplaceQuotasResponseSchema>> {
  return write(context, call, ReplaceQuotasResponseSchema, async (sql) => {
    const body = readObject(bodyJson);
    const { survey, lists } = await replaceList(context, sql, call, {
      surveyId,
      ifMatch,
      shapeViolations: quotaShapeViolations(body),
      read: async (transaction, found) => {
        const given = body["quotas"] as QuotaInput[];
        const asked = given.flatMap(({ when }) => [...askedElements(when)]);
        const outline = await readOutline(transaction, found, asked);
        const quotas = readNamedQuotas(given, outline.definition, () => newId(context.now()));
        const definition = { ...outline.definition, quotas };
        const violations = [...quotaViolations(definition, "quotas"), ...comparisonViolations(definition, "quotas")];
        violations.push(...(await runInSlices(weighLists({ ...outline, definition }, "quotas"))));
        return { list: { quotas }, violations };
      },
      action: "survey.quotas_replaced",
      audited: (all) => ({ quotas: auditedQuotas(all.quotas ?? []) }),
    });
    return { quotasJson: JSON.stringify((lists.quotas ?? []).map(withoutTranslations)), etag: surveyTag(survey) };
  });
}
