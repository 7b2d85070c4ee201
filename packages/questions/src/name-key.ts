/** Names that differ in case only are the same name. */
export const nameKey = (name: string): string => name.toLowerCase();
