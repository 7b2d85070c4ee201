/** A comment of one line that the text can neither end nor reorder. */
export const docComment = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
  return `/** ${line.replaceAll("*/", "*\\/")} */`;
};
