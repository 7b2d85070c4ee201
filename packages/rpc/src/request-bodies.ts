import { largeAnswerBytes } from "./message-limits.ts";

/** The bodies that a server is receiving. */
export interface RequestBodies {
  begin(): RequestBody;
}

export interface RequestBody {
  /** Counts bytes that have come. False when there is no room for them; then they are not counted. */
  receive(bytes: number): boolean;
  /** When the body is complete or given up. */
  end(): void;
}

/** Bounds their bytes together. Large bodies get half of the room: who never ends them shuts out no small ones. */
export function createRequestBodies(mostBytes: number): RequestBodies {
  let together = 0;
  return {
    begin() {
      let received = 0;
      return {
        receive(bytes) {
          const large = received + bytes > largeAnswerBytes;
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
