import type { Violation } from "@canvass/inputs";
import { ownValue, type JsonObject } from "@canvass/values";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { readQuotas, type QuotaInput } from "../quotas/quota-input.ts";
import type { Quota } from "../quotas/quota.ts";
import { documentCondition } from "./document-schema.ts";
import { readCondition, type DocumentCondition, type Nameable } from "./read-rules.ts";

type DocumentQuota = Omit<QuotaInput, "when"> & { when: DocumentCondition };

/** Reads the quotas of a document. Those with a name as before keep their id. Empty after violations of their shape. */
export function readDocumentQuotas(
  document: JsonObject,
  former: readonly Quota[],
  nameable: Nameable,
  newId: () => string,
  violations: Violation[],
): Quota[] {
  const given = ownValue(document, "quotas");
  checkRuleConditions(documentCondition, given, "quotas", violations);
  if (!Array.isArray(given) || violations.some(({ path }) => path.startsWith("quotas"))) return [];
  const quotas = (given as DocumentQuota[]).flatMap(({ when, ...quota }, at) => {
    const condition = readCondition(when, `quotas.${at}.when`, nameable, violations);
    return condition ? { ...quota, when: condition } : [];
  });
  return readQuotas(quotas, former, newId);
}
