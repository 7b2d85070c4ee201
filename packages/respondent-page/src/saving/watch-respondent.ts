import type { DeviceStore } from "./device-store.ts";

/** Returns a function that tells whether another tab has begun anew: the device has another respondent than this page. */
export function watchRespondent(store: DeviceStore): () => boolean {
  const current = () => store.read().session?.respondentId;
  let own = current();
  return () => {
    own ??= current();
    return current() !== own;
  };
}
