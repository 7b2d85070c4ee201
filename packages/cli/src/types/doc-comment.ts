/** A comment of one line that the text cannot end. */
export const docComment = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return `/** ${line.replaceAll("*/", "*\\/")} */`;
};
