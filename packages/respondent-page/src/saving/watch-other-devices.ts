import type { DeviceStore } from "./device-store.ts";
import type { LinkApi } from "./link-api.ts";

export interface WatchedApi extends LinkApi {
  /** Called after a save if another device had saved before it. */
  onSavedElsewhere: () => void;
}

/** Stores `seenAt` of each response and compares it with `previousSeenAt` of the next one. */
export function watchOtherDevices(api: LinkApi, store: DeviceStore): WatchedApi {
  const watched: WatchedApi = {
    ...api,
    onSavedElsewhere: () => undefined,
    async start(body, key) {
      const started = await api.start(body, key);
      store.change({ seenAt: started.startedAt });
      return started;
    },
    async readOwn(session, language) {
      const own = await api.readOwn(session, language);
      store.change({ seenAt: own.seenAt });
      return own;
    },
    async submit(session, body, key) {
      const taken = await api.submit(session, body, key);
      const { seenAt, previousSeenAt } = taken;
      const isMissed = previousSeenAt && previousSeenAt !== store.read().seenAt;
      store.change({ seenAt });
      if (isMissed) watched.onSavedElsewhere();
      return taken;
    },
  };
  return watched;
}
