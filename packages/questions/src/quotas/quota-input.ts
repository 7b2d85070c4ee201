import { checkShape, closed, visibleText, word, type Violation } from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { Type, type Static, type TSchema } from "typebox";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import type { Condition } from "../conditions/condition.ts";
import { nameKey } from "../name-key.ts";
import { conditionInput } from "../conditions/condition-input.ts";
import { conditionResolver } from "../conditions/named-conditions.ts";
import type { SurveyDefinition } from "../definition.ts";
import { nameResolver } from "../piping/resolve-names.ts";
import { knownTranslations } from "../translations/known-translations.ts";
import { textsOfQuota } from "../translations/text-places.ts";
import { onFullActions, quotaLimits, type StoredQuota } from "./quota.ts";

const { quotas, nameLength, messageLength, limit } = quotaLimits;

/**
 * The list of quotas of a body or a document, whose conditions have that schema. `checkShape` passes over these.
 * `others`: further fields of a quota.
 */
export const quotasSchemaOf = <When extends TSchema>(when: When, title: string, others: Record<string, TSchema> = {}) =>
  Type.Array(
    closed(
      {
        name: visibleText(nameLength, { description: "unique in the survey, ignoring case" }),
        when: { ...when, "x-judged-by": "condition" },
        limit: Type.Integer({
          minimum: 1,
          maximum: limit,
          description: "maximum number of respondents that can complete",
          "x-expected": `a whole number from 1 to ${limit}`,
        }),
        onFull: word(onFullActions),
        message: Type.Optional(
          Type.Union([visibleText(messageLength, { description: "message for the respondent" }), Type.Null()]),
        ),
        ...others,
      },
      { title },
    ),
    { maxItems: quotas },
  );

/** Replaces the quotas of a survey. */
export const quotasBody = closed({ quotas: quotasSchemaOf(conditionInput, "QuotaInput") });

export type QuotaInput = Omit<Static<typeof quotasBody>["quotas"][number], "when"> & { when: Condition };

/** Returns the violations of a body that do not depend on the survey. */
export function quotaShapeViolations(body: unknown): Violation[] {
  const violations: Violation[] = [];
  checkShape(quotasBody, body, "", violations);
  return [...violations, ...(isJsonObject(body) ? quotaRuleViolations(body) : [])];
}

/** Returns the violations of the conditions in the `quotas` of a body, which `checkShape` passes over. */
export function quotaRuleViolations(body: JsonObject): Violation[] {
  const violations: Violation[] = [];
  checkRuleConditions(conditionInput, ownValue(body, "quotas"), "quotas", violations);
  return violations;
}

/** Like `readQuotas`, for callers that name elements of the definition in conditions and messages. */
export function readNamedQuotas(
  given: readonly QuotaInput[],
  definition: SurveyDefinition,
  newId: () => string,
): StoredQuota[] {
  const [resolve, resolveCondition] = [nameResolver(definition), conditionResolver(definition)];
  const named = given.map(({ when, ...quota }) => ({
    ...quota,
    when: resolveCondition(when),
    ...(quota.message && { message: resolve(quota.message) }),
  }));
  return readQuotas(named, definition.quotas ?? [], newId);
}

/** Returns quotas in their one form. One with the name of a former quota has its id and its translations. */
export function readQuotas(
  given: readonly QuotaInput[],
  former: readonly StoredQuota[],
  newId: () => string,
): StoredQuota[] {
  const byName = new Map(former.map((quota) => [nameKey(quota.name), quota]));
  return given.map(({ name, when, limit: most, onFull, message = null }) => {
    const { quotaId = newId(), translations = {} } = byName.get(nameKey(name)) ?? {};
    const quota = { quotaId, name, when, limit: most, onFull, message };
    const known = knownTranslations(textsOfQuota(quota), translations);
    return Object.keys(known).length > 0 ? { ...quota, translations: known } : quota;
  });
}
