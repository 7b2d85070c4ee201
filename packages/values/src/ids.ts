/** Every id (contract 2.5). Also for documents. */
export const idPattern = "^[a-z0-9]{16}$";

/** An id, or the place of a repeated question or page: its id and the choice. */
export const placePattern = "^[a-z0-9]{16}(:[a-z0-9]{16})?$";

const id = new RegExp(idPattern);

/** Whether text can be an id. Anything else is absent without a query: one NUL would fail a whole statement. */
export function isId(text: string): boolean {
  return id.test(text);
}
