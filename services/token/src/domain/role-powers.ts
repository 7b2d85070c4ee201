import { builtInRoles } from "@canvass/access";

/** The role of a membership with custom powers. */
export const customRole = "custom";

/** Powers of a built-in role by the table, of a custom role by its row, of an unknown role none. */
export function powersOf(role: string, customPowers: readonly string[] | null): readonly string[] {
  if (role === customRole) return customPowers ?? [];
  return Object.hasOwn(builtInRoles, role) ? builtInRoles[role as keyof typeof builtInRoles] : [];
}
