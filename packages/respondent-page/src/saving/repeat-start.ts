import type { DeviceStore } from "./device-store.ts";
import type { LinkApi } from "./link-api.ts";
import { queryFields } from "./query-fields.ts";
import { Refusal } from "./refusal.ts";

/**
 * Sends a start that may have been stored with the same body again, as its idempotency key asks, also after the language
 * or the address of the page has changed. Keeps no password.
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
