const width = 24;

/** Draws how much of a step is done, in percent. */
export function progressBar(percent: number, step: string): string {
  const filled = Math.floor((width * Math.min(100, Math.max(0, percent))) / 100);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${percent} % ${step}`;
}
