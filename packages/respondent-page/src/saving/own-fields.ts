import { readStartFields, type PublicDefinition, type RespondentContext } from "@canvass/questions";
import { addressFields } from "./address-fields.ts";
import type { Link } from "./link-api.ts";

/** Returns the hidden fields of a respondent who starts now. */
export function ownFields(
  { survey: { isAnonymous } }: Link,
  { fields = [] }: PublicDefinition,
): RespondentContext["fields"] {
  return readStartFields(fields, addressFields(location.search), { isAnonymous, isLink: true }).values;
}
