import { builtInRoles } from "@canvass/access";

/** The role of a membership with custom powers. */
export const customRole = "custom";

/** Returns the powers of a built-in role by the table, of a custom role by its row; none for an unknown role. */
export function powersOf(role: string, customPowers: readonly string[] | null): readonly string[] {
  if (role === customRole) return customPowers ?? [];
  return Object.hasOwn(builtInRoles, role) ? builtInRoles[role as keyof typeof builtInRoles] : [];
}
