import { builtInRoles, powers as allPowers, type Power } from "@canvass/access";
import { validationFailed } from "@canvass/inputs";
import { nameFieldViolations } from "./named-fields.ts";
import { customRole } from "./role-powers.ts";

export interface NewRole {
  name: string;
  powers: Power[];
}

export function validateNewRole(given: { name: string; powers: readonly string[] }): NewRole {
  const name = given.name.trim();
  const violations = nameFieldViolations("name", given.name);
  if (isReserved(name)) violations.push({ path: "name", message: `"${name}" is a built-in role.` });
  const unknown = given.powers.filter((power) => !isPower(power));
  if (unknown.length > 0 || given.powers.length === 0) {
    violations.push({ path: "powers", message: `Use one or more of ${allPowers.join(", ")}.` });
  }
  if (violations.length > 0) throw validationFailed(violations);
  return { name, powers: [...new Set(given.powers.filter(isPower))] };
}

/** Ignores case: people would take "Owner" for the built-in role. */
function isReserved(name: string): boolean {
  return [...Object.keys(builtInRoles), customRole].includes(name.toLowerCase());
}

function isPower(text: string): text is Power {
  return (allPowers as readonly string[]).includes(text);
}
