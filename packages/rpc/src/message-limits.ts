const mebi = 1024 * 1024;

/** Of one message, request or answer; a larger one is refused with `RESOURCE_EXHAUSTED`. */
export const maxMessageBytes = 64 * mebi;
/** Of the large answers that a server holds until they are read. */
export const maxUnreadBytes = 256 * mebi;
/** Smaller answers are not counted: they go out even while large ones are refused. */
export const largeAnswerBytes = 256 * 1024;
/** What a server may send before the client has taken it in: a large answer then holds up the small ones less. */
export const flowControlWindowBytes = mebi;
/**
 * Megabytes. Node counts the bytes of cancelled streams for as long as a session lives, and beyond its limit resets
 * every stream, so there is none; grpc-js sets the same for clients. What is sent is bounded instead.
 */
export const maxSessionMemory = Number.MAX_SAFE_INTEGER;
