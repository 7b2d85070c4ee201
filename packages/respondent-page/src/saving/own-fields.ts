import { readStartFields, type PublicDefinition, type RespondentContext } from "@canvass/questions";
import { queryFields } from "./query-fields.ts";
import type { Link } from "./link-api.ts";

/** Returns the hidden fields of a respondent who starts now. */
export function ownFields(
  { survey: { isAnonymous } }: Link,
  { fields = [] }: PublicDefinition,
): RespondentContext["fields"] {
  return readStartFields(fields, queryFields(location.search), { isAnonymous, isLink: true }).values;
}
