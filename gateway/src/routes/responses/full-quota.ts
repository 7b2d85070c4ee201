import type { FullQuota } from "@canvass/proto/response";
import { onFullActions } from "@canvass/questions";
import { Type } from "typebox";
import { id, named, nullableText, words } from "../schemas.ts";

/** A full quota that the stored answers match (contract 6.20); absent if there is none. */
export const fullQuotaSchema = Type.Optional(
  named(
    "FullQuota",
    {
      quotaId: id,
      name: Type.String(),
      onFull: words(onFullActions),
      message: { ...nullableText, description: "message for the respondent" },
    },
    { description: "the answers match this full quota, so the respondent cannot complete with them" },
  ),
);

/** The property `quotaFull` of a response, to spread into it; none without a full quota. */
export function fullQuotaProperty(quota: FullQuota | undefined) {
  if (!quota) return {};
  const { quotaId, name, onFull, message } = quota;
  return { quotaFull: { quotaId, name, onFull, message: message || null } };
}
