import { ownValue, type JsonObject } from "@canvass/values";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { readQuotas, type QuotaInput } from "../quotas/quota-input.ts";
import type { StoredQuota } from "../quotas/quota.ts";
import { textsOfQuota } from "../translations/text-places.ts";
import { documentCondition } from "./document-schema.ts";
import type { ReadContext } from "./read-element.ts";
import { readCondition, type DocumentCondition, type Nameable } from "./read-rules.ts";
import { readTranslations } from "./translations.ts";

type DocumentQuota = Omit<QuotaInput, "when"> & { when: DocumentCondition; translations?: JsonObject };

/** Reads the quotas of a document. Those with a name as before keep their id. Empty after violations of their shape. */
export function readDocumentQuotas(
  document: JsonObject,
  former: readonly StoredQuota[],
  nameable: Nameable,
  { newId, digest, violations }: Pick<ReadContext, "newId" | "digest" | "violations">,
): StoredQuota[] {
  const given = ownValue(document, "quotas");
  checkRuleConditions(documentCondition, given, "quotas", violations);
  if (!Array.isArray(given) || violations.some(({ path }) => path.startsWith("quotas"))) return [];
  return (given as DocumentQuota[]).flatMap(({ when, translations: texts, ...given }, at): StoredQuota[] => {
    const condition = readCondition(when, `quotas.${at}.when`, nameable, violations);
    const [read] = condition ? readQuotas([{ ...given, when: condition }], former, newId) : [];
    if (!read) return [];
    const { translations: known, ...quota } = read;
    const reading = { path: `quotas.${at}.translations`, former: known, digest };
    const translations = readTranslations(texts, textsOfQuota(quota), reading, violations);
    return [translations ? { ...quota, translations } : quota];
  });
}
