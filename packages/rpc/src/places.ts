import { AppError } from "@canvass/errors";

export interface PlacesOptions {
  /** Maximum number of slots of one owner, and of all owners. */
  perOwner: number;
  together: number;
  counted: "streams" | "reports" | "uploads";
}

export interface Places {
  /** Disposing releases the slot. Throws `rate_limited` at the owner's limit, `service_unavailable` if none is left. */
  take(ownerId: string): Disposable;
}

/** Half of the slots are for owners without one, so that a few owners with long work do not block the others. */
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
