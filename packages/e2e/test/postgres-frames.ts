/**
 * Splits one direction of a PostgreSQL connection without TLS into messages: a letter, a length, the content. A
 * client's first message has no letter.
 */
export function frameReader(side: "client" | "server"): (chunk: Buffer) => Buffer[] {
  let lengthAt = side === "client" ? 0 : 1;
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= lengthAt + 4) {
      const end = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < end) break;
      frames.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      lengthAt = 1;
    }
    return frames;
  };
}

/** The database that a client names in its first message. */
export function startupDatabase(frame: Buffer): string | undefined {
  const words = frame.toString("utf8", 8).split("\0");
  return words[words.indexOf("database") + 1];
}

/** Whether a client's message ends a request. The server responds with messages up to a ReadyForQuery. */
export function endsRequest(frame: Buffer): boolean {
  return isLetter(frame, "Q") || isLetter(frame, "S");
}

/** The session's state in a ReadyForQuery: "idle", or "busy" inside a transaction; undefined for other messages. */
export function readyState(frame: Buffer): "idle" | "busy" | undefined {
  if (!isLetter(frame, "Z")) return undefined;
  return frame.toString("latin1", 5) === "I" ? "idle" : "busy";
}

/**
 * Returns a function that tells whether a client's message prepares or runs a statement containing `part`, even if the
 * connection prepared the statement earlier.
 */
export function statementSpotter(part: string): (frame: Buffer) => boolean {
  const prepared = new Set<string>();
  return (frame) => {
    const [first = "", second = ""] = frame.toString("utf8", 5).split("\0", 2);
    if (isLetter(frame, "Q")) return first.includes(part);
    if (isLetter(frame, "B")) return prepared.has(second);
    if (!isLetter(frame, "P")) return false;
    if (second.includes(part)) prepared.add(first);
    else prepared.delete(first);
    return prepared.has(first);
  };
}

function isLetter(frame: Buffer, letter: string): boolean {
  return frame[0] === letter.charCodeAt(0);
}
