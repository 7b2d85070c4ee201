import { idPattern } from "@canvass/values";
import { Type, type Static } from "typebox";
import { conditionSchema } from "../conditions/condition.ts";
import { translationsSchema } from "../translations/translated-texts.ts";

export const quotaLimits = { quotas: 100, nameLength: 100, messageLength: 4_000, limit: 1_000_000_000 } as const;

/** What happens to a respondent that matches a full quota (contract 6.20). */
export const onFullActions = ["close", "message", "end"] as const;

/**
 * At most `limit` respondents whose answers fulfil the condition complete. Of any more, `close` and `message` refuse the
 * completion, `end` records them as screened out.
 */
export const quotaSchema = Type.Object(
  {
    quotaId: Type.String({ pattern: idPattern, description: "does not change while the name is unchanged" }),
    name: Type.String({ description: "unique in the survey, ignoring case" }),
    when: conditionSchema,
    limit: Type.Integer({ minimum: 1 }),
    onFull: Type.Enum(onFullActions, {
      description:
        "close: refused as by a closed survey; message: refused, and told the message; end: recorded as screened out",
    }),
    message: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false, title: "Quota" },
);

/** Translations act with publication, like the message. */
export const storedQuotaSchema = Type.Object(
  { ...quotaSchema.properties, translations: translationsSchema },
  { additionalProperties: false, title: "DefinitionQuota" },
);

export type Quota = Static<typeof quotaSchema>;
export type StoredQuota = Static<typeof storedQuotaSchema>;

/** A quota as callers see it. */
export function withoutTranslations(stored: StoredQuota): Quota {
  const { translations: _, ...quota } = stored;
  return quota;
}
