export const weightPerAnswer = 1024;

/** Limit in bytes of JSON: four of the largest submissions. One respondent can always be read and shown completely. */
export const mostAnswerWeight = 4 * 1024 * 1024;

/** The weight is the same for an answer as submitted and as read back. */
export function answerWeight({ value, meta }: { value: unknown; meta: unknown }): number {
  return weightPerAnswer + jsonBytes(value) + (meta === null ? 0 : jsonBytes(meta));
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
