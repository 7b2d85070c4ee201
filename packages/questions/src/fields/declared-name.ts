import { nameKey } from "../name-key.ts";
import type { HiddenField } from "./hidden-field.ts";

/** The name of a field as the survey declares it, for a name in any case (contract 6.18). */
export const declaredName = (fields: readonly HiddenField[] = [], name: string): string | undefined =>
  fields.find((field) => nameKey(field.name) === nameKey(name))?.name;
