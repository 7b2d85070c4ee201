import { builtInRoles } from "@canvass/access";

/** The role of a membership whose powers stand in a custom role. */
export const customRole = "custom";

/** What a role allows: a built-in one by the table, a custom one what its row lists. An unknown role allows nothing. */
export function powersOf(role: string, customPowers: readonly string[] | null): readonly string[] {
  if (role === customRole) return customPowers ?? [];
  return Object.hasOwn(builtInRoles, role) ? builtInRoles[role as keyof typeof builtInRoles] : [];
}
