/** A value of a metric, and when it was read, by the reader's clock. */
export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number; at: number };

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
/** One after the other from the start, so that no text takes long to read. */
const label = /,?\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/gy;

/** The samples of a text in Prometheus' exposition format. `at`: seconds. Throws for a text that has none. */
export function parseExposition(text: string, at: number): Sample[] {
  const samples = text.split("\n").flatMap((each) => {
    const [, name, labels = "", value] = line.exec(each) ?? [];
    return name ? [{ name, labels: labelsOf(labels), value: Number(value!.replace("Inf", "Infinity")), at }] : [];
  });
  if (samples.length === 0) throw new Error("no metrics");
  return samples;
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(label)].map(([, name, value]) => [name!, value!.replaceAll(/\\(.)/g, "$1")]),
  );
}
