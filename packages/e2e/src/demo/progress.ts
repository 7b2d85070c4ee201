import { MultiBar, Presets, type SingleBar } from "cli-progress";

/** Progress bars in a terminal; elsewhere an occasional line. */
export interface Progress {
  say(line: string): void;
  bar(name: string, total: number): { set(value: number): void };
  stop(): void;
}

export function createProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  return output.isTTY ? terminalProgress(output) : plainProgress(output);
}

function terminalProgress(output: NodeJS.WriteStream): Progress {
  let bars: MultiBar | undefined;
  const format = "  {name} {bar} {percentage}%  {value}/{total}  {duration_formatted}";
  return {
    say: (line) => output.write(`${line}\n`),
    bar: (name, total) => {
      bars ??= new MultiBar(
        { format, hideCursor: true, clearOnComplete: false, stream: output },
        Presets.shades_classic,
      );
      const bar: SingleBar = bars.create(total, 0, { name: name.padEnd(18) });
      return { set: (value) => bar.update(value) };
    },
    stop: () => bars?.stop(),
  };
}

function plainProgress(output: NodeJS.WriteStream): Progress {
  return {
    say: (line) => output.write(`${line}\n`),
    bar: (name, total) => {
      let said = 0;
      return {
        set: (value) => {
          const quarter = Math.floor((4 * value) / total);
          if (quarter <= said) return;
          said = quarter;
          output.write(`  ${name}: ${value} of ${total}\n`);
        },
      };
    },
    stop: () => undefined,
  };
}
