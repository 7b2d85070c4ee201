import type { ApiClient } from "../../src/index.ts";

/** How often the audit log has `action` of a resource. */
export async function countAudited(api: ApiClient, action: string, resource: string): Promise<number> {
  return (await api.get(`/audit-log?action=${action}&resource=${resource}`)).data.length;
}
