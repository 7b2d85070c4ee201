/** Of an answer beside its value: what it takes to keep and to show it. */
export const eachAnswerWeighs = 1024;

/**
 * What a respondent's standing answers may weigh together, in bytes of JSON: as much as four of the largest submissions. So
 * one respondent can be read and shown whole.
 */
export const mostAnswerWeight = 4 * 1024 * 1024;

/** What an answer weighs, in bytes. Equal for what was given and what was read back of it. */
export function answerWeight({ value, meta }: { value: unknown; meta: unknown }): number {
  return eachAnswerWeighs + jsonBytes(value) + (meta === null ? 0 : jsonBytes(meta));
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
