import type { DeviceStore } from "./device-store.ts";
import type { LinkApi } from "./link-api.ts";

/** The calls of a link that find out whether another device stored something since this one last heard. */
export interface WatchedApi extends LinkApi {
  /** Told after a save before which another device had stored something. */
  onElsewhere: () => void;
}

/** Notes with each answer when the respondent was last seen, and compares that with what the next one tells of before. */
export function watchElsewhere(api: LinkApi, store: DeviceStore): WatchedApi {
  const watched: WatchedApi = {
    ...api,
    onElsewhere: () => undefined,
    async start(body, key) {
      const started = await api.start(body, key);
      store.change({ seenAt: started.startedAt });
      return started;
    },
    async readOwn(session) {
      const own = await api.readOwn(session);
      store.change({ seenAt: own.seenAt });
      return own;
    },
    async submit(session, body, key) {
      const taken = await api.submit(session, body, key);
      const { seenAt, previousSeenAt } = taken;
      const isMissed = previousSeenAt && previousSeenAt !== store.read().seenAt;
      store.change({ seenAt });
      if (isMissed) watched.onElsewhere();
      return taken;
    },
  };
  return watched;
}
