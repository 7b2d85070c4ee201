const mebi = 1024 * 1024;

/** A larger message fails with `RESOURCE_EXHAUSTED`. */
export const maxMessageBytes = 64 * mebi;
/** For the unread bytes of a server's large responses together. */
export const maxUnreadBytes = 256 * mebi;
/** For the bodies together that a server is receiving. */
export const maxReceivedBytes = 256 * mebi;
/** Per session; many more than a gateway has in flight. */
export const maxConcurrentStreams = 1_000;
/** Smaller responses are not counted. */
export const largeResponseBytes = 256 * 1024;
/** Small enough that a large response hardly delays small ones. */
export const flowControlWindowBytes = mebi;
/**
 * Megabytes. Node counts bytes of cancelled streams until the session ends, and resets every stream beyond the limit.
 * So there is no limit here, and the sent bytes are bounded instead.
 */
export const maxSessionMemory = Number.MAX_SAFE_INTEGER;
