import { scopeRefusal } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";
import type { ExportOptions } from "../../domain/exports/export-options.ts";

export function requireContactAccess(
  { contactFields }: Pick<ExportOptions, "contactFields">,
  { scopes, permissions }: Pick<Caller, "scopes" | "permissions">,
): void {
  if (!contactFields) return;
  const refusal = scopeRefusal("contacts:read", { held: new Set(scopes), permitted: new Set(permissions) });
  if (refusal) throw refusal;
}
