/** Added to the weight of an answer's value, for storing and showing it. */
export const eachAnswerWeighs = 1024;

/** Limit in bytes of JSON: four of the largest submissions. So one respondent can be read and shown whole. */
export const mostAnswerWeight = 4 * 1024 * 1024;

/** Returns an answer's weight in bytes. The same for an answer as given and as read back. */
export function answerWeight({ value, meta }: { value: unknown; meta: unknown }): number {
  return eachAnswerWeighs + jsonBytes(value) + (meta === null ? 0 : jsonBytes(meta));
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
