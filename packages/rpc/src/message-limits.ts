const mebi = 1024 * 1024;

/** A larger message fails with `RESOURCE_EXHAUSTED`. */
export const maxMessageBytes = 64 * mebi;
/** For the unread bytes of all large responses of a server. */
export const maxUnreadBytes = 256 * mebi;
/** For all request bodies that a server is receiving, except streamed ones. */
export const maxReceivedBytes = 256 * mebi;
/** Per session; many more than a gateway has in flight. */
export const maxConcurrentStreams = 1_000;
/** For a body to arrive, and for a call. A client asks for no longer deadline. */
export const longestCallMs = 120_000;
/** Smaller responses are not counted, and smaller requests may use the whole capacity. */
export const largeBodyBytes = 256 * 1024;
/** Small enough that a large response hardly delays small ones. */
export const flowControlWindowBytes = mebi;
/** In megabytes. Node counts cancelled streams until the session ends, and resets every stream beyond a limit. */
export const maxSessionMemory = Number.MAX_SAFE_INTEGER;
