/** Bytes of labels. */
export const longestLabel = { variable: 255, value: 120 };

/** A label as it is stored. */
export interface SavLabel {
  bytes: Buffer;
  isCut: boolean;
}

/**
 * Labels cut to the bytes that the format holds. Those that are equal then end in their mark, since programs that show labels
 * would take them for one.
 */
export function savLabels(labels: readonly { text: string; mark: string }[], most: number): SavLabel[] {
  const cuts = labels.map(({ text }) => cutText(text, most));
  const counts = new Map<string, number>();
  for (const bytes of cuts) counts.set(bytes.toString(), (counts.get(bytes.toString()) ?? 0) + 1);
  return labels.map(({ text, mark }, index) => {
    const isCut = Buffer.byteLength(text) > most;
    const bytes = cuts[index]!;
    if (bytes.length === 0 || counts.get(bytes.toString()) === 1) return { bytes, isCut };
    const end = Buffer.from(` [${mark}]`);
    return { bytes: Buffer.concat([cutText(text, most - end.length), end]), isCut };
  });
}

/** The beginning of a text in UTF-8, cut between characters. */
export function cutText(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
