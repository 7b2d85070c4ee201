import { makeDistinct } from "../../../../domain/exports/make-distinct.ts";

/** Label limits in bytes. */
export const longestLabel = { variable: 255, value: 120 };

export interface SavLabel {
  bytes: Buffer;
  isCut: boolean;
}

/** Cuts labels to the format's byte limit. Labels that are then equal get their marks appended. */
export function savLabels(labels: readonly { text: string; mark: string }[], most: number): SavLabel[] {
  const cuts = labels.map(({ text }) => cutText(text, most).toString());
  const told = makeDistinct(cuts, (index) => {
    const { text, mark } = labels[index]!;
    const end = ` [${mark}]`;
    return text === "" ? "" : cutText(text, most - end.length).toString() + end;
  });
  return labels.map(({ text }, index) => ({ bytes: Buffer.from(told[index]!), isCut: Buffer.byteLength(text) > most }));
}

export function cutText(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
