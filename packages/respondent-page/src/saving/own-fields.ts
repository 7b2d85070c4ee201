import { startFields, type PublicDefinition, type RespondentContext } from "@canvass/questions";
import { addressFields } from "./address-fields.ts";
import type { Link } from "./link-api.ts";

/** Returns the hidden fields that a respondent who begins now will have. */
export function ownFields(
  { survey: { isAnonymous } }: Link,
  { fields = [] }: PublicDefinition,
): RespondentContext["fields"] {
  return startFields(fields, addressFields(location.search), { isAnonymous, isLink: true }).values;
}
