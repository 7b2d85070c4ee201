import { builtInRoles } from "@canvass/access";

export const customRole = "custom";

export function powersOf(role: string, customPowers: readonly string[] | null): readonly string[] {
  if (role === customRole) return customPowers ?? [];
  return Object.hasOwn(builtInRoles, role) ? builtInRoles[role as keyof typeof builtInRoles] : [];
}
