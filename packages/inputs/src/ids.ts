/** Every id: 16 lower-case letters and digits (contract 2.5). Also for documents. */
export const idPattern = "^[a-z0-9]{16}$";

/** An id, or the place of a question or page that repeats: its id and the choice it repeats for. */
export const placePattern = "^[a-z0-9]{16}(:[a-z0-9]{16})?$";

const id = new RegExp(idPattern);

/**
 * True for text that can be an id. Anything else is absent without a look-up, and is kept away from the database, which
 * refuses a whole statement for one NUL character.
 */
export function isId(text: string): boolean {
  return id.test(text);
}
