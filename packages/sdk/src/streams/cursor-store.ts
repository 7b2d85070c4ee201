/** Keeps how far a reader has come, so that it goes on from there after a restart. */
export interface CursorStore {
  /** The cursor saved last; undefined before the first. */
  load(): Promise<string | undefined> | string | undefined;
  save(cursor: string): Promise<void> | void;
}

/** A store that is lost when the program ends. */
export function memoryStore(cursor?: string): CursorStore {
  return {
    load: () => cursor,
    save: (next) => void (cursor = next),
  };
}
