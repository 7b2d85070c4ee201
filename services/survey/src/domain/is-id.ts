const ID = /^[0-9a-z]{16}$/;

/**
 * True for text that can be an id. Anything else is known to name nothing and is kept away from the database, which
 * refuses a whole statement for the sake of one NUL character.
 */
export function isId(text: string): boolean {
  return ID.test(text);
}
