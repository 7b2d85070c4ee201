import type { QuotaCount } from "@canvass/proto/response";
import { quotasBody, quotaSchema, type Quota } from "@canvass/questions";
import { Type } from "typebox";
import { named, shownAs, withExamples } from "../schemas.ts";

export const documentedQuotas = withExamples(quotasBody, {
  gender: {
    summary: "Quotas of 200 respondents with a choice, and of 50 who also answered another question",
    value: {
      quotas: [
        {
          name: "Women",
          when: { elementId: "01h8x3k9q2x5g9hs", operator: "equals", value: "01h8x3k9q2y0r3fm" },
          limit: 200,
          onFull: "message",
          message: "We have heard from enough of you. Thank you.",
        },
        {
          name: "Women who tell why",
          when: {
            all: [
              { elementId: "01h8x3k9q2x5g9hs", operator: "equals", value: "01h8x3k9q2y0r3fm" },
              { elementId: "01h8x3k9q2w7d1ej", operator: "answered" },
            ],
          },
          limit: 50,
          onFull: "close",
        },
      ],
    },
  },
});

export const quotasSchema = named("SurveyQuotas", { quotas: Type.Array(shownAs("Quota")) });

const countedQuota = named("CountedQuota", {
  ...quotaSchema.properties,
  when: shownAs("Condition"),
  count: Type.Integer({ description: "completed respondents that count towards it, of all versions" }),
  remaining: Type.Integer({ description: "how many more respondents may complete" }),
  isFull: Type.Boolean(),
});

export const countedQuotasSchema = named("CountedQuotas", { quotas: Type.Array(countedQuota) });

export const quotasView = ({ quotasJson }: { quotasJson: string }) => ({ quotas: JSON.parse(quotasJson) as Quota[] });

export function countedQuotasView(found: { quotasJson: string }, counts: readonly QuotaCount[]) {
  const byId = new Map(counts.map(({ quotaId, completed }) => [quotaId, Number(completed)]));
  return {
    quotas: quotasView(found).quotas.map((quota) => {
      const count = byId.get(quota.quotaId) ?? 0;
      const remaining = Math.max(0, quota.limit - count);
      return { ...quota, count, remaining, isFull: remaining === 0 };
    }),
  };
}
