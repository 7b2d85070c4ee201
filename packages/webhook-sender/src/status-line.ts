const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: .*)?\r?$/;

/** The reader takes chunks and returns the final response's status. Skips interim responses (RFC 9110, 15.2). */
export function createStatusLineReader(): (chunk: Buffer) => number | undefined {
  let rest = "";
  let expected: "status line" | "header" | "nothing" = "status line";
  return (chunk) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const isBlank = line === "" || line === "\r";
      if (expected === "header" && isBlank) expected = "status line";
      else if (expected === "status line" && !isBlank) {
        const status = Number(STATUS_LINE.exec(line)?.[1]);
        if (status >= 200) return status;
        expected = status >= 100 ? "header" : "nothing";
      }
    }
    return undefined;
  };
}
