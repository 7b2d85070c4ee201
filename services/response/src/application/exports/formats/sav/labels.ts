/** Label limits in bytes. */
export const longestLabel = { variable: 255, value: 120 };

export interface SavLabel {
  bytes: Buffer;
  isCut: boolean;
}

/** Cuts labels to the format's byte limit. Labels that are then equal get their marks appended. */
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

export function cutText(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
