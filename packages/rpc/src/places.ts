import { AppError } from "@canvass/errors";

export interface PlacesOptions {
  /** Of one owner, and of all. */
  perOwner: number;
  together: number;
  /** What has a place, as the refused caller reads it. */
  counted: "streams" | "reports" | "uploads";
}

/** Places for what lasts as long as its reader takes. */
export interface Places {
  /**
   * Takes a place; disposing gives it back. Throws `rate_limited` for an owner that has as many as it may have, and
   * `service_unavailable` while there is none for it.
   */
  take(ownerId: string): Disposable;
}

/** Half of the places are for owners that have none yet, so a few owners that keep theirs keep nobody else out. */
export function createPlaces({ perOwner, together, counted }: PlacesOptions): Places {
  const owners = new Map<string, number>();
  let taken = 0;

  function giveBack(ownerId: string): void {
    taken -= 1;
    const left = owners.get(ownerId)! - 1;
    if (left > 0) owners.set(ownerId, left);
    else owners.delete(ownerId);
  }

  return {
    take(ownerId) {
      const own = owners.get(ownerId) ?? 0;
      if (own >= perOwner) {
        const details = { [`concurrent_${counted}`]: perOwner };
        throw new AppError("rate_limited", details, `Too many ${counted} are open at once.`);
      }
      if (taken >= (own === 0 ? together : together / 2)) throw new AppError("service_unavailable");
      owners.set(ownerId, own + 1);
      taken += 1;
      const place = new DisposableStack();
      place.defer(() => giveBack(ownerId));
      return place;
    },
  };
}
