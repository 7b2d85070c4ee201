import type { ApiClient } from "../../src/index.ts";
import type { KeyedOperation, KeyedSystem, KeyedWrite } from "./keyed-operation.ts";

/** A write whose effects the audit log shows, as entries of `action` for `resource`. */
export function auditedWrite(
  name: string,
  service: KeyedOperation["service"],
  action: string,
  prepare: (system: KeyedSystem) => Promise<Omit<KeyedWrite, "effects"> & { resource: string }>,
): KeyedOperation {
  return {
    name,
    service,
    async prepare(system) {
      const { resource, ...write } = await prepare(system);
      return { ...write, effects: async () => ({ audited: await countAudited(system.api, action, resource) }) };
    },
  };
}

/** How often the audit log has `action` of a resource. */
export async function countAudited(api: ApiClient, action: string, resource: string): Promise<number> {
  return (await api.get(`/audit-log?action=${action}&resource=${resource}`)).data.length;
}
