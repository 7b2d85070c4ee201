const mebi = 1024 * 1024;

/** A larger message is refused with `RESOURCE_EXHAUSTED`. */
export const maxMessageBytes = 64 * mebi;
/** Of large answers of a server. */
export const maxUnreadBytes = 256 * mebi;
/** Of bodies that a server is receiving. */
export const maxReceivedBytes = 256 * mebi;
/** Of a session; many more than a gateway has under way. */
export const maxConcurrentStreams = 1_000;
/** Smaller answers are not counted. */
export const largeAnswerBytes = 256 * 1024;
/** Small enough that a large answer hardly delays small ones. */
export const flowControlWindowBytes = mebi;
/**
 * Megabytes. Node counts bytes of cancelled streams until the session ends, and resets every stream beyond the limit; so
 * there is none, and what is sent is bounded instead.
 */
export const maxSessionMemory = Number.MAX_SAFE_INTEGER;
