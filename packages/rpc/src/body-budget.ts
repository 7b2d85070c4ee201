import { largeBodyBytes } from "./message-limits.ts";

export interface BodyBudget {
  begin(): RequestBody;
}

export interface RequestBody {
  /** Counts received bytes. Returns false, without counting them, if they exceed the capacity. */
  receive(bytes: number): boolean;
  end(): void;
}

/** Limits the bytes of all bodies: large ones get half the capacity, so that a few of them do not block small ones. */
export function createBodyBudget(mostBytes: number): BodyBudget {
  let together = 0;
  return {
    begin() {
      let received = 0;
      return {
        receive(bytes) {
          const large = received + bytes > largeBodyBytes;
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
