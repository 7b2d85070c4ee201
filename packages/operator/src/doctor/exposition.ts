/** A value of a metric. `at`: seconds, by the reader's clock. */
export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number; at: number };

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
/** Sticky, so that parsing takes linear time. */
const label = /,?\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/gy;

/** Parses Prometheus' exposition format. `at`: seconds. Throws if there is no sample. */
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
