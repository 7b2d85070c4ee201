/** Every id (contract 2.5). Also used in API documents. */
export const idPattern = "^[a-z0-9]{16}$";

/** An id, or an instance of a repeated question or page: its id and the choice. */
export const placePattern = "^[a-z0-9]{16}(:[a-z0-9]{16})?$";

const id = new RegExp(idPattern);

/** Check an id before a query: a NUL character fails the whole statement. */
export function isId(text: string): boolean {
  return id.test(text);
}
