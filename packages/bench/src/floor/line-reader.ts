/** Returns a function that takes bytes as they arrive and passes whole lines to `take`. */
export function lineReader(take: (line: string) => void): (bytes: Buffer) => void {
  let rest = "";
  return (bytes) => {
    const lines = (rest + bytes.toString("latin1")).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(Buffer.from(line, "latin1").toString());
  };
}
