import { largeResponseBytes } from "./message-limits.ts";

export interface RequestBodies {
  begin(): RequestBody;
}

export interface RequestBody {
  /** Counts received bytes. Returns false, without counting them, if they exceed the capacity. */
  receive(bytes: number): boolean;
  end(): void;
}

/** Limits the bytes of all bodies. Large ones get half the capacity, so that unfinished ones never block small ones. */
export function createRequestBodies(mostBytes: number): RequestBodies {
  let together = 0;
  return {
    begin() {
      let received = 0;
      return {
        receive(bytes) {
          const large = received + bytes > largeResponseBytes;
          if (together + bytes > (large ? mostBytes / 2 : mostBytes)) return false;
          received += bytes;
          together += bytes;
          return true;
        },
        end() {
          together -= received;
          received = 0;
        },
      };
    },
  };
}
