import type { DeviceStore } from "./device-store.ts";
import type { LinkApi } from "./link-api.ts";
import { queryFields } from "./query-fields.ts";
import { Refusal } from "./refusal.ts";

/**
 * Gives starts the fields of the page's address, and repeats one that may have been stored with its first body, as its
 * idempotency key requires, even if the language or the address has changed since. Stores no password.
 */
export function repeatStart(api: LinkApi, store: DeviceStore): LinkApi {
  return {
    ...api,
    async start({ password, ...body }, key) {
      const fields = queryFields(location.search);
      const { start = Object.keys(fields).length > 0 ? { ...body, fields } : body } = store.read();
      store.change({ start });
      const started = await api.start({ ...(password !== undefined && { password }), ...start }, key).catch(forget);
      store.change({ start: undefined });
      return started;
    },
  };

  /** A refused start stored nothing. */
  function forget(error: unknown): never {
    if (error instanceof Refusal && !error.isRetryable) store.change({ start: undefined });
    throw error;
  }
}
